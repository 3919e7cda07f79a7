"""What the studies share: the machine in words, seeded samples, sections of a results file."""

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
DATA = Path(os.environ.get("ANSWERABLE_DATA", str(ROOT / "../shared/data")))

T = TypeVar("T")


def machine() -> str:
    """One line on what ran this; times are of a machine that others use too."""
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, shared with other work, "
        f"Python {platform.python_version()}, numpy {np.__version__}."
    )


def sampled(items: Sequence[T], most: int, seed: int = 0) -> tuple[T, ...]:
    """At most so many items, drawn without replacement and kept in their order."""
    if len(items) <= most:
        return tuple(items)
    drawn = np.random.default_rng(seed).choice(len(items), size=most, replace=False)
    return tuple(items[at] for at in sorted(drawn.tolist()))


def signed(delta: float, low: float, high: float) -> str:
    """A difference with its interval."""
    return f"{delta:+.4f} [{low:+.4f}, {high:+.4f}]"


def chance(p: float) -> str:
    """A p value; a resampled one is never 0."""
    return "p < 0.001" if p < 0.001 else f"p {p:.3f}"


def written(name: str) -> dict[str, list[str]]:
    """The sections of `benchmarks/results/NAME.md` by title; none without the file."""
    path = RESULTS / f"{name}.md"
    kept: dict[str, list[str]] = {}
    title = ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line.startswith("## "):
            title = line[3:]
            kept[title] = []
        elif title:
            kept[title].append(line)
    return kept


def write(name: str, head: Sequence[str], sections: Sequence[tuple[str, Sequence[str]]]) -> Path:
    """Write `benchmarks/results/NAME.md`: the head, then sections by title.

    Sections that the file has already and that are not given stay as they are, so that one of
    several sets can be measured again.
    """
    path = RESULTS / f"{name}.md"
    kept = written(name)
    kept.update((title, list(lines)) for title, lines in sections)
    out = list(head)
    for title, lines in kept.items():
        out += ["", f"## {title}", "", "\n".join(lines).strip("\n")]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(out).rstrip("\n") + "\n", encoding="utf-8")
    return path
