"""Areas E and G through `add` and `search`, and variants of each kind."""

from __future__ import annotations

import math
import unicodedata

import pytest

from answerable.errors import UsageError


def named(docs):
    return {
        (f"{key}.md" if isinstance(doc, str) else doc["file"]): (
            doc if isinstance(doc, str) else doc["text"]
        )
        for key, doc in docs.items()
    }


def check(case, on):
    return next(c["value"] for c in case["checks"] if c["on"] == on)


@pytest.mark.data
def test_e01_forms_of_one_word(bench, cases):
    given = cases["E01"]["input"]["inline"]
    made = bench(named(given["docs"]))
    made.add()
    found = [sorted(made.uris(query)) for query in given["queries"]]
    zurich = [unicodedata.normalize("NFC", given["docs"]["N6"]["file"])]
    assert found == [
        *[["N1.md", "N2.md"]] * 2,
        *[["N3.md", "N4.md"]] * 2,
        *[["N5.md"]] * 2,
        zurich,
    ]
    assert made.uris("Zu\u0308rich.md") == zurich
    # Shown as the author wrote it.
    assert made.texts("re\u0301sume\u0301")[0] in (
        "the résumé is due",
        "the re\u0301sume\u0301 is late",
    )
    assert "Ａ" in "".join(made.texts("API"))


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("ｶﾀｶﾅ ﾎﾟﾝﾌﾟ", ["ポンプ", "ﾎﾟﾝﾌﾟ", "カタカナ"]),
        ("Straße nach Ａａchen", ["STRASSE", "strasse", "Aachen", "ＡＡＣＨＥＮ"]),
        ("ﬂow ﬃnity ﬀ", ["flow", "ffinity"]),
        ("Å ångström", ["Ångström", "A\u030angstro\u0308m", "ÅNGSTRÖM"]),
        ("co\u00adopera\u00adtion zero\u200bwidth", ["cooperation", "zero", "width"]),
        ("ΣΊΣΥΦΟΣ", ["Σίσυφος", "σίσυφοσ"]),
        ("İstanbul", ["istanbul", "İSTANBUL"]),
        ("Việt Nam", ["Vie\u0323\u0302t", "VIỆT"]),
        ("⑨ Ⅳ", ["9", "iv"]),
    ],
)
def test_e01_variants(bench, text, queries):
    made = bench({"a.md": text, "b.md": "another page about pumps"})
    made.add()
    assert {query: made.uris(query) for query in queries} == {query: ["a.md"] for query in queries}


@pytest.mark.data
def test_e03_scripts_without_spaces(bench, cases):
    given = cases["E03"]["input"]["inline"]
    made = bench(named(given["docs"]))
    made.add()
    found = {query: made.uris(query) for query in given["queries"]}
    for query in ("水泵", "停電", "승인", "ปั๊ม"):
        assert found[query] == [f"{check(cases['E03'], f'search.top1[{query}]')}.md"]
    assert found["ERR-88 停電"] == ["K2.md"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("ປໍ້າ", "lao"),
        ("ERR-77", "lao"),
        ("ម៉ាស៊ីន", "km"),
        ("จักรยาน", "th"),
        ("PX-19 จักรยาน", "th"),
        ("စက်", "my"),
        ("点検", "ja"),
        ("月曜", "ja"),
        ("API の点検", "ja"),
        ("閥門", "zh"),
        ("승인", "ko"),
        ("팀장", "ko"),
        ("насос", "ru"),
        ("المضخة", "ar"),
        ("पंप", "hi"),
    ],
)
def test_e03_variants(bench, query, first):
    made = bench(
        {
            "lao.md": "ກວດປໍ້ານ້ຳທຸກສາມເດືອນ ERR-77",
            "km.md": "ពិនិត្យម៉ាស៊ីនបូមទឹក",
            "th.md": "ซ่อมจักรยานPX-19ทุกวัน",
            "my.md": "ရေစုပ်စက် စစ်ဆေးပါ",
            "ja.md": "APIの点検は毎週月曜日に行う。",
            "zh.md": "每三個月檢查一次閥門。",
            "ko.md": "초과근무는 팀장 승인이 필요합니다",
            "ru.md": "Проверяйте насосы каждый месяц, а клапаны два раза в год.",
            "ar.md": "افحص المضخة كل شهر وافحص الصمام مرتين في السنة من فضلك",
            "hi.md": "हर महीने पंप की जाँच करें",
            "en.md": "the lid is fine",
        }
    )
    made.add()
    assert made.uris(query)[:1] == [f"{first}.md"]
    assert "en.md" not in made.uris(query)


@pytest.mark.data
def test_e04_line_ends_and_mark(bench, read, cases, case_file):
    paths = [case_file(name) for name in cases["E04"]["input"]["paths"]]
    first, second = (read(path) for path in paths)
    assert first["text"] == second["text"]
    assert first["title"] == second["title"] == "Gate list"
    assert [b["path"] for b in first["blocks"] if b["kind"] == "heading"] == [["Gate list"]]
    for absent in ("\ufeff", "title:", "\r"):
        assert absent not in first["text"]
    made = bench({path.name: path.read_bytes() for path in paths})
    base = made.base
    base.add(str(made.folder / "docs"))
    with base.snapshot() as snapshot:
        rows = list(snapshot.documents().values())
    assert len({row.sha256 for row in rows}) == 1
    assert dict(rows[0].meta)["labels"] == "gate, night"
    assert any("| north | K7 |" in text for text in made.texts("north K7"))


PAGE = "---\ntitle: Ofen\n---\n# Ofen\n\nDer Schlüssel liegt im Büro, 20 € Pfand.\n\n- eins\n"


@pytest.mark.parametrize(
    "body",
    [
        PAGE.replace("\n", "\r").encode(),
        PAGE.replace("\n", "\r\n").encode("utf-8-sig"),
        ("\ufeff" + PAGE).encode("utf-16-le"),
        ("\ufeff" + PAGE).encode("utf-16-be"),
        PAGE.encode("utf-16-le"),
        ("\ufeff" + PAGE).encode("utf-32-le"),
        PAGE.encode("cp1252"),
        PAGE.replace("\n# Ofen", "\r\n# Ofen").encode(),
    ],
    ids=["cr", "crlf-bom", "utf16le", "utf16be", "utf16-no-bom", "utf32", "cp1252", "mixed"],
)
def test_e04_variants_equal_the_plain_file(bench, body):
    made = bench({"a.md": PAGE, "b.md": body})
    base = made.base
    report = base.add(str(made.folder / "docs"))
    assert report.skipped == ()
    with base.snapshot() as snapshot:
        rows = list(snapshot.documents().values())
    assert {row.title for row in rows} == {"Ofen"}
    assert len({row.sha256 for row in rows}) == 1
    assert sorted(made.uris("Schlüssel")) == ["a.md", "b.md"]


def test_e04_variants_files_that_hold_almost_nothing(bench):
    made = bench(
        {
            "empty.md": b"",
            "blank.md": b" \n\t\r\n",
            "bom.md": "\ufeff".encode(),
            "front.md": b"---\ntitle: Only front\n---\n",
            "table.md": b"| a | b |\n|---|---|\n| key | lime |\n",
            "heading.md": b"# Lonely",
            "binary.txt": b"\x00\x01\x02\x00\x00",
            "bad.txt": b"good \xff\xfe\x80 bytes",
            "broken.md": b"---\ntitle: [x\n---\n\ntheta here\n",
        }
    )
    report = made.add()
    assert sorted(s.uri.partition("/")[2] for s in report.skipped) == [
        "binary.txt",
        "blank.md",
        "bom.md",
        "empty.md",
        "front.md",
    ]
    assert all(skipped.reason for skipped in report.skipped)
    for query, found in (("lime", "table"), ("lonely", "heading"), ("theta", "broken")):
        assert made.uris(query) == [f"{found}.md"]
    assert made.uris("good") == ["bad.txt"]
    assert made.add().parsed == 0


@pytest.mark.data
@pytest.mark.parametrize("by", ["words", "tokens", "recursive", "sentences", "headings"])
def test_e06_clusters_stay_whole(read, cases, by):
    text = cases["E06"]["input"]["inline"]["text"]
    found = read(
        "a.txt", text, "--by", by, "--size", 7, "--overlap", 2, "--unit", "tokens", "--lead", "none"
    )
    covered = 0
    for chunk in found["chunks"]:
        piece = found["text"][chunk["start"] : chunk["end"]]
        assert "\ufffd" not in piece
        assert not piece.startswith("\u200d")
        assert not piece.endswith("\u200d")
        assert not found["text"][covered : chunk["start"]].strip()
        covered = chunk["end"]
    assert covered == len(found["text"])


@pytest.mark.parametrize("by", ["tokens", "recursive", "sentences", "headings", "paragraphs"])
@pytest.mark.parametrize(
    "cluster", ["👍🏽", "🇩🇪", "e\u0301\u0323", "👩‍❤️‍💋‍👨", "1️⃣", "각", "क्षि", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"]
)
def test_e06_variants(read, by, cluster):
    text = f"{cluster}{cluster} word " * 30
    found = read("a.txt", text, "--by", by, "--size", 24, "--unit", "characters", "--lead", "none")
    pieces = [found["text"][c["start"] : c["end"]] for c in found["chunks"]]
    cluster = unicodedata.normalize("NFC", cluster) if cluster not in text else cluster
    assert sum(piece.count(cluster) for piece in pieces) == 60


@pytest.mark.data
def test_g01_empty_corpora_and_questions(bench, cases):
    given = cases["G01"]["input"]["inline"]
    for number, corpus in enumerate(given["corpora"]):
        made = bench({f"{at}.txt": text for at, text in enumerate(corpus)})
        made.add()
        for query in given["queries"]:
            done = made.cli("search", query, "--json")
            if not query.strip():
                assert done.code == 2
                assert "empty" in done.err
                assert done.json["error"]["type"] == "UsageError"
                continue
            hits = done.json["hits"]
            assert [hit["uri"] for hit in hits] == (
                ["docs/0.txt"] if number == 3 and "pump" in query else []
            )
            assert all(math.isfinite(hit["score"]) and hit["score"] > 0 for hit in hits)


@pytest.mark.parametrize("toml", ['[ingest.embedder]\nname = "fakes:HashEmbedder"\n', None])
def test_g01_variants_asking_an_empty_or_tiny_base(bench, toml):
    made = bench({}, *([toml] if toml else []))
    made.add()
    for query in ("pump", "?!", "🙂", "the of and", "\x00", "0"):
        for verb in ("search", "ask"):
            done = made.cli(verb, query, "--json")
            assert done.code == 0, done.err
    assert made.cli("ask", "pump", "--json").json["answer"]["refused"] is True
    made.write("a.md", "pump")
    made.add()
    assert made.cli("ask", "?!", "--json").json["answer"]["refused"] is True
    assert made.cli("status", "--json").json["documents"] == 1


@pytest.mark.data
def test_g02_scores_of_a_small_corpus(bench, cases):
    given = cases["G02"]["input"]["inline"]
    toml = (
        '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\nk1 = 1.2\nb = 0.75\n'
        "[ingest.analyzer]\noptions = { stop = false, stem = false }\n"
        '[[ingest.cut]]\nlead = "none"\n'
    )
    made = bench({f"{at}.txt": doc for at, doc in enumerate(given["docs"])}, toml)
    made.add()
    for query in given["queries"]:
        expected = check(cases["G02"], f"search.scores[{query}]")
        hits = made.cli("search", query, "--json").json["hits"]
        scores = {int(hit["uri"][5]): hit["score"] for hit in hits}
        wanted = {at: value for at, value in enumerate(expected) if value}
        assert scores == pytest.approx(wanted, abs=1e-5) or scores == pytest.approx(
            {at: value * 2.2 for at, value in wanted.items()}, abs=1e-5
        )
    assert made.uris("pump alarm") == ["1.txt", "0.txt", "3.txt"]


@pytest.mark.data
def test_g05_questions_are_words(bench, cases):
    given = cases["G05"]["input"]["inline"]
    made = bench({"1.txt": given["docs"]["1"]})
    made.add()
    for query in given["queries"]:
        if not query.strip():
            with pytest.raises(UsageError, match="empty"):
                made.uris(query)
            continue
        found = made.uris(query)
        if query in check(cases["G05"], "search.hits"):
            assert found == ["1.txt"], query
        if query in check(cases["G05"], "search.empty"):
            assert found == [], query
    assert made.uris("pump") == ["1.txt"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("a:b:c", "colon"),
        ("foo->bar", "arrow"),
        ("What is C++?", "cpp"),
        ("C#", "csharp"),
        (".NET 8", "net"),
        ("10.0.0.1/8", "ip"),
        ("what is at 10.0.0.1", "ip"),
        ("2024-05-01", "date"),
        ("ERR_CONN_RESET", "snake"),
        ("getUserName()", "camel"),
        ("user name", "camel"),
        ("--max-size=5", "flag"),
        ("src/app/main.py", "path"),
        ("v1.2.3-rc.1", "version"),
        ("AND OR NOT flag", "flag"),
        ('"max size"', "flag"),
        ("foo@example.org", "mail"),
    ],
)
def test_g05_variants(bench, query, first):
    made = bench(
        {
            "colon.md": "The key a:b:c opens the door.",
            "arrow.md": "Call foo->bar first.",
            "cpp.md": "We build it in C++ today.",
            "csharp.md": "The client is C# code.",
            "net.md": "Needs .NET 8 on the server.",
            "ip.md": "The gateway is 10.0.0.1/8 here.",
            "date.md": "Due on 2024-05-01 at noon.",
            "snake.md": "It logs ERR_CONN_RESET once.",
            "camel.md": "Then getUserName() runs.",
            "flag.md": "Start with --max-size=5 set.",
            "path.md": "Open src/app/main.py please.",
            "version.md": "Release v1.2.3-rc.1 is out.",
            "mail.md": "Write to foo@example.org soon.",
            "noise.md": "plain words of no note: 8, 10, 5, main, app, c, b, a, user, date.",
        }
    )
    made.add()
    assert made.uris(query)[0] == f"{first}.md"


@pytest.mark.parametrize(
    "query",
    ["\\", "%", "_", "%_%", "a\x00b", "\ud800", "x" * 50_000, "(" * 5000, "\n\t pump", "$(id)"],
)
def test_g05_variants_that_must_not_raise(bench, query):
    made = bench({"a.md": "The pump is fine."}, '[ingest.embedder]\nname = "fakes:HashEmbedder"\n')
    made.add()
    made.uris(query)
    done = made.cli("ask", query, "--json")
    assert done.code == 0, done.err
