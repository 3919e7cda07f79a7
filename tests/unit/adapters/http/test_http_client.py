"""The HTTP client against a real local server with faults."""

from __future__ import annotations

import gzip
import json
import socket
import subprocess
import sys
import threading
import zlib

import pytest

from answerable.adapters.http.client import Client, open_client
from answerable.adapters.http.guard import Guard
from answerable.adapters.http.inflate import NotPacked, TooLarge, inflated
from answerable.adapters.http.policy import RetryPolicy
from answerable.errors import ServiceError
from remote_site import Answer, Site, Time


@pytest.fixture
def site():
    with Site() as made:
        yield made


def client_of(site, time=None, **options):
    time = time or Time()
    clock = {"now": time.now, "seconds": time.seconds, "sleep": time.sleep}
    return open_client(site.url, **clock, allow_private=True, **options)


GOOD = Answer(200, b'{"a": 1}', {"Content-Type": "application/json"})


@pytest.mark.parametrize(
    "bad",
    [
        Answer(429),
        Answer(503),
        Answer(502),
        Answer(504),
        Answer(500),
        Answer(fault="reset"),
        Answer(200, b'{"a": 1}', fault="cut"),
        Answer(200, b'{"a": '),
        # a stamp of the time would make each worker collect a test of its own name
        Answer(200, gzip.compress(b'{"a": 1}', mtime=0)[:-9], {"Content-Encoding": "gzip"}),
    ],
    ids=str,
)
def test_what_passes_is_tried_again(site, bad):
    site.script("/x", bad, GOOD)
    with client_of(site) as client:
        assert client.get_json("/x") == {"a": 1}
        assert client.requests == 2 and 0 < client.waited <= 1


def test_an_answer_that_does_not_come_is_tried_again(site):
    site.script("/x", Answer(fault="hang"), GOOD)
    with client_of(site, timeout=0.2) as client:
        assert client.get_json("/x") == {"a": 1}


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 410, 501])
def test_what_stays_is_not_tried_again(site, status):
    site.script("/x", Answer(status, b"{}"))
    site.script("/x?secret=1", Answer(status, b"{}"))
    said = f"^GET 127.0.0.1:{site.port}/x: answered {status}( \\(it wants credentials.*)?$"
    with client_of(site) as client:
        for place in ("/x", "/x?secret=1"):
            with pytest.raises(ServiceError, match=said) as fault:
                client.get_json(place)
            assert not fault.value.retryable
        assert client.requests == 2


def test_a_failure_of_the_server_itself_is_tried_twice(site):
    site.script("/x", Answer(500))
    with client_of(site) as client, pytest.raises(ServiceError, match="answered 500 after 2 tries"):
        client.get("/x")


def test_statuses_that_are_answers(site):
    site.script("/x", Answer(304, b"", {"ETag": '"1"'}))
    site.script("/y", Answer(404, b"no"))
    with client_of(site) as client:
        assert client.get("/x", also=(304,)).status == 304
        reply = client.get("/y", also=(404,))
        assert (reply.status, reply.body, reply.url) == (404, b"no", f"{site.url}/y")


def test_places_parameters_and_headers(site):
    site.put("/wiki/rest?a=1&cursor=x%2By%3D&b=2+3&c=%C3%BC", "ok")
    time = Time()
    clock = {"now": time.now, "seconds": time.seconds, "sleep": time.sleep}
    with open_client(f"{site.url}/wiki/", **clock, allow_private=True) as client:
        params = {"b": "2 3", "c": "\u00fc"}
        for place in ("rest?a=1&cursor=x%2By%3D", "/rest?a=1&cursor=x%2By%3D"):
            assert client.get_bytes(place, params) == b"ok"
        whole = f"{client.origin}/wiki/rest?a=1&cursor=x%2By%3D#part"
        assert client.get(whole, list(params.items()), headers={"X-A": "1"}).body == b"ok"
    assert (
        site.asked[-1].headers["X-A"] == "1" and site.asked[-1].headers["Accept-Encoding"] == "gzip"
    )
    assert site.asked[-1].headers["Host"] == f"127.0.0.1:{site.port}"


def test_waits_grow_with_jitter_up_to_the_longest_and_differ_between_clients(site):
    site.script("/x", Answer(503))
    waits = []
    for start in ("2026-11-04T09:59:30Z", "2026-11-04T09:59:31Z"):
        time = Time(start)
        policy = RetryPolicy(tries=9, first=1, factor=3, longest=60)
        with client_of(site, time, policy=policy) as client, pytest.raises(ServiceError):
            client.get("/x")
        steps = [1, 3, 9, 27, 60, 60, 60, 60]
        assert all(0 < wait <= step for wait, step in zip(time.slept, steps, strict=True))
        waits.append(time.slept)
    assert waits[0] != waits[1]
    assert RetryPolicy(jitter=0).wait(3, None, lambda: 0.5) == 4
    assert RetryPolicy().wait(3, None, lambda: 0.75) == 1
    assert RetryPolicy().wait(10_000, None, lambda: 0.0) == 300


def test_the_budget_ends_a_storm(site):
    time = Time()
    site.script("/x", Answer(429, b"", {"Retry-After": "100"}))
    policy = RetryPolicy(tries=1000, budget_seconds=450)
    spent = r"429, the budget of 450 s is used up after 5 tries"
    with client_of(site, time, policy=policy) as client, pytest.raises(ServiceError, match=spent):
        client.get("/x")
    assert time.slept == [100] * 4


def test_a_service_that_is_down_is_asked_once_until_it_is_back(site):
    site.script("/x", *[Answer(503)] * 10, GOOD)
    with client_of(site, policy=RetryPolicy(tries=3)) as client:
        for number in (3, 6, 9, 10):
            with pytest.raises(ServiceError):
                client.get("/x")
            assert client.requests == number
        assert client.get_json("/x") == {"a": 1}
        site.script("/x", Answer(503), GOOD)
        assert client.get_json("/x") == {"a": 1}  # tried again, as before


def test_requests_are_a_pause_apart(site):
    time = Time()
    site.put("/x", "")
    with client_of(site, time, pause=2) as client:
        client.get("/x")
        time.passed += 0.5
        client.get("/x")
        client.slow_down(3)
        client.slow_down(1)
        client.get("/x")
    assert time.slept == [1.5, 3]


def test_redirects_are_followed_a_few_times_and_only_on_the_way_up(site):
    for hop in range(5):
        site.put(f"/{hop}", "", 302, Location=f"{hop + 1}")
    site.put("/5", "there")
    site.put("/6", "", 301, Location="/0")
    site.put("/7", "", 307, Location="/7")
    with client_of(site) as client:
        assert client.get("/0").url == f"{site.url}/5"
        for place in ("/6", "/7"):
            with pytest.raises(ServiceError, match="redirected more than 5 times"):
                client.get(place)


@pytest.mark.parametrize(
    ("kind", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data)[2:-4]),
        ("X-GZIP", lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:])),
    ],
)
def test_packed_answers(site, kind, pack):
    data = json.dumps(list(range(50_000))).encode()
    site.script("/x", Answer(200, pack(data), {"Content-Encoding": kind}))
    with client_of(site) as client:
        assert client.get_bytes("/x") == data


def test_a_body_over_the_limit_is_not_read_packed_or_not(site):
    bomb = gzip.compress(b"\0" * 80_000_000)
    site.script("/bomb", Answer(200, bomb, {"Content-Encoding": "gzip"}))
    site.script("/twice", Answer(200, gzip.compress(bomb), {"Content-Encoding": "gzip, gzip"}))
    site.script("/big", Answer(200, b"x" * 1_000_001))
    with client_of(site, limit=1_000_000) as client:
        for place in ("/bomb", "/big"):
            with pytest.raises(ServiceError, match=r"larger than the limit of 1,000,000 bytes$"):
                client.get(place)
        with pytest.raises(ServiceError, match="which was not asked for"):
            client.get("/twice")
        assert client.requests == 3


def test_a_page_instead_of_json_says_what_to_look_at(site):
    site.script("/x", Answer(200, b"<html>Log in</html>", {"Content-Type": "text/html"}))
    with client_of(site) as client:
        with pytest.raises(ServiceError, match=r"answered 200 with a web page.*login"):
            client.get_json("/x")
        assert client.requests == 1
        assert client.get_json("/none", also=(404,)) is None
        said = f"^GET 127.0.0.1:{site.port}/x: answered 200 with a web page"
        for ask in (client.get_json, lambda place: client.get(place).json()):
            with pytest.raises(ServiceError, match=said):
                ask("/x")


def test_inflating_stops_at_the_limit_and_at_what_is_cut():
    data = bytes(range(256)) * 999
    whole = gzip.compress(data)
    assert inflated(whole + b"\0\0trailing", len(data)) == data
    with pytest.raises(TooLarge):
        inflated(whole, len(data) - 1)
    for cut in (1, 5, len(whole) // 2, len(whole) - 1):
        with pytest.raises(NotPacked):
            inflated(whole[:cut], 1 << 20)
    with pytest.raises(NotPacked):
        inflated(b"", 9)


def test_over_tls_the_name_is_sent_while_the_address_is_held():
    listener = socket.create_server(("127.0.0.1", 0))
    seen = []

    def serve():
        wire, _ = listener.accept()
        hello = wire.recv(4096)
        seen.append(hello)
        wire.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    port = listener.getsockname()[1]
    time = Time()
    guard = Guard(lambda host, port: ["127.0.0.1"], frozenset({("wiki.example", port)}))
    client = Client(
        f"https://wiki.example:{port}",
        guard,
        now=time.now,
        seconds=time.seconds,
        sleep=time.sleep,
        policy=RetryPolicy(tries=1),
    )
    with pytest.raises(ServiceError):
        client.get("/")
    thread.join(5)
    listener.close()
    assert b"wiki.example" in seen[0]  # server_name of the ClientHello (RFC 6066)


def test_without_the_library_a_web_source_names_the_extra_and_git_needs_none():
    code = """
import sys
for name in ("httpcore", "httpx", "idna", "certifi"):
    sys.modules[name] = None
from answerable.errors import ConfigError
from answerable.wire.table import load
print(load("target", "git")("git+https://github.com/o/r")["url"])
try:
    load("target", "web")
except ConfigError as fault:
    print(fault)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first == "https://github.com/o/r"
    assert "httpcore is not installed (pip install 'answerable[remote]')" in second
