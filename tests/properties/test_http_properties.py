"""Every way to write an address is one address, and every way to write a secret is hidden."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from ipaddress import IPv4Address, ip_address
from urllib.parse import quote, quote_plus

from hypothesis import given
from hypothesis import strategies as st

from answerable.adapters.http.addresses import why_inside, written
from answerable.adapters.http.redact import Redactor, scrubbed, shareable

numbers = st.integers(0, 2**32 - 1)
bases = st.lists(st.sampled_from(["{}", "0x{:x}", "0X{:X}", "0{:o}", "0x000{:x}"]), min_size=4)


@given(numbers, st.integers(1, 4), bases, st.sampled_from(["", "."]))
def test_every_notation_of_an_address_is_read_as_inet_aton_reads_it(number, parts, forms, dot):
    heads = [(number >> (24 - 8 * at)) & 255 for at in range(parts - 1)]
    values = [*heads, number & (256 ** (5 - parts) - 1)]
    host = ".".join(form.format(value) for form, value in zip(forms, values, strict=False)) + dot
    assert written(host.lower()) == IPv4Address(number)


@given(numbers)
def test_an_address_inside_another_is_judged_as_itself(number):
    inner = IPv4Address(number)
    low = f"{number >> 16:x}:{number & 0xFFFF:x}"
    for outer in (f"::ffff:{low}", f"64:ff9b::{low}", f"2002:{low}::1", f"2606:4700::5efe:{low}"):
        if why_inside(inner):
            assert why_inside(ip_address(outer)), outer


@given(numbers)
def test_what_python_does_not_call_global_is_never_outside(number):
    address = IPv4Address(number)
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert why_inside(address)


secrets = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=6)


@given(secrets, st.text(max_size=5), st.text(max_size=5))
def test_a_secret_is_hidden_in_every_form(secret, before, behind):
    hide = Redactor([secret])
    text = f"{before}{secret}{behind}"
    for form in (text, json.dumps(text), quote(text, ""), quote_plus(text)):
        assert "***" in hide(form)
    for encode in (b64encode, urlsafe_b64encode):
        assert "***" in hide(encode(text.encode()).decode())


@given(st.text(max_size=80))
def test_scrubbing_and_sharing_never_fail_and_settle(text):
    assert scrubbed(scrubbed(text)) == scrubbed(text)
    link = f"https://u:p@w.example/{quote(text)}?token=QA-TOKEN&a={quote(text)}"
    assert shareable(shareable(link)) == shareable(link)
    assert "QA-TOKEN" not in shareable(link) and "u:p" not in shareable(link)
