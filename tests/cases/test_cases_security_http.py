"""The broken-input cases A04, M04 and M05 by their kinds, against a real local server."""

from __future__ import annotations

import json
import logging
import re
import socket
import traceback
from base64 import b64encode
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote

import httpcore
import pytest

from answerable.adapters.http.client import Client, open_client
from answerable.adapters.http.credentials import basic
from answerable.adapters.http.guard import Guard
from answerable.adapters.http.policy import RetryPolicy
from answerable.adapters.http.redact import Redactor, scrubbed, shareable
from answerable.errors import ServiceError
from remote_site import Answer, Site, Time

CASES = Path(__file__).resolve().parents[1] / "fixtures" / "cases"
A04 = json.loads((CASES / "A04_retry_after.json").read_text())
M04 = json.loads((CASES / "M04_urls.json").read_text())
DATE_ROWS = [
    # RFC 9110 section 5.6.7: a recipient must read the two obsolete forms as well.
    {"retry_after": "Wednesday, 04-Nov-26 10:00:00 GMT", "expect_wait": 30},
    {"retry_after": "Wed Nov  4 10:00:00 2026", "expect_wait": 30},
    {"retry_after": " 7 ", "expect_wait": 7},
    {"retry_after": "+5", "expect_wait": "backoff"},
    {"retry_after": "1e3", "expect_wait": "backoff"},
    {"retry_after": "Wed, 99 Nov 2026 10:00:00 GMT", "expect_wait": "backoff"},
    {"retry_after": "0x10", "expect_wait": "backoff"},
    {"retry_after": "\u0663", "expect_wait": "backoff"},
    {"retry_after": "9" * 400, "expect_wait": "cap"},
    {"retry_after": "Tue, 04 Nov 2036 10:00:00 GMT", "expect_wait": "cap"},
]


def client_of(site, time, **options):
    return open_client(
        site.url,
        now=time.now,
        seconds=time.seconds,
        sleep=time.sleep,
        **{"allow_private": True, **options},
    )


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    "row", A04["rows"] + DATE_ROWS, ids=lambda row: str(row["retry_after"])[:40]
)
def test_a04_every_form_of_retry_after(row, status):
    time = Time(A04["now"])
    asked = row["retry_after"]
    headers = {} if asked is None else {"Retry-After": asked.encode().decode("latin-1")}
    with Site() as site, client_of(site, time) as client:
        site.script("/x", Answer(status, headers=headers), Answer(200, b"there"))
        if row["expect_wait"] == "cap":
            with pytest.raises(ServiceError) as fault:
                client.get("/x")
            assert asked[:40] in str(fault.value) and "300 s" in str(fault.value)
            assert time.slept == []
            return
        assert client.get_bytes("/x") == b"there"
    if row["expect_wait"] == "backoff":
        assert len(time.slept) == 1 and 0 < time.slept[0] <= 1.0  # RetryPolicy.first
    else:
        assert time.slept == [row["expect_wait"]]


def test_a04_after_the_last_try_the_one_is_reported_and_the_rest_goes_on():
    time = Time(A04["now"])
    with Site() as site, client_of(site, time, policy=RetryPolicy(tries=3)) as client:
        site.script("/bad", Answer(429, headers={"Retry-After": "5"}))
        site.put("/good", "fine")
        with pytest.raises(ServiceError, match=r"/bad: answered 429 after 3 tries") as fault:
            client.get("/bad")
        assert fault.value.retryable
        assert client.get_bytes("/good") == b"fine"
        assert time.slept == [5, 5] and client.requests == 4 and client.waited == 10


class Network(httpcore.NetworkBackend):
    """Connects to nobody: keeps where it was sent, and answers as a web server would."""

    def __init__(self, answers):
        self.answers = answers
        self.reached = []

    def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        self.reached.append(host)
        return _Wire(self.answers)


class _Wire(httpcore.MockStream):
    def __init__(self, answers):
        super().__init__([])
        self.answers = answers

    def start_tls(self, ssl_context, server_hostname=None, timeout=None):
        return self

    def write(self, buffer, timeout=None):
        for line in buffer.decode("latin-1").split("\r\n"):
            if line.lower().startswith("host: "):
                name = line[6:].partition(":")[0]
                there = self.answers.get(name, "")
                status = there.partition(" Location")[0] if there else "200"
                more = f"Location: {there.partition('Location: ')[2]}\r\n" if there else ""
                self._buffer.append(
                    f"HTTP/1.1 {status} X\r\n{more}Content-Length: 0\r\n\r\n".encode()
                )


def fetched(url, resolver=M04["resolver"], **guard):
    """Whether a client fetches a URL, and the addresses that it connected to."""
    count = {}

    def resolve(host, port):
        entry = resolver.get(host)
        if entry is None:
            raise socket.gaierror(host)
        if isinstance(entry, dict):
            count[host] = count.get(host, 0) + 1
            entry = entry.get("addresses") or entry["first" if count[host] == 1 else "second"]
        return entry

    network = Network(
        {
            host: entry["http"]
            for host, entry in resolver.items()
            if isinstance(entry, dict) and "http" in entry
        }
    )
    time = Time()
    client = Client(
        "http://public.example",
        Guard(resolve, **guard),
        now=time.now,
        seconds=time.seconds,
        sleep=time.sleep,
        network=network,
    )
    try:
        client.get(url)
    except ServiceError as fault:
        return str(fault), network.reached
    return "allow", network.reached


@pytest.mark.parametrize("row", M04["rows"], ids=lambda row: row["url"])
def test_m04_every_row_of_the_table(row):
    verdict, reached = fetched(row["url"])
    if row["expect"] == "allow":
        assert verdict == "allow" and set(reached) == {"172.32.0.1"}
    else:
        assert verdict != "allow"
        assert set(reached) <= {"172.32.0.1"}  # a redirect is seen by asking the first host


INSIDE = [
    "http://127.1/",
    "http://127.0.1/",
    "http://0177.0.0.1/",
    "http://0x7f000001/",
    "http://0X7F.0x0.0x0.0x1/",
    "http://0/",
    "http://0x/",
    "http://127.0.0.1./",
    "http://169.254.43518/",
    "http://\uff11\uff12\uff17.0.0.1/",
    "http://127\u30020\u30020\u30021/",
    "http://\u2460\u2461\u2466.0.0.1/",
    "http://%31%32%37.0.0.1/",
    "http://[::]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:10.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
    "http://[2606:4700::5efe:7f00:1]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://255.255.255.255/",
    "http://240.0.0.1/",
    "http://192.0.0.170/",
    "http://192.0.2.1/",
    "http://198.18.0.1/",
    "http://192.88.99.1/",
    "http://192.168.1.1/",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://a.localhost/",
    "http://public.example@127.0.0.1/",
    "http://127.0.0.1#@public.example/",
    "http://127.0.0.1\\@public.example/",
    "http://public.example\\@127.0.0.1/",
    "http://127.0.0.1?@public.example/",
    "http:\\\\127.0.0.1\\",
    "http:///127.0.0.1/",
    "http:127.0.0.1",
    "//127.0.0.1/",
    "http://public.example:0/",
    "http://public.example:99999/",
    "http://public.example:x/",
    "http://pub\tlic.example/",
    "http://public.example/\r\nX: y",
    "http://256.0.0.1/",
    "http://1.2.3.4.5/",
    "http://08.0.0.1/",
    "http://[::1/",
    "http://",
    "data:text/plain,x",
    "javascript:alert(1)",
    "dict://public.example:11211/",
    "jar:http://public.example!/",
    "HTTPS://[::1]:443/",
]


@pytest.mark.parametrize("url", INSIDE, ids=ascii)
def test_m04_every_notation_of_what_is_inside_is_denied(url):
    with pytest.raises(ServiceError):
        Guard(lambda host, port: ["172.32.0.1"]).check(url)
    # Without // the client takes it for a path of its own host.
    assert set(fetched(url)[1]) <= ({"172.32.0.1"} if not re.match(r"\w+://", url) else set())


OUTSIDE = {
    "http://172.32.1/": "172.32.0.1",
    "http://0xac.32.0.1/": "172.32.0.1",
    "http://2887778305/": "172.32.0.1",
    "http://[::ffff:172.32.0.1]/": "::ffff:172.32.0.1",
    "http://[64:ff9b::ac20:1]/": "64:ff9b::ac20:1",
    "http://[2606:4700::1111]/": "2606:4700::1111",
    "http://public.example./p": None,
    "http://PUBLIC.example:8080/p?q=a%20b&x=[1]": "172.32.0.1",
    "http://b\u00fccher.example/": "172.32.0.9",
}


@pytest.mark.parametrize("url", OUTSIDE, ids=ascii)
def test_m04_what_is_outside_is_reached_at_the_address_that_was_checked(url):
    resolver = {"public.example": ["172.32.0.1"], "xn--bcher-kva.example": ["172.32.0.9"]}
    resolver["public.example."] = ["172.32.0.1"]
    verdict, reached = fetched(url, resolver)
    assert verdict == "allow"
    assert list(map(ip_address, reached)) == [ip_address(OUTSIDE[url] or "172.32.0.1")]


REDIRECTS = [
    "http://127.0.0.1/",
    "//127.0.0.1/",
    "https://[::1]/",
    "file:///etc/passwd",
    "http://inner.example/",
    "http://user:pw@public.example/",
    "http://[::1",
    "gopher://public.example/",
]


@pytest.mark.parametrize("location", REDIRECTS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_m04_every_kind_of_redirect_is_checked(location, status):
    resolver = {
        "inner.example": ["10.1.2.3"],
        "hop.example": {"addresses": ["172.32.0.1"], "http": f"{status} Location: {location}"},
        "far.example": {"addresses": ["172.32.0.2"], "http": "302 Location: http://hop.example/"},
    }
    verdict, reached = fetched("http://far.example/", resolver)
    assert "redirected" in verdict and reached == ["172.32.0.2", "172.32.0.1"]


def test_m04_a_trusted_host_opens_only_itself_and_never_what_clouds_keep_secret():
    resolver = {
        "wiki.corp": {"addresses": ["10.0.0.5"], "http": "302 Location: http://10.0.0.6/"},
        "own.corp": ["10.0.0.5", "fd00::5"],
        "meta.corp": ["169.254.169.254"],
    }
    trusted = frozenset({("own.corp", 80), ("meta.corp", 80), ("wiki.corp", 80)})
    assert fetched("http://own.corp/", resolver, trusted=trusted) == ("allow", ["10.0.0.5"])
    assert fetched("http://own.corp:81/", resolver, trusted=trusted)[1] == []
    assert fetched("http://meta.corp/", resolver, trusted=trusted)[1] == []
    verdict, reached = fetched("http://wiki.corp/", resolver, trusted=trusted)
    assert "10.0.0.6" in verdict and reached == ["10.0.0.5"]


USER, TOKEN = "qa-user", "QA-TOKEN-9f27c1"
COOKIE, KEY = "QA-COOKIE-77", "QA-LLM-KEY-55aa"
PACKED = b64encode(f"{USER}:{TOKEN}".encode()).decode()
SECRET = [TOKEN, PACKED, KEY, COOKIE, quote(f"{USER}:{TOKEN}", ""), PACKED.rstrip("=")]


def everything(caplog, fault):
    """All that anyone may see of a failure: log, message, hint, chain, traceback, reprs."""
    seen, chain = [caplog.text, *map(str, caplog.records), repr(fault), str(fault)], fault
    for record in caplog.records:
        seen += [record.getMessage(), str(record.__dict__)]
    while chain is not None:
        seen += [repr(chain), str(chain.args), *traceback.format_exception(chain)]
        chain = chain.__cause__ or chain.__context__
    whole = traceback.TracebackException.from_exception(fault, capture_locals=True)
    return "\n".join([*seen, *whole.format()])


FAILURES = {
    "connect": None,
    "status": Answer(401, f"bad token {TOKEN} for {USER}".encode()),
    "echo": Answer(403, b"no", {"WWW-Authenticate": f"Basic {PACKED}", "X-Token": TOKEN}),
    "redirect": Answer(
        302, b"", {"Location": f"http://127.0.0.1:9/login?os_destination=x&token={TOKEN}"}
    ),
    "redirect to a path": Answer(302, b"", {"Location": f"http://127.0.0.1:9/{TOKEN}/{PACKED}"}),
    "redirect with user": Answer(302, b"", {"Location": f"http://{USER}:{TOKEN}@127.0.0.1:9/"}),
    "no json": Answer(
        200, f"token {TOKEN} {PACKED}".encode(), {"Set-Cookie": f"JSESSIONID={COOKIE}"}
    ),
    "a page": Answer(200, f"<html>{TOKEN}</html>".encode(), {"Content-Type": "text/html"}),
    "reset": Answer(fault="reset"),
    "cut": Answer(200, f'{{"token": "{TOKEN}"}}'.encode() * 9, fault="cut"),
    "packed": Answer(200, b"\x1f\x8b" + TOKEN.encode(), {"Content-Encoding": "gzip"}),
    "unknown packing": Answer(200, b"x", {"Content-Encoding": TOKEN}),
    "later": Answer(429, b"", {"Retry-After": f"999999999 {TOKEN}", "Set-Cookie": COOKIE}),
    "illegal header": Answer(200, b"{}", {f"{TOKEN} {PACKED}": KEY}),
    "bad header": Answer(200, b"{}", {"X": f"{TOKEN}\n {PACKED}"}),
    "500": Answer(500, TOKEN.encode(), {"Cookie": COOKIE}),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_m05_no_failure_shows_a_secret(kind, caplog):
    caplog.set_level(logging.DEBUG)
    time = Time()
    with Site() as site:
        url = site.url if FAILURES[kind] else "http://127.0.0.1:9"
        credentials = basic(USER, TOKEN, 'token = "CONFLUENCE_TOKEN"')
        client = open_client(
            url,
            now=time.now,
            seconds=time.seconds,
            sleep=time.sleep,
            allow_private=True,
            credentials=credentials,
            policy=RetryPolicy(tries=3),
        )
        place = f"/rest/api/content?os_authType=basic&token={TOKEN}&key={KEY}"
        if FAILURES[kind]:
            site.script(place, FAILURES[kind])
        fault = None
        try:
            client.get_json(place)
        except ServiceError as raised:
            fault = raised
        if kind == "bad header":
            fault = fault or ServiceError("read")
        assert fault is not None
        shown = everything(caplog, fault) + repr(client) + repr(credentials)
        client.close()
    for secret in SECRET:
        # This test's own frame holds the place that it asked for.
        assert secret.lower() not in shown.replace(place, "").replace(repr(place), "").lower(), (
            secret
        )
    if kind not in ("bad header",):
        assert "127.0.0.1" in str(fault) and "/rest/api/content" in str(fault)
    if kind == "status":
        assert "401" in str(fault) and "CONFLUENCE_TOKEN" in str(fault) and "401" in caplog.text


def test_m05_credentials_stay_on_their_own_host():
    time = Time()
    with Site() as first, Site() as other:
        first.put("/a", status=302, Location=f"{other.url}/b")
        other.put("/b", "there")
        guard = Guard(trusted=frozenset({("127.0.0.1", first.port), ("127.0.0.1", other.port)}))
        client = Client(
            first.url,
            guard,
            now=time.now,
            seconds=time.seconds,
            sleep=time.sleep,
            credentials=basic(USER, TOKEN, "token"),
        )
        assert client.get_bytes("/a") == b"there"
        assert client.get_bytes(f"{other.url}/b") == b"there"
        client.close()
    assert first.asked[0].headers["Authorization"] == f"Basic {PACKED}"
    assert all("Authorization" not in one.headers for one in other.asked)
    assert all("Cookie" not in one.headers for one in other.asked + first.asked)


@pytest.mark.parametrize("around", ["", "x", "xy", "user:"])
@pytest.mark.parametrize("behind", ["", ":", "zz"])
def test_m05_a_secret_is_found_in_every_form(around, behind):
    hide = Redactor(['p\u00e4ss/w+rd =?"1', TOKEN])
    for secret in ('p\u00e4ss/w+rd =?"1', TOKEN):
        text = around + secret + behind
        packed = b64encode(text.encode()).decode()
        forms = [
            text,
            quote(text, ""),
            quote(text, "").lower(),
            packed,
            packed.replace("+", "-").replace("/", "_"),
            json.dumps(text),
            json.dumps(text, ensure_ascii=False),
        ]
        for form in forms:
            hidden = hide(f"before {form} after")
            assert "***" in hidden and hidden.startswith("before ") and hidden.endswith(" after")
            # At most the two characters at an edge of base64 also depend on the secret.
            core = b64encode(secret.encode()).decode()[3:-6]
            assert secret not in hidden and core not in hidden


def test_m05_what_looks_secret_is_scrubbed_without_being_known():
    for text in (
        f"header Authorization: Basic {PACKED}",
        f"{{'Authorization': 'Bearer {TOKEN}'}}",
        f"[(b'Set-Cookie', b'JSESSIONID={COOKIE}; Path=/')]",
        f"GET https://wiki.example/x?os_authType=basic&token={TOKEN} failed",
        f"https://{USER}:{TOKEN}@wiki.example/x",
        f"git+https://{TOKEN}@git.example/x.git",
        f"api_key={KEY}",
        f"redirected to /login?os_destination=x&token={TOKEN}",
        f"curl -H 'X-Api-Key: {KEY}'",
    ):
        hidden = scrubbed(text)
        assert not any(secret in hidden for secret in SECRET), hidden
    kept = "docs/a.md:3: `title` is no text: 5; see https://wiki.example/x and status 401"
    assert scrubbed(kept) == kept


def test_m05_links_for_citations_carry_no_token_but_still_name_their_page():
    for link, stored in {
        f"https://w.example/p?pageId=7&token={TOKEN}": "https://w.example/p?pageId=7",
        f"https://{USER}:{TOKEN}@w.example/p": "https://w.example/p",
        f"https://w.example/p?X-Amz-Signature={KEY}&v=2#top": "https://w.example/p?v=2#top",
        f"https://w.example/p#access_token={TOKEN}": "https://w.example/p",
        f"https://w.example/p?a=eyJhbGciOiJIUzI1NiJ9.{KEY}": "https://w.example/p",
        f"https://w.example/p?accessToken={TOKEN}": "https://w.example/p",
        "https://w.example/p?spaceKey=OPS&title=A+b": "https://w.example/p?spaceKey=OPS&title=A+b",
        "https://w.example/w/api.php?t=a%20b#%C3%BC": "https://w.example/w/api.php?t=a%20b#%C3%BC",
    }.items():
        assert shareable(link) == stored
