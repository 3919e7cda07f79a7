"""Webhooks: who signed them, and which page they are about."""

from __future__ import annotations

import hmac
import json

import pytest

from answerable.adapters.sources.confluence.webhook import Notice, read_notice, signed_by
from answerable.errors import Forbidden, InputError
from confluence_site.site import notice

SECRET = "s3cret-ä"


def test_a_signed_notice():
    body, headers = notice("4711", SECRET)
    assert read_notice(SECRET, body, headers) == Notice("4711", "page_updated")
    assert read_notice(SECRET, body, {k.lower(): v for k, v in headers.items()}).page == "4711"


def test_the_signature_of_a_published_example():
    # RFC 4231, test case 2: key "Jefe", data "what do ya want for nothing?".
    digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert signed_by("Jefe", b"what do ya want for nothing?", f"sha256={digest}")
    assert signed_by("Jefe", b"what do ya want for nothing?", f" SHA256={digest.upper()} ")


@pytest.mark.parametrize(
    "signature",
    ["", "sha256=", "sha1=" + "0" * 40, "sha256=" + "0" * 64, "0" * 64, "sha256=é", "=x"],
)
def test_anything_else_is_refused(signature):
    body, _ = notice("1", SECRET)
    with pytest.raises(Forbidden):
        read_notice(SECRET, body, {"X-Hub-Signature": signature})


def test_a_changed_body_another_secret_or_none():
    body, headers = notice("1", SECRET)
    for secret, said in ((SECRET, body + b" "), ("other", body), ("", body)):
        with pytest.raises(Forbidden):
            read_notice(secret, said, headers)
    empty = hmac.new(b"", body, "sha256").hexdigest()
    assert not signed_by("", body, f"sha256={empty}")


@pytest.mark.parametrize(
    ("said", "page"),
    [
        ({"page": {"id": 12}}, "12"),
        ({"page": {"id": "12"}, "event": "page_trashed"}, "12"),
        ({"blog": {"id": 3}}, "3"),
        ({"content": {"id": "9"}}, "9"),
        ({"comment": {"id": 5, "parent": {"id": 8}}}, "8"),
        ({"comment": {"id": 5, "container": {"id": "8"}}}, "8"),
        ({"attachment": {"id": "att5", "container": {"id": "8"}}}, "8"),
        ({"attachedTo": {"page": {"id": 8}}}, "8"),
    ],
)
def test_the_page_in_every_shape(said, page):
    body = json.dumps(said).encode()
    signature = "sha256=" + hmac.new(SECRET.encode(), body, "sha256").hexdigest()
    assert read_notice(SECRET, body, {"X-Hub-Signature": signature}).page == page


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b'{"page": {"id": "../x"}}', b'{"page": 3}', b'{"user": {"id": 4}}', b"3"],
)
def test_what_names_no_page(body):
    signature = "sha256=" + hmac.new(SECRET.encode(), body, "sha256").hexdigest()
    with pytest.raises(InputError):
        read_notice(SECRET, body, {"X-Hub-Signature": signature})
