from __future__ import annotations

import numpy as np
import pytest

from answerable.adapters.shelf import Shelf
from answerable.adapters.vector_memory import ShelvedVectors
from answerable.errors import ServiceError


def test_values_outlive_the_process_that_kept_them(tmp_path):
    path = tmp_path / "new" / "cache.db"
    shelf = Shelf(path)
    shelf.put_many("one", {f"k{number}": bytes([number]) for number in range(200)})
    shelf.put_many("two", {"k1": b"other"})
    shelf.put_many("one", {"k1": b"changed"})
    shelf.close()
    again = Shelf(path)
    assert again.get_many("one", ["k1", "k2", "k999"]) == {"k1": b"changed", "k2": b"\x02"}
    assert again.get_many("two", ["k1", "k2"]) == {"k1": b"other"}
    assert len(again.get_many("one", [f"k{number}" for number in range(2000)])) == 200
    assert again.get_many("one", []) == {}


def test_vectors_come_back_bit_for_bit_in_their_own_space(tmp_path):
    memory = ShelvedVectors(Shelf(tmp_path / "cache.db"))
    rows = np.array([[0.1, -2.5, 3e-9], [1, 2, 3]], np.float32)
    memory.keep("model a", {"text": rows, "empty": np.zeros((0, 3), np.float32)})
    found = memory.recall("model a", ["text", "empty", "other"])
    assert sorted(found) == ["empty", "text"]
    assert found["text"].tobytes() == rows.tobytes() and found["text"].shape == (2, 3)
    assert len(found["empty"]) == 0
    assert memory.recall("model b", ["text"]) == {}


def test_a_file_that_is_no_cache_says_the_way_out(tmp_path):
    path = tmp_path / "cache.db"
    path.write_bytes(b"not a database at all, but long enough to be read as one" * 20)
    with pytest.raises(ServiceError, match=r"cache\.db cannot be used") as fault:
        Shelf(path)
    assert "delete the file" in fault.value.hint
