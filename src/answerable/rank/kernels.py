"""The scan compiled: windows of chunks, bounds per window, only terms that can matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError
from answerable.rank.bm25_terms import Scan
from answerable.rank.sparse_segment import BLOCK, LEVELS

Array = NDArray[Any]

WINDOW = 1 << 12
"""Chunks scored together: their float64 scores are 32 KB, which the first or second cache holds."""

COUNTS, LENGTH = 6, 512
"""Counts and lengths below these have their tf part looked up in a table made per query."""

SLACK = 1.0 + 1e-9
"""Bounds are widened by this, so that rounding never prunes a chunk that ties."""

PROBE = 10
"""A binary search is taken to cost this many sequential postings (3 to 30 made no clear odds)."""


def best(scans: Sequence[tuple[int, Scan]], k: int) -> list[tuple[int, int, float]]:
    """The k best (segment, ordinal, score) over all scans, best first, ties by the first two."""
    scores = np.zeros(k)
    names = np.zeros(k, np.int64)
    held = 0
    nothing = _closed(np.empty(0, np.bool_))
    for number, part in scans:
        segment, rates = part.segment, part.rates
        held = _scan(
            segment.ordinals,
            segment.freqs,
            segment.lead_freqs,
            segment.lengths,
            segment.lead_lengths,
            segment.block_freqs,
            segment.block_lengths,
            nothing if part.passes is None else _closed(part.passes),
            part.starts,
            part.ends,
            part.weights,
            part.flat,
            part.slope,
            rates.lead_boost,
            number << 32,
            scores,
            names,
            held,
        )
        if held < 0:
            raise InputError(
                f"sparse segment {number} is damaged: a posting names no chunk",
                "build the index again",
            )
    order = np.lexsort((names[:held], -scores[:held]))
    numbers = (names[order] >> 32).tolist()
    ordinals = (names[order] & 0xFFFFFFFF).tolist()
    return list(zip(numbers, ordinals, scores[order].tolist(), strict=True))


def _closed(mask: Array) -> Array:
    # Compiled code is kept per array type, and a read-only array is a type of its own.
    mask = np.ascontiguousarray(mask).view()
    mask.flags.writeable = False
    return mask


@numba.njit(cache=True, nogil=True)
def _seek(ordinals, start, end, wanted):  # type: ignore[no-untyped-def]
    """First place in start:end whose ordinal is at least `wanted`, galloping from start."""
    step = 1
    low = start
    high = start
    while high < end and ordinals[high] < wanted:
        low = high + 1
        high += step
        step *= 2
    high = min(high, end)
    while low < high:
        middle = (low + high) >> 1
        if ordinals[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _bound(block_freqs, block_lengths, start, end, weight, flat, slope, up, down):  # type: ignore[no-untyped-def]
    """Highest part of a term's postings start:end, from the rows of bounds that they touch."""
    most = 0
    short0 = short1 = short2 = short3 = 2147483647
    for row in range(start // BLOCK, (end - 1) // BLOCK + 1):
        most = max(most, block_freqs[row])
        short0 = min(short0, block_lengths[row, 0])
        short1 = min(short1, block_lengths[row, 1])
        short2 = min(short2, block_lengths[row, 2])
        short3 = min(short3, block_lengths[row, 3])
    highest = 0.0
    for level in range(LEVELS):
        if level == 0:
            count, length = min(most, 1) * up, short0
        elif level == 1:
            count, length = min(most, 2) * up, short1
        elif level == 2:
            count, length = min(most, 3) * up, short2
        else:
            count, length = most * up, short3
        if count > 0.0:
            highest = max(highest, count / (count + flat + slope * (length * down)))
    return weight * highest


@numba.njit(cache=True, nogil=True)
def _offer(scores, names, held, score, name):  # type: ignore[no-untyped-def]
    """Put a chunk into the heap whose root is the worst: lowest score, then highest name."""
    size = len(scores)
    if held < size:
        i = held
        while i > 0:
            above = (i - 1) >> 1
            if scores[above] < score or (scores[above] == score and names[above] > name):
                break
            scores[i] = scores[above]
            names[i] = names[above]
            i = above
        scores[i] = score
        names[i] = name
        return held + 1
    if score < scores[0] or (score == scores[0] and name > names[0]):
        return held
    i = 0
    while True:
        below = 2 * i + 1
        if below >= size:
            break
        other = below + 1
        if other < size and (
            scores[other] < scores[below]
            or (scores[other] == scores[below] and names[other] > names[below])
        ):
            below = other
        if score < scores[below] or (score == scores[below] and name > names[below]):
            break
        scores[i] = scores[below]
        names[i] = names[below]
        i = below
    scores[i] = score
    names[i] = name
    return held


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _table(flat, slope):  # type: ignore[no-untyped-def]
    """f / (f + norm(length)) for whole counts and lengths, by the formula itself."""
    table = np.zeros(COUNTS * LENGTH)
    for count in range(1, COUNTS):
        for length in range(LENGTH):
            table[count * LENGTH + length] = count / (length * slope + flat + count)
    return table


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _part(index, p, chunk, rates, table):  # type: ignore[no-untyped-def]
    """f / (f + norm) of posting p."""
    freqs, leads, lengths, lead_lengths = index
    flat, slope, boost = rates
    if len(leads) == 0:
        whole, size = np.int64(freqs[p]), np.int64(lengths[chunk])
        if whole < COUNTS and size < LENGTH:
            return table[whole * LENGTH + size]
        count, length = np.float64(whole), np.float64(size)
    elif boost == 1.0:
        whole = np.int64(freqs[p]) + np.int64(leads[p])
        size = np.int64(lengths[chunk]) + np.int64(lead_lengths[chunk])
        if whole < COUNTS and size < LENGTH:
            return table[whole * LENGTH + size]
        count, length = np.float64(whole), np.float64(size)
    else:
        count = freqs[p] + boost * leads[p]
        length = lengths[chunk] + boost * lead_lengths[chunk]
        if count == 0.0:
            return 0.0
    return count / (length * slope + flat + count)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _scan(  # type: ignore[no-untyped-def]
    ordinals,
    freqs,
    leads,
    lengths,
    lead_lengths,
    block_freqs,
    block_lengths,
    passes,
    starts,
    ends,
    weights,
    flat,
    slope,
    boost,
    segment,
    scores,
    names,
    held,
):
    """Block-max MaxScore by windows (Turtle and Flood 1995; Ding and Suel 2011).

    In a window the terms, heaviest first, are split where the bounds of those behind cannot lift
    a chunk over the k-th best: chunks of the terms before are scored in a small board, those
    behind are added only to chunks that can still enter. Every chunk's parts are added in the
    order of the terms. Returns how many the heap holds, -1 for an ordinal out of range.
    """
    terms = len(weights)
    table = _table(flat, slope)
    index = (freqs, leads, lengths, lead_lengths)
    rates = (flat, slope, boost)
    chunks = len(lengths)
    k = len(scores)
    masked = len(passes) > 0
    if len(leads):
        up, down = max(1.0, boost), min(1.0, boost)
    else:
        up, down = 1.0, 1.0
    width = min(WINDOW, chunks)
    board = np.zeros(width)
    touched = np.empty(width * terms, np.int32)
    cursor = starts.copy()
    stop = starts.copy()
    rest = np.zeros(terms + 1)
    for first in range(0, chunks, width):
        last = min(first + width, chunks)
        for t in range(terms):
            cursor[t] = stop[t]
            stop[t] = _seek(ordinals, cursor[t], ends[t], last)
            if stop[t] - cursor[t] > width:
                return -1
        floor = scores[0] if held == k else 0.0
        split = terms
        if held == k:
            for t in range(terms - 1, -1, -1):
                upper = 0.0
                if stop[t] > cursor[t]:
                    upper = _bound(
                        block_freqs,
                        block_lengths,
                        cursor[t],
                        stop[t],
                        weights[t],
                        flat,
                        slope,
                        up,
                        down,
                    )
                rest[t] = rest[t + 1] + upper * SLACK
                if rest[t] < floor:
                    split = t
        n = 0
        for t in range(split):
            weight = weights[t]
            for p in range(cursor[t], stop[t]):
                chunk = ordinals[p]
                place = chunk - first
                if chunk < first or chunk >= last:
                    return -1
                before = board[place]
                touched[n] = place
                n += before == 0.0
                board[place] = before + weight * _part(index, p, chunk, rates, table)
        # Chunks that can still enter are moved to the front of `touched`, the rest wiped.
        able = 0
        hope = rest[split] if held == k else 0.0
        for i in range(n):
            place = touched[i]
            score = board[place]
            if score > 0.0 and score + hope >= floor and (not masked or passes[first + place]):
                touched[able] = place
                able += 1
            else:
                board[place] = 0.0
        for t in range(split, terms):
            if able == 0:
                break
            begin, end = cursor[t], stop[t]
            if begin == end:
                continue
            weight = weights[t]
            if able * PROBE < end - begin:
                for i in range(able):
                    place = touched[i]
                    chunk = np.int32(first + place)
                    low, high = begin, end
                    while low < high:
                        middle = (low + high) >> 1
                        if ordinals[middle] < chunk:
                            low = middle + 1
                        else:
                            high = middle
                    if low < end and ordinals[low] == chunk:
                        board[place] += weight * _part(index, low, chunk, rates, table)
            else:
                for p in range(begin, end):
                    chunk = ordinals[p]
                    place = chunk - first
                    if chunk < first or chunk >= last:
                        return -1
                    before = board[place]
                    if before > 0.0:
                        board[place] = before + weight * _part(index, p, chunk, rates, table)
            hope = rest[t + 1]
            kept = 0
            for i in range(able):
                place = touched[i]
                if board[place] + hope >= floor:
                    touched[kept] = place
                    kept += 1
                else:
                    board[place] = 0.0
            able = kept
        for i in range(able):
            place = touched[i]
            score = board[place]
            board[place] = 0.0
            if score > 0.0:
                held = _offer(scores, names, held, score, segment + first + place)
    for t in range(terms):
        if stop[t] < ends[t]:
            return -1
    return held
