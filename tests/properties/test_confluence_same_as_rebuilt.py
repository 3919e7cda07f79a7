"""After any run of changes in a wiki whose pages show each other, a sync equals a full rebuild."""

from __future__ import annotations

import random

import pytest

from answerable.records.index import Filter
from confluence_site.bench import beside, wiki
from confluence_site.world import World

GROUPS = ("staff", "hr", "ops")


def shows(title):
    return (
        '<ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ac:link>'
        f'<ri:page ri:content-title="{title}" /></ac:link></ac:parameter></ac:structured-macro>'
    )


def change(world, chance):
    pages = [one.id for one in world.contents.values() if one.status == "current"]
    id, other = chance.choice(pages), world.contents[chance.choice(pages)]
    match chance.randrange(8):
        case 0:
            world.edit(id, f"<p>words{chance.randrange(99)}</p>{shows(other.title)}")
        case 1:
            world.restrict(id, groups=chance.sample(GROUPS, chance.randint(0, 2)))
        case 2:
            world.trash(id)
        case 3:
            world.edit(id, title=f"Page {chance.randrange(30)} again")
        case 4:
            if id not in [above.id for above in world.ancestors(other)] and id != other.id:
                world.move(id, parent=other.id)
        case 5:
            world.move(id, space=chance.choice(("OPS", "LAB")))
        case 6:
            world.page("OPS", f"Page {chance.randrange(30)}", f"<p>new</p>{shows(other.title)}")
        case 7:
            for trashed in world.contents.values():
                trashed.status = "current"


def state(base):
    with base.snapshot() as snapshot:
        rows = {
            row.uri: (row.title, row.access, row.meta, row.link, row.sha256, row.revision)
            for row in snapshot.documents().values()
        }
    ranked = []
    for question in ("words1 words2 words7", "new page again"):
        for who in (("group:staff",), ("group:hr", "group:ops")):
            found, _, _ = base.search(question, Filter(principals=who))
            ranked.append([(hit.chunk_id, hit.score) for hit in found.final])
    return rows, ranked


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_sync_equals_a_rebuild(tmp_path, seed):
    chance = random.Random(seed)
    world = World()
    for key in ("OPS", "LAB"):
        world.space(key, groups=GROUPS)
    for number in range(30):
        body = f"<p>words{number} stand here</p>"
        if chance.random() < 0.6:
            body += shows(f"Page {chance.randrange(36)}")
        page = world.page(chance.choice(("OPS", "LAB")), f"Page {number}", body)
        page.groups = tuple(chance.sample(GROUPS, chance.choice((0, 0, 1, 2))))
    with wiki(tmp_path / "kb", world, cloud=seed % 2 == 0) as kb:
        kb.add("space=OPS&space=LAB")
        for round in range(4):
            for _ in range(4):
                change(world, chance)
            assert kb.sync().complete
            anew = beside(kb, tmp_path / f"anew{round}")
            anew.add("space=OPS&space=LAB")
            assert state(kb.base) == state(anew.base), (seed, round)
