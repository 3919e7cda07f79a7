"""Documents as read: spans, access, blocks, canonical text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

Meta = tuple[tuple[str, str], ...]

BLOCK_KINDS = (
    "heading",
    "paragraph",
    "list_item",
    "table",
    "code",
    "quote",
    "figure",
    "page_break",
)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of characters of `Document.text`."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        """Whether the two ranges share at least one character."""
        return self.start < other.end and other.start < self.end

    def holds(self, other: Span) -> bool:
        """Whether `other` lies wholly inside this range."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Access:
    """Who may read: the listed principals, or everyone. The default is nobody.

    Of each further list in `also` one must be held as well: a page under restricted pages is read
    by those whom every one of them lets in. `all_of` makes equal accesses equal.
    """

    readers: tuple[str, ...] = ()
    everyone: bool = False
    also: tuple[tuple[str, ...], ...] = ()

    @property
    def lists(self) -> tuple[tuple[str, ...], ...]:
        """Every list of which one principal must be held; none when everyone may read."""
        return self.also if self.everyone else (self.readers, *self.also)

    def allows(self, principals: Collection[str]) -> bool:
        """Whether a user with `principals` (its own name and its groups) may read."""
        return all(any(reader in principals for reader in one) for one in self.lists)

    def within(self, other: Access) -> bool:
        """Whether all who may read under this access surely may read under `other` too."""
        mine = [frozenset(one) for one in self.lists]
        return all(any(one <= set(theirs) for one in mine) for theirs in other.lists)


def all_of(lists: Iterable[Iterable[str] | None]) -> Access:
    """The access of those who hold one principal of every list; None is open to all.

    No list is everyone, an empty one nobody. What a stricter list implies is left out.
    """
    given = sorted({tuple(sorted(set(one))) for one in lists if one is not None})
    if not given:
        return EVERYONE
    if not given[0]:
        return NOBODY
    sets = [frozenset(one) for one in given]
    needed = [one for one in given if not any(other < set(one) for other in sets)]
    return Access(needed[0], also=tuple(needed[1:]))


EVERYONE = Access(everyone=True)
NOBODY = Access()


@dataclass(frozen=True, slots=True)
class RawDoc:
    """One document as its source hands it over, not yet read.

    `uri` is its name in the knowledge base; `link` is what a person opens; `revision` is opaque
    and only ever compared.
    """

    uri: str
    body: bytes
    media_type: str = ""
    revision: str = ""
    link: str = ""
    access: Access = NOBODY
    meta: Meta = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A structural unit of a document, in reading order.

    `span` covers the block's characters with its marks (`## `, fences, list marker); `inner` only
    its content (heading words, the code itself, the item's words). `level` is 1-6 for a heading,
    the depth from 1 for a list item, the page number that begins for a page break, else 0.
    `parent` is the index of the enclosing block (list item, quote) or -1. A table has `cells`
    (unescaped text, spans resolved), `rows` (the span of each row's line in the text, beside
    `cells`) and `header` (how many leading rows are header rows). Code has `lang` and `title`.
    """

    kind: str
    span: Span
    inner: Span
    level: int = 0
    parent: int = -1
    marker: str = ""
    lang: str = ""
    title: str = ""
    cells: tuple[tuple[str, ...], ...] = ()
    rows: tuple[Span, ...] = ()
    header: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the text: the span of its words, and where it leads ('' if broken)."""

    span: Span
    target: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document read once into canonical text (readable Markdown) with its blocks.

    `id` is a hash of the uri. `sha256` is of everything a reader sees and the index uses
    (title, text, blocks, type), so equal content has equal hashes whatever the line ends were.
    `type` is the format name (markdown, html, storage, plain, code, ...). `language` is ISO 639-1
    or ''. `notes` says what reading left out or could not follow. `includes` names the
    uris whose text stands in this one, or would if its readers were allowed to see it; a page that
    is not known as `page_named` has it.
    """

    id: str
    uri: str
    title: str
    text: str
    blocks: tuple[Block, ...]
    sha256: str
    type: str
    links: tuple[Link, ...] = ()
    revision: str = ""
    link: str = ""
    language: str = ""
    access: Access = NOBODY
    meta: Meta = ()
    notes: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What a parser may know of another page: where it is, who reads it, its body if at hand.

    An empty `body` may still be had from `Known.body`.
    """

    id: str
    uri: str
    access: Access = NOBODY
    body: bytes = b""


def _no_body(uri: str) -> bytes:
    return b""


@dataclass(frozen=True, slots=True)
class Known:
    """The surroundings of a page: pages by (space, title), display names by user id.

    `body` gives the bytes of a known page by its uri, b"" if they are not at hand. `passwords`
    are tried on files that are encrypted.
    """

    space: str = ""
    pages: Mapping[tuple[str, str], KnownPage] = field(default_factory=dict)
    users: Mapping[str, str] = field(default_factory=dict)
    body: Callable[[str], bytes] = _no_body
    passwords: tuple[str, ...] = field(default=(), repr=False)


NOTHING_KNOWN = Known()


def page_named(space: str, title: str) -> str:
    """What stands in `Document.includes` for a page of a space that is not there (yet)."""
    return f"page {title!r} of space {space!r}"
