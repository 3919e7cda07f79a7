"""A wiki whose pages, readers and inclusions are given as plain values: a source for tests."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from answerable.errors import InputError
from answerable.ports import Entry, Listing
from answerable.records.docs import RawDoc, all_of

INCLUDE = (
    '<ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ac:link>'
    '<ri:page ri:content-title="{title}" /></ac:link></ac:parameter></ac:structured-macro>'
)


@dataclass
class Wiki:
    """Pages of a JSON file: id -> {title, version, body, parent, readers, includes}.

    `readers` is None (open) or the principals of the page's own restriction; `space` of the file
    are those of the whole space, None for all.
    """

    path: Path
    name: str
    fetched: list[str] = field(default_factory=list)

    def _pages(self):
        return json.loads(self.path.read_text())

    def list(self):
        wiki = self._pages()
        entries = []
        for id, page in wiki["pages"].items():
            lists, at = [wiki["space"]], id
            while at is not None:
                lists.append(wiki["pages"][at]["readers"])
                at = wiki["pages"][at]["parent"]
            meta = (("space", "W"), ("title", page["title"]))
            entries.append(
                Entry(f"{self.name}/{id}", str(page["version"]), f"https://wiki.example/{id}",
                      all_of(lists), meta)
            )  # fmt: skip
        return Listing(tuple(sorted(entries, key=lambda e: e.uri)))

    def fetch(self, entry):
        page = self._pages()["pages"].get(entry.uri.removeprefix(f"{self.name}/"))
        if page is None or page.get("broken"):
            raise InputError(f"{entry.uri}: cannot be read")
        self.fetched.append(entry.uri)
        shown = "".join(INCLUDE.format(title=title) for title in page["includes"])
        return RawDoc(
            entry.uri,
            f"<p>{page['body']}</p>{shown}".encode(),
            "application/x-confluence-storage",
            entry.revision,
        )


def make(name, options, around):
    return Wiki(Path(options["root"]), name)
