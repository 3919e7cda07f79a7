"""What the documentation says of keys, commands, codes, fields and files is what the code has."""

import importlib.util
import json
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from answerable import errors
from answerable.adapters.formats import golden
from answerable.adapters.sources.media_types import BY_EXTENSION, SOURCE
from answerable.cli.find import trace_json
from answerable.cli.main import COMMANDS
from answerable.config import load
from answerable.errors import AnswerableError, ConfigError
from answerable.measure.retrieval import measure
from answerable.records.answers import Answer, Citation, Route, Sentence, Trace, Verdict
from answerable.records.docs import Span
from answerable.records.recipe import CutRule, Recipe
from answerable.wire.table import load as load_part
from answerable.wire.table import names

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("*.md")), *ROOT.glob("examples/*/*.md")]


def rows(page: Path) -> list[list[str]]:
    """The cells of every table row; a bar within a cell is written `\\|`."""
    lines = [line for line in page.read_text().splitlines() if line.startswith("|")]
    return [[c.strip() for c in re.split(r"(?<!\\)\|", line.strip("|"))] for line in lines]


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(), flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", there.read_text(), re.M)
            assert anchor in map(slug, headings), target


def test_every_file_that_a_page_names_is_there() -> None:
    beginnings = ("benchmarks/", "tests/", "docs/", "src/", "examples/")
    inside = ("text/", "rank/", "flow/", "measure/", "adapters/", "wire/", "cli/", "grounding/")
    for page in PAGES:
        for name in re.findall(r"`([a-z]+/[\w/.-]+\.(?:py|md|jsonl))`", page.read_text()):
            if "NAME" in name:
                continue
            if name.startswith(beginnings):
                assert (ROOT / name).is_file(), f"{page.name}: {name}"
            elif name.startswith(inside):
                assert (ROOT / "src" / "answerable" / name).is_file(), f"{page.name}: {name}"


def test_the_command_reference_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate_cli", DOCS / "generate_cli.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / "reference" / "cli.md").read_text() == module.page(), (
        "run python docs/generate_cli.py"
    )
    for name in COMMANDS:
        assert f"`{name}`" in (ROOT / "CHANGELOG.md").read_text(), name


def documented() -> dict[str, str]:
    return {
        row[0].strip("`"): row[1].strip("`")
        for row in rows(DOCS / "reference" / "recipe.md")
        if row[0].startswith(("`ingest.", "`ask."))
    }


def keys(part: Any, at: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields(part):
        value, name = getattr(part, field.name), f"{at}{field.name}"
        if field.name == "cut":
            found |= keys(CutRule(), f"{name}[].")
        elif is_dataclass(value):
            found |= keys(value, f"{name}.")
        else:
            found[name] = value
    return found


def test_the_recipe_reference_has_every_key_with_its_default() -> None:
    written = documented()
    assert written.keys() == keys(Recipe(), "").keys()
    for key, value in keys(Recipe(), "").items():
        if key.endswith(".options"):
            assert (value, written[key]) == ((), "none")
        elif isinstance(value, bool):
            assert written[key] == str(value).lower(), key
        elif isinstance(value, str):
            assert json.loads(written[key]) == value, key
        else:
            assert float(written[key]) == value, key


def test_the_recipe_reference_has_the_true_ranges_and_choices(tmp_path: Path) -> None:
    (tmp_path / "answerable.toml").write_text("")
    checked = 0
    for row in rows(DOCS / "reference" / "recipe.md"):
        key, bounds = row[0].strip("`"), re.fullmatch(r"([\d,]+) to ([\d,]+)", row[2])
        if not key.startswith("ask.") or not bounds:
            continue
        low, high = (int(bound.replace(",", "")) for bound in bounds.groups())
        for inside in (low, high):
            load(tmp_path, [f"{key}={inside}"])
        for outside in (low - 1, high + 1):
            with pytest.raises(ConfigError):
                load(tmp_path, [f"{key}={outside}"])
        checked += 1
    assert checked >= 12
    for part, name, key in (
        (CutRule, "unit", "ingest.cut[].unit"),
        (CutRule, "lead", "ingest.cut[].lead"),
        (type(Recipe().ask.search), "mode", "ask.search.mode"),
        (type(Recipe().ask.fusion), "by", "ask.fusion.by"),
        (type(Recipe().ask.context), "expand", "ask.context.expand"),
        (type(Recipe().ingest.embedder), "long", "ingest.embedder.long"),
        (type(Recipe().ingest.embedder), "pooling", "ingest.embedder.pooling"),
    ):
        choices = get_type_hints(part)[name].__args__
        written = next(
            row[2] for row in rows(DOCS / "reference" / "recipe.md") if row[0] == f"`{key}`"
        )
        assert tuple(written.split(", ")) == choices


def test_the_settings_and_cutters_written_are_those_there_are(tmp_path: Path) -> None:
    page = rows(DOCS / "reference" / "recipe.md")
    settings = {row[0].strip("`").partition(".")[2] for row in page if "`settings." in row[0]}
    (tmp_path / "answerable.toml").write_text("[settings]\nnonsense = 1\n")
    with pytest.raises(ConfigError) as fault:
        load(tmp_path)
    assert settings == set(fault.value.hint.removeprefix("allowed: ").split(", "))
    assert {row[0].strip("`") for row in page} >= set(names("cutter"))


def test_a_cutter_takes_no_limit_only_where_the_reference_says_so() -> None:
    page = {row[0].strip("`"): row for row in rows(DOCS / "reference" / "recipe.md")}
    for name in names("cutter"):
        if page[name][2] == "no":
            with pytest.raises(ConfigError):
                made(name)
        else:
            assert page[name][2] in ("yes", "always")
            made(name)


def made(name: str) -> Any:
    """A cutter without a limit; one that compares sentences is given what it never calls."""
    part = load_part("cutter", name)
    compares = any(field.name == "similarity" for field in fields(part))
    return part(size=0, **({"similarity": None} if compares else {}))


def test_the_recipe_reference_names_the_options_of_every_part() -> None:
    text = (DOCS / "reference" / "recipe.md").read_text()
    page = {row[0].strip("`"): row for row in rows(DOCS / "reference" / "recipe.md")}
    for name in names("cutter"):
        given = {"size", "overlap", "similarity"}
        own = {field.name for field in fields(load_part("cutter", name))} - given
        assert set(re.findall(r"option `(\w+)`", page[name][1])) == own, name
    for family, name, given in (
        ("analyzer", "standard", {"language"}),
        ("embedder", "minilm", {"threads"}),
    ):
        own = {field.name for field in fields(load_part(family, name))} - given
        written = page[f"ingest.{family}.options"][2].removeprefix("table: ")
        assert set(written.split(", ")) == own
        assert all(f"`{option}`" in text for option in own)


def test_the_error_reference_has_every_class_with_its_exit_code() -> None:
    written = {
        row[1].strip("`"): int(row[0])
        for row in rows(DOCS / "reference" / "errors.md")
        if row[1].startswith("`")
    }
    there = {
        name: kind.exit_code
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, AnswerableError)
    }
    assert written == there


def test_the_format_reference_has_a_golden_item_that_is_read_and_every_field() -> None:
    text = (DOCS / "reference" / "formats.md").read_text()
    example = re.search(r"```json\n(.+?)\n```", text, re.S)
    assert example
    assert golden.parse(json.loads(example[1])).evidence[0].quote == "twelve weeks in Norvania"
    with pytest.raises(AnswerableError) as fault:
        golden.parse({"nonsense": 1})
    for field in fault.value.hint.removeprefix("fields are ").split(", "):
        assert f"`{field}`" in text, field
    for extension, kind in BY_EXTENSION.items():
        assert kind == SOURCE or f"`.{extension}`" in text, extension


def test_the_format_reference_has_the_fields_of_a_trace() -> None:
    cited = Citation("d", "u", "t", "l", (), Span(0, 1), "a")
    answer = Answer("a", None, (Sentence(Span(0, 1), "a", (cited,)),), False)
    route = Route("answer", "because")
    plain = trace_json(
        Trace("i", "at", "r", "g", "", "q", route, (), (), answer, Verdict(passed=True))
    )
    text = (DOCS / "reference" / "formats.md").read_text().split("## Trace")[1]
    table = [line for line in text.splitlines() if line.startswith("| `")]
    named = {name for line in table for name in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert named == plain.keys()
    sentence = plain["answer"]["sentences"][0]
    for inner in (plain["route"], plain["answer"], plain["verdict"], sentence):
        assert all(f"`{key}`" in text for key in inner)
    assert all(f"`{key}`" in text for key in sentence["citations"][0])


def test_the_measures_written_are_measures() -> None:
    cells = [row[0] for row in rows(DOCS / "measures.md")]
    named = [name for cell in cells for name in re.findall(r"`([\w]+(?:@k)?)`", cell)]
    ranked = [name for name in named if name.endswith("@k") or name in ("MRR", "MAP", "rprec")]
    assert len(ranked) >= 12
    for name in ranked:
        measure(name.replace("@k", "@10"))


def test_decisions_are_numbered_and_complete() -> None:
    notes = sorted((DOCS / "decisions").glob("*.md"))
    assert [note.name[:4] for note in notes] == [f"{n:04}" for n in range(1, len(notes) + 1)]
    for note in notes:
        text = note.read_text()
        assert text.startswith(f"# {note.name[:4]} "), note.name
        for part in ("**Context.**", "**Decision.**", "**Consequence.**"):
            assert part in text, note.name
