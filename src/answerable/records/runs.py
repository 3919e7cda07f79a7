"""One arm asked every question: what it found, how it scored, where the evidence stood."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Span
from answerable.records.evals import Score


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A retrieved chunk by what outlives its index: where it lies and what reading it costs.

    `words` count lead and text; `tokens` as the chunk's.
    """

    chunk_id: str
    document_id: str
    uri: str
    span: Span
    words: int
    tokens: int
    kind: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one question's evidence stood in a run.

    `rank` is the depth (from 1) at which all evidence of one way of answering stood whole in the
    pieces so far, None if never within the ranking. `state`, of the pieces within the model's
    depth: `whole`, `cut` (a piece holds part of it), `missed`, or `unmeasured`. `cuts` are the
    places (uri, character) where a piece's border runs through evidence, anywhere in the ranking.
    `uri`, `type`, `words` (length) and `headings` (depth of the heading path, 0 at the top) are of
    the first place of evidence; `absent` are words of the question (analysed) that the evidence
    lacks.
    """

    item_id: str
    rank: int | None
    state: str
    cuts: tuple[tuple[str, int], ...] = ()
    uri: str = ""
    type: str = ""
    words: int = 0
    headings: int = 0
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """One question answered or refused.

    `wrong`: whether an answer to it is wrong; True for every unanswerable question, None where
    that is not known (a refused one has no answer to judge). `confidence`: the higher, the sooner
    it is answered; None when the trace has no numbers.
    """

    item_id: str
    answerable: bool
    refused: bool
    wrong: bool | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Filed:
    """Under what the golden set files a question; '' and () where it does not."""

    item_id: str
    category: str = ""
    group: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that could not be asked or scored: kept beside the scores, never dropped."""

    item_id: str
    stage: str
    cause: str


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What a run folder says of itself: who asked whom, under which lock and versions.

    `sha256` is the lock's; `checker` the version of the measures that scored it; `questions` the
    number asked; `versions` (package, version) pairs; `seconds` of wall time.
    """

    experiment: str
    arm: str
    recipe_hash: str
    sha256: str
    lock_version: int
    golden_sha256: str
    depth: int
    seed: int
    checker: str
    code: str
    dirty: bool
    at: str
    questions: int
    pieces: int
    seconds: float
    complete: bool
    versions: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.depth < 1 or self.seed < 0 or self.questions < 0:
            raise ValueError(
                f"depth {self.depth}, seed {self.seed}, questions {self.questions}: "
                "a depth is at least 1, the others at least 0"
            )


@dataclass(frozen=True, slots=True)
class Run:
    """One arm's results, as read back from its folder; `questions` are texts by item id.

    `decisions` are of the questions that have a trace, `filed` of those that the golden set files
    anywhere; () in a folder of a version that kept none. `recipe` has every key, as
    `ask.context.passages`, with its value as canonical JSON.
    """

    info: RunInfo
    scores: tuple[Score, ...]
    standings: tuple[Standing, ...]
    failures: tuple[Failure, ...]
    questions: tuple[tuple[str, str], ...]
    decisions: tuple[Decision, ...] = ()
    filed: tuple[Filed, ...] = ()
    recipe: tuple[tuple[str, str], ...] = ()
