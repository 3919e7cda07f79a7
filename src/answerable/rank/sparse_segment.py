"""One inverted index as plain arrays: what a lexical search reads, from memory or from a file."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError

Array = NDArray[Any]

BLOCK: Final = 128
"""Postings that share one row of bounds; rows count over the whole segment, not per term."""

LEVELS: Final = 4
"""Bounds keep the shortest chunk for occurrence counts 1, 2, 3 and 'this many or more'."""

LENGTHS: Final = ("lengths", "lead_lengths")

_HINT = "the index file is damaged; build the index again"


@dataclass(frozen=True, slots=True, eq=False)
class SparseSegment:
    """Term -> (chunk ordinal, occurrences) with exact chunk lengths; every array is read-only.

    With V terms, P postings, N chunks and R = ceil(P / BLOCK):
    `terms` uint8 UTF-8 of the sorted terms, `term_offsets` int64 (V+1) bytes into it; `keys`
    uint64 (V) their first eight bytes as a number, which finds all terms of a query at once;
    `starts` int64 (V+1) positions into the postings; `ordinals` int32 (P), rising within a term;
    `freqs`, `lead_freqs` uint16 or uint32 (P) occurrences in body and lead (`lead_freqs` is empty
    when no chunk has a lead); `lengths`, `lead_lengths` uint16 or uint32 (N) terms in body and
    lead, always in memory because every posting looks its chunk's up;
    `block_freqs` int32 (R) most occurrences, body and lead together; `block_lengths` int32
    (R, LEVELS) shortest length, body and lead together, of the chunks at each count.
    """

    terms: Array
    term_offsets: Array
    keys: Array
    starts: Array
    ordinals: Array
    freqs: Array
    lead_freqs: Array
    lengths: Array
    lead_lengths: Array
    block_freqs: Array
    block_lengths: Array

    def __len__(self) -> int:
        """How many chunks it holds, deleted ones included."""
        return len(self.lengths)

    def arrays(self) -> dict[str, Array]:
        """All of it by name, ready to be written as one .npy file each."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def of(cls, arrays: Mapping[str, Array], *, deep: bool = True) -> SparseSegment:
        """The segment over `arrays`, which may be read-only memory maps.

        `deep` also reads every posting once to see that its ordinal is in range (seen: 22 to
        52 ms for 218 MB in the page cache); without it only sizes and offsets are checked, and a
        search that meets an ordinal out of range raises InputError. Raises
        InputError for arrays that do not fit together.
        """
        names = [field.name for field in fields(cls)]
        if missing := [name for name in names if name not in arrays]:
            raise InputError(f"sparse segment without {', '.join(missing)}", _HINT)
        segment = cls(**{name: _frozen(arrays[name], name in LENGTHS) for name in names})
        _check(segment)
        if deep and len(segment.ordinals):
            # Seen as unsigned, a negative ordinal is a large one: one pass finds both.
            largest = int(segment.ordinals.view(np.uint32).max())
            _need(largest < len(segment), f"ordinal {largest} of {len(segment)} chunks")
        return segment

    def find(self, terms: Sequence[bytes]) -> list[tuple[int, int]]:
        """Where the postings of each UTF-8 term begin and end; (0, 0) for an unknown term."""
        keys = prefixes(terms)
        lows = np.searchsorted(self.keys, keys, "left").tolist()
        highs = np.searchsorted(self.keys, keys, "right").tolist()
        blob, offsets = memoryview(self.terms.data), memoryview(self.term_offsets.data)
        starts = memoryview(self.starts.data)
        found = []
        for term, low, high in zip(terms, lows, highs, strict=True):
            place = (0, 0)
            while low < high:
                middle = (low + high) // 2
                seen = bytes(blob[offsets[middle] : offsets[middle + 1]])
                if seen == term:
                    place = (starts[middle], starts[middle + 1])
                    break
                if seen < term:
                    low = middle + 1
                else:
                    high = middle
            found.append(place)
        return found

    def vocabulary(self) -> list[bytes]:
        """All terms as UTF-8, sorted."""
        blob, offsets = self.terms.tobytes(), self.term_offsets.tolist()
        return [blob[a:b] for a, b in itertools.pairwise(offsets)]


def encode(term: str) -> bytes:
    """The UTF-8 of a term; lone surrogates are kept so that no text can break the index."""
    return term.encode("utf-8", "surrogatepass")


def prefixes(terms: Sequence[bytes]) -> Array:
    """The first eight bytes of each term as a number that sorts like the bytes; uint64."""
    padded = b"".join([term[:8].ljust(8, b"\0") for term in terms])
    return np.frombuffer(padded, ">u8").astype(np.uint64)


def _frozen(array: Array, copied: bool) -> Array:
    plain = np.array(array) if copied else np.ascontiguousarray(array)
    plain = plain.view(np.ndarray).view()
    plain.flags.writeable = False
    return plain


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise InputError(f"sparse segment is damaged: {what}", _HINT)


def _check(segment: SparseSegment) -> None:
    counts = (np.dtype(np.uint16), np.dtype(np.uint32))
    wanted = {
        "terms": (np.dtype(np.uint8),),
        "term_offsets": (np.dtype(np.int64),),
        "keys": (np.dtype(np.uint64),),
        "starts": (np.dtype(np.int64),),
        "ordinals": (np.dtype(np.int32),),
        "freqs": counts,
        "lead_freqs": (segment.freqs.dtype,),
        "lengths": counts,
        "lead_lengths": (segment.lengths.dtype,),
        "block_freqs": (np.dtype(np.int32),),
        "block_lengths": (np.dtype(np.int32),),
    }
    for name, dtypes in wanted.items():
        array = getattr(segment, name)
        _need(array.dtype in dtypes, f"{name} has type {array.dtype}")
        flat = 2 if name == "block_lengths" else 1
        _need(array.ndim == flat, f"{name} has {array.ndim} dimensions")
    postings, chunks = len(segment.ordinals), len(segment.lengths)
    blocks = -(-postings // BLOCK)
    _need(len(segment.term_offsets) == len(segment.starts), "terms and postings differ in number")
    _need(len(segment.keys) == len(segment.starts) - 1, f"{len(segment.keys)} keys")
    _offsets("term_offsets", segment.term_offsets, len(segment.terms))
    _offsets("starts", segment.starts, postings)
    _need(len(segment.freqs) == postings, f"{len(segment.freqs)} freqs of {postings} postings")
    leads = len(segment.lead_freqs)
    _need(leads in (0, postings), f"{leads} lead_freqs of {postings} postings")
    _need(len(segment.lead_lengths) == chunks, "lengths and lead_lengths differ in number")
    _need(segment.block_freqs.shape == (blocks,), f"block_freqs is not of {blocks} blocks")
    shape = segment.block_lengths.shape
    _need(shape == (blocks, LEVELS), f"block_lengths has shape {shape}, not ({blocks}, {LEVELS})")


def _offsets(name: str, array: Array, end: int) -> None:
    _need(len(array) >= 1 and int(array[0]) == 0, f"{name} does not begin at 0")
    _need(int(array[-1]) == end, f"{name} ends at {int(array[-1])}, not at {end}")
    _need(bool(np.all(array[1:] >= array[:-1])), f"{name} runs backwards")
