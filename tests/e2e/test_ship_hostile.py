"""A pull from a place whose owner means harm: nothing is run, written outside, or brought back."""

from __future__ import annotations

import json
import shutil
import zlib
from hashlib import sha256

import pytest

from answerable.adapters.remotes.folder import FolderRemote
from answerable.errors import ConfigError, InputError, StaleIndex, UsageError
from answerable.records.codec import canonical_json
from answerable.wire.base import open_base
from answerable.wire.shipping import pull

PLAIN = '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\n'
PAGES = {"hours.md": "# Hours\n\nThe canteen opens at 11:30.\n"}


@pytest.fixture
def kb(bench, tmp_path):
    made = bench(PAGES, PLAIN)
    made.add()
    assert made.cli("push", tmp_path / "share").code == 0
    return made


class Place:
    """A pushed place, changed with all its checksums made right again."""

    def __init__(self, folder):
        self.folder = folder
        self.pointer = json.loads((folder / "CURRENT.json").read_text())
        name = self.pointer["shipments"][0]
        self.shipment = json.loads((folder / "shipments" / f"{name}.json").read_text())

    def read(self, digest):
        return (self.folder / "files" / digest).read_bytes()

    def put(self, data, folder="files", end=""):
        digest = sha256(data).hexdigest()
        (self.folder / folder / (digest + end)).write_bytes(data)
        return digest

    def seal(self):
        name = self.put(canonical_json(self.shipment).encode(), "shipments", ".json")
        self.pointer["shipments"] = [name]
        (self.folder / "CURRENT.json").write_text(canonical_json(self.pointer))

    def manifest(self, change):
        before = self.shipment["manifest"]
        plain = json.loads(self.read(before))
        change(plain)
        after = self.shipment["manifest"] = self.put(canonical_json(plain).encode())
        index = self.shipment["index"]
        self.shipment["index"] = [after if one == before else one for one in index]
        self.seal()

    def recipe(self, change):
        text = self.read(self.shipment["recipe"]).decode()
        assert change(text) != text
        self.shipment["recipe"] = self.put(change(text).encode())
        self.seal()

    def pack(self, *packs):
        self.shipment["documents"] = [self.put(one) for one in packs]
        self.seal()


@pytest.fixture
def place(kb, tmp_path):
    return Place(tmp_path / "share")


@pytest.fixture
def copy(tmp_path):
    return tmp_path / "deep" / "er" / "copy"


def fetched(place, copy, **more):
    return pull(copy, FolderRemote(place.folder), **more)


@pytest.mark.parametrize(
    ("key", "line", "value"),
    [
        ("ingest.embedder.name", 'name = ""', 'name = "subprocess:Popen"'),
        ("ingest.analyzer.name", 'name = "standard"', 'name = "subprocess:Popen"'),
        ("ingest.cut.by", 'by = "headings"', 'by = "subprocess:Popen"'),
        ("ingest.situate.by", "[ingest.situate]", '[ingest.situate]\nby = "subprocess:Popen"'),
    ],
)
def test_a_shipped_recipe_runs_nothing_of_its_own(place, copy, key, line, value):
    place.recipe(lambda text: text.replace('by = ""\n', "").replace(line, value, 1))
    with pytest.raises(ConfigError, match=rf"not built in: {key} = 'subprocess:Popen'"):
        fetched(place, copy)
    assert [path.name for path in copy.rglob("*.toml")] == []
    copy.mkdir(exist_ok=True)
    (copy / "answerable.toml").write_text(PLAIN + '[[ingest.cut]]\nsize = 7\nunit = "words"\n')
    with pytest.raises(ConfigError, match="not built in"):
        place.manifest(lambda plain: plain["info"].update(ingest_hash="0" * 16))
        fetched(place, copy)
    assert not (copy / ".answerable" / "shipped.toml").exists()


def test_no_setting_of_a_shipped_recipe_is_written(place, copy):
    lines = '[settings]\nprincipals = ["hr"]\ndatabase_url = "sqlite:////tmp/x.db"\n'
    place.recipe(lambda text: lines + text)
    fetched(place, copy)
    settings = open_base(copy).settings
    assert settings.principals == () and settings.database_url.startswith(f"sqlite:///{copy}/")


@pytest.mark.parametrize(
    "options",
    [
        r'{ "a = 1 }\n[settings]\nprincipals = [\"hr\"]\n#" = 1 }',
        r'{ a = "1\" }\n[settings]\nprincipals = [\"hr\"]\n#" }',
    ],
)
def test_no_setting_is_written_as_an_option(place, copy, options):
    place.recipe(
        lambda t: t.replace("[ingest.embedder]", f"[ingest.embedder]\noptions = {options}")
    )
    with pytest.raises(StaleIndex):  # the index was not made by that recipe
        fetched(place, copy)
    base = open_base(copy)
    assert base.settings.principals == () and len(base.recipe.ingest.embedder.options) == 1


@pytest.mark.parametrize(
    "name", ["../../../out", "/tmp/out", "00001", "000001/../../../x", "abc", ""]
)
def test_a_generation_is_named_as_the_store_names_them(place, copy, name):
    place.manifest(lambda plain: plain["info"].update(name=name))
    before = set(copy.parents[2].rglob("*"))
    with pytest.raises(InputError, match="names the generation"):
        fetched(place, copy)
    new = set(copy.parents[2].rglob("*")) - before
    inside = copy / ".answerable" / "pull"
    assert all(inside in (one, *one.parents) or one in inside.parents for one in new)


def test_a_name_of_seven_digits_is_a_name(place, copy):
    place.manifest(lambda plain: plain["info"].update(name="1234567"))
    assert fetched(place, copy).generation == "1234567"
    assert open_base(copy).info().name == "1234567"


def test_an_older_shipment_is_not_taken_for_a_newer_one(kb, place, copy, tmp_path):
    shutil.copytree(place.folder, tmp_path / "before")
    (kb.folder / "docs" / "hours.md").write_text("# Hours\n\nThe canteen is closed.\n")
    kb.cli("sync")
    assert kb.cli("push", place.folder).code == 0
    new = Place(place.folder)
    new.manifest(lambda plain: plain["info"].update(at="2999-01-01T00:00:00+00:00"))
    fetched(new, copy)
    old = Place(tmp_path / "before")
    with pytest.raises(UsageError, match="older than the one served here, of 2999-01-01T00:00:00"):
        fetched(old, copy)
    assert open_base(copy).search("closed")[1]
    fetched(new, copy)  # the same again is no older one
    fetched(old, copy, force=True)
    assert not open_base(copy).search("closed")[1]
    new.manifest(lambda plain: plain["info"].update(at="soon"))
    with pytest.raises(InputError, match="has no time: 'soon'"):
        fetched(new, copy)


def test_a_pack_without_end_is_refused_before_it_fills_memory(place, copy):
    held = place.shipment["documents"]
    place.pack(*map(place.read, held), zlib.compress(b" " * 400_000_000, 1))
    with pytest.raises(InputError, match="unpacks to more than"):
        fetched(place, copy)
    assert open_base(copy).info() is None


def test_documents_are_what_their_checksums_say_and_stand_in_the_index(place, copy):
    [right] = [zlib.decompress(place.read(one)) for one in place.shipment["documents"]]
    plain = json.loads(right)

    def packed(**changes):
        return zlib.compress(canonical_json({**plain, **changes}).encode())

    text = plain["text"].replace("11:30", "23:59")
    for bad, said in (
        (packed(text=text), "does not hold what it says"),
        (packed(title="Other"), "does not hold what it says"),
        (packed(uri="docs/other.md"), "does not hold what it says"),
        (packed(id="0" * 16), "does not hold what it says"),
        (zlib.compress(b"[" * 100_000), "damaged"),
        (zlib.compress(right)[:-9], "damaged"),
        (b"", "damaged"),
    ):
        place.pack(bad)
        with pytest.raises(InputError, match=said):
            fetched(place, copy)
        assert open_base(copy).info() is None
    place.pack(zlib.compress(right))
    assert fetched(place, copy).swapped


def test_a_document_that_the_index_does_not_name_is_refused(bench, place, copy, tmp_path):
    other = bench({"x.md": "# X\n\nSomething else.\n"}, PLAIN)
    other.add()
    assert other.cli("push", tmp_path / "other").code == 0
    theirs = Place(tmp_path / "other")
    mine = [place.read(one) for one in place.shipment["documents"]]
    place.pack(*mine, *(theirs.read(one) for one in theirs.shipment["documents"]))
    with pytest.raises(InputError, match=r"'docs/x\.md' is not in the index"):
        fetched(place, copy)
