"""Archives and messages as folders of documents; archives are made with the standard library."""

import io
import stat
from email.message import EmailMessage
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from answerable.adapters.sources.folder import Folder
from answerable.errors import InputError


def zipped(path: Path, members: dict[str | ZipInfo, bytes | str]) -> None:
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)


def listed(folder: Path, **options: object) -> tuple[dict[str, str], dict[str, str]]:
    """Revisions by uri, and reasons of what was skipped."""
    listing = Folder(folder, "kb", **options).list()
    return (
        {entry.uri: entry.revision for entry in listing.entries},
        {skip.uri: skip.reason for skip in listing.skipped},
    )


def test_members_are_documents_under_the_path_of_the_archive(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", {"inner/x.md": "# X\n", "inner/": b"", "y.txt": "why"})
    (tmp_path / "b.md").write_text("# B\n")
    folder = Folder(tmp_path, "kb")
    entries = folder.list().entries
    assert [entry.uri for entry in entries] == ["kb/a.zip/inner/x.md", "kb/a.zip/y.txt", "kb/b.md"]
    raw = folder.fetch(entries[0])
    assert (raw.uri, raw.body, raw.media_type) == ("kb/a.zip/inner/x.md", b"# X\n", "text/markdown")
    assert raw.revision == entries[0].revision
    assert raw.link == (tmp_path / "a.zip").as_uri() + "#inner/x.md"
    assert raw.link == entries[0].link


def test_only_the_member_that_changed_gets_another_revision(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", {"x.md": "one", "y.md": "two"})
    before, _ = listed(tmp_path)
    zipped(tmp_path / "a.zip", {"x.md": "one", "y.md": "too"})
    after, _ = listed(tmp_path)
    assert before["kb/a.zip/x.md"] == after["kb/a.zip/x.md"]
    assert before["kb/a.zip/y.md"] != after["kb/a.zip/y.md"]


def test_what_is_passed_over_is_named_with_the_reason(tmp_path: Path) -> None:
    link = ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    zipped(
        tmp_path / "a.zip",
        {
            "good.md": "# Good\n",
            "../out.md": "x",
            "/etc/root.md": "x",
            "C:\\windows.md": "x",
            ".git/config.md": "x",
            "__MACOSX/x.md": "x",
            "inner.zip": b"PK",
            "photo.png": b"\x89PNG",
            "bomb.txt": b" " * 3_000_000,
            "large.md": bytes(range(256)) * 20,
            link: "../../secret.md",
        },
    )
    found, skipped = listed(tmp_path, limit=4096)
    assert list(found) == ["kb/a.zip/good.md"]
    assert skipped == {
        "kb/a.zip/out.md": "its path leads out of the archive",
        "kb/a.zip/etc/root.md": "its path leads out of the archive",
        "kb/a.zip/C:/windows.md": "its path leads out of the archive",
        "kb/a.zip/.git/config.md": "hidden",
        "kb/a.zip/__MACOSX/x.md": "hidden",
        "kb/a.zip/inner.zip": "an archive inside an archive",
        "kb/a.zip/photo.png": "no parser for .png",
        "kb/a.zip/bomb.txt": "larger than the limit: 3,000,000 bytes, limit 4,096",
        "kb/a.zip/large.md": "larger than the limit: 5,120 bytes, limit 4,096",
        "kb/a.zip/link.md": "a link",
    }


def test_a_bomb_within_the_limit_is_told_by_its_ratio(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", {"bomb.txt": b" " * 5_000_000, "good.md": "x"})
    found, skipped = listed(tmp_path)
    assert list(found) == ["kb/a.zip/good.md"]
    assert "times its size, at most 200" in skipped["kb/a.zip/bomb.txt"]


def test_encrypted_members_and_damaged_archives_cost_themselves(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", {"x.md": "locked", "y.md": "open"})
    body = bytearray((tmp_path / "a.zip").read_bytes())
    # The general purpose flag of the first member, in both of its headers (APPNOTE 4.4.4).
    body[6] |= 1
    body[body.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(body)
    (tmp_path / "b.zip").write_bytes(b"PK\x03\x04 cut")
    (tmp_path / "c.md").write_text("fine")
    found, skipped = listed(tmp_path)
    assert list(found) == ["kb/a.zip/y.md", "kb/c.md"]
    assert skipped["kb/a.zip/x.md"] == "encrypted: needs a password"
    assert skipped["kb/b.zip"].startswith("not a readable archive")


def test_a_damaged_member_is_an_error_of_that_document(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", {"x.md": "words " * 500, "y.md": "open"})
    body = bytearray((tmp_path / "a.zip").read_bytes())
    body[40:50] = b"\xff" * 10
    (tmp_path / "a.zip").write_bytes(body)
    folder = Folder(tmp_path, "kb")
    first, second = folder.list().entries
    with pytest.raises(InputError, match=r"x\.md"):
        folder.fetch(first)
    assert folder.fetch(second).body == b"open"


def test_names_in_utf_8_without_its_mark(tmp_path: Path) -> None:
    out = io.BytesIO()
    with ZipFile(out, "w") as file:
        file.writestr("Zahlen-uu.md", "x")
    body = out.getvalue().replace(b"Zahlen-uu", "Zahlen-ü".encode())
    (tmp_path / "a.zip").write_bytes(body)
    assert list(listed(tmp_path)[0]) == ["kb/a.zip/Zahlen-ü.md"]


def test_excluded_members_count_as_not_there(tmp_path: Path) -> None:
    zipped(tmp_path / "a.zip", {"drafts/x.md": "x", "y.md": "y"})
    found, skipped = listed(tmp_path, exclude=("a.zip/drafts/*",))
    assert (list(found), skipped) == (["kb/a.zip/y.md"], {})


def test_a_message_nested_without_end_costs_itself(tmp_path: Path) -> None:
    lines = ["Subject: deep"]
    for level in range(1200):
        lines += [f'Content-Type: multipart/mixed; boundary="b{level}"', "", f"--b{level}"]
    (tmp_path / "deep.eml").write_text("\n".join([*lines, 'X: y; filename="z"', "", "text", ""]))
    (tmp_path / "good.md").write_text("fine")
    found, _ = listed(tmp_path)
    assert list(found) == ["kb/deep.eml", "kb/good.md"]


def test_attachments_of_a_message(tmp_path: Path) -> None:
    message = EmailMessage()
    message["Subject"] = "Prices"
    message.set_content("see there")
    for _ in range(2):
        message.add_attachment("a,b\n1,2\n", subtype="csv", filename="p.csv")
    message.add_attachment(b"PK", maintype="application", subtype="zip", filename="z.zip")
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="i.png")
    (tmp_path / "m.eml").write_bytes(message.as_bytes())
    found, skipped = listed(tmp_path)
    assert list(found) == ["kb/m.eml", "kb/m.eml/2-p.csv", "kb/m.eml/p.csv"]
    assert skipped == {
        "kb/m.eml/z.zip": "an archive inside a message",
        "kb/m.eml/i.png": "no parser for .png",
    }
    folder = Folder(tmp_path, "kb")
    raws = [folder.fetch(entry) for entry in folder.list().entries]
    assert [raw.media_type for raw in raws] == ["message/rfc822", "text/csv", "text/csv"]
    assert raws[2].body.replace(b"\r\n", b"\n") == b"a,b\n1,2\n"
