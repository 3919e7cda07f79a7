"""A wiki of 5,000 pages kept in step: requests, seconds, what is embedded, and whether it is right.

Run: python benchmarks/studies/confluence_sync.py [changes] [faults] [kills] [--pages 5000]
     [--spaces 40] [--last-only] [--mode lexical|dense] [--kills 50] [--kill-pages 600]
     [--deployment cloud|datacenter]
The wiki is a test site over HTTP on this machine (`tests/confluence_site`), made from a seed.
After each change the index is held against one built anew from the same wiki: the rankings of 200
questions, each asked as one of 40 sets of principals, must be the same to the last bit.
Writes benchmarks/results/confluence-sync.md.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from printed import ROOT, machine, write

sys.path.insert(0, str(ROOT / "tests"))

from answerable.errors import AnswerableError
from answerable.flow.search import search
from answerable.records.index import Filter, IngestReport
from answerable.wire.base import KnowledgeBase, open_base
from answerable.wire.doctor import examine
from confluence_site import faults
from confluence_site.site import Site, site
from confluence_site.world import World

RECIPES = {
    "lexical": '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\n',
    "dense": '[ask.search]\nmode = "hybrid"\n',
}
GROUPS = [f"g{number:02}" for number in range(12)]
QUESTIONS, ASKERS = 200, 40
OPTIONS = ["allow_private=true", "page_size=200"]
SMALL = ["allow_private=true", "page_size=20"]
"""So that even a small wiki is listed in many requests."""


class Words:
    """Made-up words, the frequent ones often, so that terms are rare and common as in prose."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        parts = ["ka", "lo", "mi", "ter", "san", "dor", "vel", "nu", "pra", "shi", "gon", "bel"]
        made = {"".join(chance.choices(parts, k=chance.randint(2, 4))) for _ in range(6000)}
        self.words = sorted(made)
        chance.shuffle(self.words)
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(self.words))))

    def some(self, count: int) -> str:
        return " ".join(self._chance.choices(self.words, cum_weights=self._weights, k=count))

    def body(self) -> str:
        parts = []
        for _ in range(self._chance.randint(1, 4)):
            parts.append(f"<h2>{self.some(3)}</h2><p>{self.some(40)}</p>")
            kind = self._chance.random()
            if kind < 0.2:
                cells = "".join(f"<tr><td>{self.some(2)}</td><td>{self.some(2)}</td></tr>" * 3)
                parts.append(f"<table><tbody>{cells}</tbody></table>")
            elif kind < 0.35:
                parts.append(
                    '<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA['
                    f"{self.some(8)}]]></ac:plain-text-body></ac:structured-macro>"
                )
        return "".join(parts)


def included(title: str) -> str:
    return (
        '<ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ac:link>'
        f'<ri:page ri:content-title="{title}" /></ac:link></ac:parameter></ac:structured-macro>'
    )


@dataclass
class Wiki:
    """A world with what is needed to change it by chance."""

    world: World
    chance: random.Random
    words: Words

    def pages(self) -> list[str]:
        return [
            one.id
            for one in self.world.contents.values()
            if one.status == "current" and one.type == "page"
        ]

    def drawn(self, share: float) -> list[str]:
        pages = self.pages()
        return self.chance.sample(pages, max(1, round(share * len(pages))))

    def edit(self, share: float = 0.01) -> int:
        drawn = self.drawn(share)
        for id in drawn:
            self.world.edit(id, self.words.body())
        return len(drawn)

    def delete(self, share: float = 0.01) -> int:
        parents = {one.parent for one in self.world.contents.values() if one.status == "current"}
        drawn = [id for id in self.drawn(share * 3) if id not in parents]
        drawn = drawn[: max(1, round(share * len(self.pages())))]
        for id in drawn:
            self.world.trash(id)
        return len(drawn)

    def move(self, share: float = 0.01) -> int:
        moved = 0
        for id in self.drawn(share):
            space = self.world.contents[id].space
            below = [
                other
                for other in self.pages()
                if self.world.contents[other].space == space
                and id
                not in [above.id for above in self.world.ancestors(self.world.contents[other])]
                and other != id
            ]
            if below:
                self.world.move(id, parent=self.chance.choice(below))
                moved += 1
        return moved

    def restrict(self, share: float = 0.01) -> int:
        drawn = self.drawn(share)
        for id in drawn:
            self.world.restrict(id, groups=self.chance.sample(GROUPS, 2))
        return len(drawn)


def make_wiki(pages: int, spaces: int, seed: int = 4) -> Wiki:
    chance = random.Random(seed)
    world, words = World(), Words(chance)
    for number in range(spaces):
        world.space(f"S{number:02}", groups=(GROUPS[number % len(GROUPS)], "all"))
    of_space: dict[str, list[str]] = {key: [] for key in world.spaces}
    for number in range(pages):
        space = f"S{number % spaces:02}"
        body = words.body()
        if of_space[space] and chance.random() < 0.03:
            body += included(world.contents[chance.choice(of_space[space])].title)
        page = world.page(space, f"{words.some(2)} {number}", body)
        if of_space[space] and chance.random() < 0.9:
            page.parent = chance.choice(of_space[space][-40:])
        if chance.random() < 0.05:
            page.groups = tuple(chance.sample(GROUPS, 2))
        of_space[space].append(page.id)
    return Wiki(world, chance, words)


def new_base(folder: Path, mode: str) -> KnowledgeBase:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "answerable.toml").write_text(RECIPES[mode])
    return open_base(folder)


def target(made: Site) -> str:
    spaces = "&".join(f"space={key}" for key in made.world.spaces)
    return f"{made.target}?{spaces}"


@dataclass
class Check:
    """The index beside one built anew: how many rankings differ, what is lost, stale or extra."""

    rankings: int
    lost: int
    stale: int
    extra: int
    open_too_far: int

    @property
    def right(self) -> bool:
        return not any((self.rankings, self.lost, self.stale, self.extra, self.open_too_far))

    def __str__(self) -> str:
        if self.right:
            return "equal"
        return (
            f"{self.rankings} rankings differ, {self.lost} lost, {self.stale} stale, "
            f"{self.extra} too many, {self.open_too_far} with other readers"
        )


def rows(base: KnowledgeBase) -> dict[str, tuple[object, ...]]:
    with base.snapshot() as snapshot:
        return {
            row.uri: (row.revision, row.access, row.sha256, row.title, row.meta, row.link)
            for row in snapshot.documents().values()
        }


def asked(wiki: Wiki) -> list[tuple[str, tuple[str, ...]]]:
    """Questions of words that stand near each other somewhere, and who asks."""
    chance = random.Random(11)
    askers = [
        ("group:all", *(f"group:{one}" for one in chance.sample(GROUPS, chance.randint(1, 6))))
        if number % 4
        else tuple(f"group:{one}" for one in chance.sample(GROUPS, chance.randint(1, 3)))
        for number in range(ASKERS)
    ]
    return [(wiki.words.some(4), askers[number % ASKERS]) for number in range(QUESTIONS)]


def ranked(base: KnowledgeBase, questions: Sequence[tuple[str, tuple[str, ...]]]) -> list[object]:
    """Every ranking of every question, with scores as they are."""
    found = []
    with base.snapshot() as snapshot:
        finder = base.finder(snapshot)
        for question, principals in questions:
            one = search(question, base.recipe.ask, finder, Filter(principals=principals))
            rankings = (*sorted(one.rankings.items()), ("final", one.final))
            found.append([(name, [(h.chunk_id, h.score) for h in hits]) for name, hits in rankings])
    return found


def hold_against(base: KnowledgeBase, anew: KnowledgeBase, wiki: Wiki) -> Check:
    questions = asked(wiki)
    differ = sum(
        left != right
        for left, right in zip(ranked(base, questions), ranked(anew, questions), strict=True)
    )
    mine, fresh = rows(base), rows(anew)
    shared = mine.keys() & fresh.keys()
    return Check(
        rankings=differ,
        lost=len(fresh.keys() - mine.keys()),
        stale=sum(
            mine[uri][:1] + mine[uri][2:] != fresh[uri][:1] + fresh[uri][2:] for uri in shared
        ),
        extra=len(mine.keys() - fresh.keys()),
        open_too_far=sum(mine[uri][1] != fresh[uri][1] for uri in shared),
    )


@contextmanager
def running(pages: int, spaces: int, mode: str, cloud: bool) -> Iterator[tuple[Wiki, Site, Path]]:
    wiki = make_wiki(pages, spaces)
    with tempfile.TemporaryDirectory() as folder, site(wiki.world, cloud=cloud) as made:
        yield wiki, made, Path(folder)


def rebuilt(made: Site, folder: Path, mode: str, number: int) -> KnowledgeBase:
    anew = new_base(folder / f"anew{number}", mode)
    anew.add(target(made), OPTIONS, name="wiki")
    return anew


def row_of(
    what: str, count: str, made: Site, report: IngestReport, seconds: float, check: str
) -> str:
    window = report.deletion_window_seconds
    shown = "–" if window is None or not report.removed else f"{window:.1f}"
    return (
        f"| {what} | {count} | {len(made.served.log)} | {seconds:.1f} | {report.parsed} "
        f"| {report.embedded} | {report.removed} | {shown} | {check} |"
    )


HEAD = [
    "| Step | Pages changed | Requests | Seconds | Pages read | Chunks embedded | Removed "
    "| Deletion window, s | Against a full rebuild |",
    "|---|---|---|---|---|---|---|---|---|",
]


def changes(pages: int, spaces: int, mode: str, cloud: bool, each: bool) -> list[str]:
    lines = list(HEAD)
    with running(pages, spaces, mode, cloud) as (wiki, made, folder):
        base = new_base(folder / "kb", mode)
        began = time.monotonic()
        report = base.add(target(made), OPTIONS, name="wiki")
        spent = time.monotonic() - began
        lines.append(row_of("full sync", f"{pages:,}", made, report, spent, "–"))
        print(lines[-1], flush=True)

        def everything() -> int:
            return sum(act() for act in (wiki.edit, wiki.delete, wiki.move, wiki.restrict))

        steps: Sequence[tuple[str, Callable[[], int]]] = (
            ("nothing changed", lambda: 0),
            ("1 % edited", wiki.edit),
            ("1 % deleted", wiki.delete),
            ("1 % moved", wiki.move),
            ("1 % newly restricted", wiki.restrict),
            ("all four at once", everything),
        )
        for number, (what, act) in enumerate(steps):
            count = act()
            made.served.log.clear()
            began = time.monotonic()
            report = base.sync()
            spent = time.monotonic() - began
            line = row_of(what, str(count), made, report, spent, "{}")
            held = each or number == len(steps) - 1
            check = hold_against(base, rebuilt(made, folder, mode, number), wiki) if held else "–"
            lines.append(line.format(check))
            print(lines[-1], flush=True)
    return lines


STORM = [None, "0", "1", "Wed, 04 Nov 2020 09:00:00 GMT", "", "soon", "-5", "1.5"]


def storm(made: Site) -> None:
    count = iter(range(10**9))
    made.faults.add(
        ".",
        lambda response: (
            faults.throttled(STORM[n % len(STORM)], (429, 503)[n % 2])(response)
            if (n := next(count)) % 3
            else response
        ),
        times=-1,
    )


def each(made: Site, fault: faults.Change, every: int) -> None:
    count = iter(range(10**9))
    made.faults.add(
        ".", lambda response: response if next(count) % every else fault(response), times=-1
    )


def hide_readers(made: Site) -> None:
    made.most_readers = 1
    made.faults.add("byOperation", faults.status(403), times=-1)


FAULTS: Sequence[tuple[str, Callable[[Site], object]]] = (
    ("429 and 503, every form of Retry-After, two requests of three", storm),
    ("500 on every third request", lambda made: each(made, faults.status(500), 3)),
    ("JSON cut in half, every third", lambda made: each(made, faults.cut_json, 3)),
    ("connection dropped, every third", lambda made: each(made, faults.dropped, 3)),
    ("body cut off, every third", lambda made: each(made, faults.cut_body, 3)),
    (
        "timeout (an answer after 35 s), once",
        lambda made: made.faults.add("content/search", faults.slow(35), after=2),
    ),
    (
        "the listing ends early",
        lambda made: made.faults.add("order\\+by", faults.early_end, times=1, after=1),
    ),
    (
        "500 on the second page of the listing for good",
        lambda made: made.faults.add("(cursor|start)=", faults.status(500), times=-1),
    ),
    (
        "next points at itself",
        lambda made: made.faults.add(
            "(cursor|start)=", faults.next_is(lambda page: "/rest/api/content/search?x"), times=-1
        ),
    ),
    (
        "empty page in the middle",
        lambda made: made.faults.add("order\\+by", faults.empty_page, times=1, after=1),
    ),
    (
        "every bulk fetch of bodies fails",
        lambda made: made.faults.add("body.storage.*limit", faults.status(500), times=-1),
    ),
    ("long lists of readers cannot be read to their end", hide_readers),
    (
        "the search index is lost",
        lambda made: made.world.unindexed.update(list(made.world.contents)),
    ),
)


def under_faults(pages: int, spaces: int, mode: str, cloud: bool) -> list[str]:
    lines = [
        "| Fault during a sync of 4 × 5 % changes | Faults met | Seconds | Whole | Read | Failed "
        "| Removed | Withdrawn | Wrongly removed | After it: against a rebuild |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    with running(pages, spaces, mode, cloud) as (wiki, made, folder):
        base = new_base(folder / "kb", mode)
        base.add(target(made), SMALL, name="wiki")
        for number, (what, begin) in enumerate(FAULTS):
            wiki.world.unindexed.clear()
            before = set(rows(base))
            wiki.edit(0.05), wiki.delete(0.05), wiki.move(0.05), wiki.restrict(0.05)
            alive = {f"wiki/{id}" for id in wiki.pages()}
            begin(made)
            began = time.monotonic()
            try:
                report = base.sync()
                held_back = {one.uri for one in report.skipped if "taken out" in one.reason}
                said = (
                    f"{'yes' if report.complete else 'no'} | {report.parsed} | {report.failed} "
                    f"| {report.removed - len(held_back)} | {len(held_back)}"
                )
            except AnswerableError as fault:
                held_back = set()
                said = f"no: {type(fault).__name__} | – | – | 0 | 0"
            spent = time.monotonic() - began
            wrong = len((before & alive) - set(rows(base)) - held_back)
            met = sum(
                max(0, one.seen - one.after) if one.times < 0 else min(one.times, one.seen)
                for one in made.faults.active
            )
            made.faults.active.clear()
            made.most_readers = 200
            wiki.world.unindexed.clear()
            base.sync()
            check = hold_against(base, rebuilt(made, folder, mode, number), wiki)
            lines.append(f"| {what} | {met or '–'} | {spent:.1f} | {said} | {wrong} | {check} |")
            print(lines[-1], flush=True)
    return [
        *lines,
        "",
        "Every third (or two of three) of the requests met are changed. Withdrawn: pages that show "
        "text of pages that changed and could not be read, taken out until the next sync.",
    ]


CHILD = "from answerable.wire.base import open_base; import sys; open_base(sys.argv[1]).sync()"


def killed(pages: int, spaces: int, mode: str, cloud: bool, kills: int) -> list[str]:
    chance = random.Random(50)
    broken: list[str] = []
    old = new = lost = wrong = finished = 0
    with running(pages, spaces, mode, cloud) as (wiki, made, folder):
        base = new_base(folder / "kb", mode)
        base.add(target(made), OPTIONS, name="wiki")

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen([sys.executable, "-c", CHILD, str(folder / "kb")])

        def change() -> None:
            wiki.edit(0.05), wiki.delete(0.005), wiki.move(), wiki.restrict()

        change()
        began = time.monotonic()
        start().wait()
        whole = time.monotonic() - began
        for _ in range(kills):
            before = rows(base)
            change()
            alive = {f"wiki/{id}" for id in wiki.pages()}
            child = start()
            try:
                child.wait(timeout=chance.uniform(0.3, 1.5) * whole)
                finished += 1
            except subprocess.TimeoutExpired:
                os.kill(child.pid, signal.SIGKILL)
                child.wait()
            base = open_base(folder / "kb")
            broken += [check.name for check in examine(base) if not check.ok]
            after = rows(base)
            lost += len((before.keys() & alive) - after.keys())
            wrong += sum(uri not in alive and uri not in before for uri in after)
            old += after == before
            new += after != before
        began = time.monotonic()
        base.sync()
        spent = time.monotonic() - began
        check = hold_against(base, rebuilt(made, folder, mode, 0), wiki)
    return [
        f"{kills} syncs of a wiki of {pages:,} pages with 5 % edited, 0.5 % deleted, 1 % moved, "
        f"1 % restricted, each killed (SIGKILL) at a random instant, drawn from 0.3 to 1.5 times "
        f"the {whole:.1f} s that one took alone; {finished} were done before.",
        "",
        f"- The served index was the old one after {old} and the new one after {new} of them.",
        f"- Checks of `doctor` that failed after a kill: {len(broken)} {sorted(set(broken)) or ''}",
        f"- Pages lost: {lost}. Pages that nobody has: {wrong}.",
        f"- The sync after them took {spent:.1f} s; against a full rebuild: {check}.",
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=["changes", "faults", "kills"])
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--spaces", type=int, default=40)
    parser.add_argument("--last-only", action="store_true", help="hold against a rebuild once")
    parser.add_argument("--mode", choices=sorted(RECIPES), default="lexical")
    parser.add_argument("--deployment", choices=("cloud", "datacenter"), default="cloud")
    parser.add_argument("--fault-pages", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--kill-pages", type=int, default=600)
    given = parser.parse_args()
    cloud = given.deployment == "cloud"
    of = f"{given.deployment}, {given.mode}"
    sections: list[tuple[str, list[str]]] = []
    if "changes" in given.parts:
        title = f"Changes, {given.pages:,} pages in {given.spaces} spaces, {of}"
        found = changes(given.pages, given.spaces, given.mode, cloud, not given.last_only)
        sections.append((title, found))
    if "faults" in given.parts:
        title = f"Faults, {given.fault_pages:,} pages, {of}"
        sections.append((title, under_faults(given.fault_pages, 12, given.mode, cloud)))
    if "kills" in given.parts:
        title = f"Killed, {given.kill_pages:,} pages, {of}"
        sections.append((title, killed(given.kill_pages, 12, given.mode, cloud, given.kills)))
    head = [
        "# A wiki kept in step",
        "",
        machine(),
        "",
        "Made by `benchmarks/studies/confluence_sync.py`. Site and index on the same machine; "
        "seconds are wall time with both. Equal means: the rankings of "
        f"{QUESTIONS} questions by {ASKERS} sets of principals, with scores, and every document's "
        "revision, text, readers, metadata and link are the same.",
    ]
    print(write("confluence-sync", head, sections))


if __name__ == "__main__":
    main()
