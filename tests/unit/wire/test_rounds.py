"""Rounds at a pace, by a clock that only moves when it is told."""

from __future__ import annotations

import pytest

from answerable.errors import UsageError
from answerable.wire.rounds import rounds


class Scripted:
    """A clock whose seconds pass in sleep and in rounds; ends the loop after the last round."""

    def __init__(self, takes, codes=None, due_at=()):
        self.time = 0.0
        self.takes = list(takes)
        self.codes = codes or [0] * len(takes)
        self.due_at = due_at
        self.begun = []

    def seconds(self):
        return self.time

    def now(self):
        return f"{self.time:09.3f}"

    def sleep(self, seconds):
        assert 0 < seconds <= 1
        self.time += seconds

    def due(self, after):
        return sum(float(after) < at <= self.time for at in self.due_at)

    def once(self):
        if len(self.begun) == len(self.takes):
            raise KeyboardInterrupt
        self.begun.append(self.time)
        number = len(self.begun) - 1
        self.time += self.takes[number]
        return self.codes[number]

    def run(self, every):
        return rounds(self.once, every, self, self.sleep, self.due)


def test_from_begin_to_begin():
    made = Scripted([3, 3, 3])
    assert made.run(10) == 0
    assert made.begun == [0, 10, 20]


def test_a_long_round_is_followed_at_once_and_none_is_made_up_for():
    made = Scripted([25, 1, 1])
    made.run(10)
    assert made.begun == [0, 25, 35]


def test_the_exit_code_is_that_of_the_last_round():
    assert Scripted([1, 1, 1], [0, 5, 1]).run(2) == 1
    assert Scripted([1, 1], [5, 0]).run(2) == 0


def test_what_is_due_begins_a_round_at_once_and_only_one():
    # reported at 4.5, found within a second; that at 20.5 comes in a round and gets one of its own
    made = Scripted([1, 1, 16, 1], due_at=(4.5, 20.5))
    made.run(10)
    assert made.begun == [0, 5, 15, 31]


def test_a_fault_that_is_nobodys_ends_it():
    def once():
        raise UsageError("x")

    made = Scripted([1])
    with pytest.raises(UsageError):
        rounds(once, 1, made, made.sleep, made.due)


def test_interrupted_in_its_sleep():
    made = Scripted([1])

    def sleep(seconds):
        raise KeyboardInterrupt

    made.codes = [1]
    assert rounds(made.once, 10, made, sleep, made.due) == 1
