"""A sync of a wiki killed at random instants, and one under a storm of faults."""

from __future__ import annotations

import random
import subprocess
import sys
import time

import pytest

from answerable.wire.base import open_base
from answerable.wire.doctor import examine
from confluence_site import faults
from confluence_site.bench import wiki
from confluence_site.world import World

CHILD = "from answerable.wire.base import open_base; import sys; open_base(sys.argv[1]).sync()"


def world_of(count):
    world = World()
    for number in range(1, count + 1):
        body = f"<p>page{number} version1 words</p>"
        world.page("OPS", f"Page {number}", body, id=str(number))
    return world


def edit_all(world, version):
    for id in world.contents:
        world.edit(id, f"<p>page{id} version{version} words</p>")


@pytest.mark.slow
def test_killed_at_random_instants(tmp_path):
    world = world_of(60)
    with wiki(tmp_path, world) as kb:
        kb.add()
        chance = random.Random(4)

        def start():
            return subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)])

        edit_all(world, 2)
        began = time.monotonic()
        start().wait()
        whole = time.monotonic() - began
        version = 2
        for round in range(3, 8):
            edit_all(world, round)
            child = start()
            try:
                child.wait(timeout=chance.uniform(0.3, 1.0) * whole)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            assert [check for check in examine(open_base(tmp_path)) if not check.ok] == []
            shown = {number for number in range(2, round + 1) if kb.found(f"version{number}") != []}
            assert shown in ({version}, {round}), "one version is served, whole"
            version = shown.pop()
        report = kb.sync()
        assert report.complete
        assert kb.found("version7") != []
        assert kb.base.info().documents == 60


@pytest.mark.slow
def test_a_storm_loses_nothing(tmp_path):
    world = world_of(120)
    with wiki(tmp_path, world) as kb:
        kb.add("space=OPS", "page_size=20")
        edit_all(world, 2)
        world.trash("7")
        count = iter(range(10**6))
        forms = [
            faults.throttled("0"),
            faults.throttled("Wed, 04 Nov 2020 09:00:00 GMT", 503),
            faults.cut_json,
            lambda response: response,
        ]
        kb.site.faults.add(".", lambda response: forms[next(count) % 4](response), times=-1)
        kb.sync()
        kb.site.faults.active.clear()
        kb.sync()
        assert kb.base.info().documents == 119
        assert kb.found("page7") == []
        assert kb.found("version1") == []
