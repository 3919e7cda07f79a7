"""RFC 9309: its own examples, and what it says of groups, lengths and special characters."""

from __future__ import annotations

import pytest

from answerable.adapters.sources.robots import robots_of

# RFC 9309, section 5.1
SIMPLE = b"""User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""
# RFC 9309, section 5.2
LONGEST = b"""User-Agent: foobot
Allow: /example/page/
Disallow: /example/page/disallowed.gif
"""


@pytest.mark.parametrize(
    ("agent", "target", "allowed"),
    [
        ("other", "/a/b.gif", False),
        ("other", "/a/b.gif?x", True),
        ("other", "/example/x", False),
        ("other", "/publications/", True),
        ("other", "/", True),
        ("foobot", "/", False),
        ("foobot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("foobot", "/publications/", False),
        ("FooBot", "/example/page.html", True),
        ("barbot", "/example/page.html", False),
        ("barbot", "/example/allowed.gif", True),
        ("bazbot", "/example/page.html", False),
        ("quxbot", "/example/x.gif", True),
    ],
)
def test_the_simple_example_of_the_rfc(agent, target, allowed):
    assert robots_of(SIMPLE, agent).allows(target) is allowed


def test_the_longest_match_of_the_rfc():
    rules = robots_of(LONGEST, "foobot")
    assert rules.allows("/example/page/x") and not rules.allows("/example/page/disallowed.gif")


@pytest.mark.parametrize(
    ("rule", "target", "hit"),
    [
        # RFC 9309, 2.2.2: the table of octets
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", True),
        ("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar", False),
        ("/foo/bar/\u30c4", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/\u30c4", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        ("/foo/%e3%83%84", "/foo/%E3%83%84", True),
        # 2.2.3: special characters, and how to write them literally
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-x.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/path/foo-%24", "/path/foo-", False),
        ("/this/*/exactly", "/this/path/exactly", True),
        ("/this/path/exactly$", "/this/path/exactly", True),
        ("/this/path/exactly$", "/this/path/exactly/", False),
        # begins; case matters; `*` may stand for nothing and at the end adds nothing
        ("/fish", "/fishheads/yummy.html", True),
        ("/fish", "/Fish.asp", False),
        ("/fish*", "/fish", True),
        ("/fish/", "/fish", False),
        ("/*.php", "/folder/any.php.file.html", True),
        ("/*.php$", "/filename.php?parameters", False),
        ("/*.php$", "/a.php/b.php", True),
        ("/a*b*c$", "/aXbXbXc", True),
        ("/ab*b$", "/ab", False),
        ("*", "/anything", True),
    ],
)
def test_a_rule_matches_octets_from_the_beginning(rule, target, hit):
    rules = robots_of(f"User-agent: *\nDisallow: {rule}\n".encode(), "answerable")
    assert rules.allows(target) is not hit


def test_groups_of_one_name_are_one_and_the_star_counts_only_without_a_name():
    text = b"""\xef\xbb\xbfuser-agent: answerable # us
allow: /a/
sitemap: https://x.example/s.xml
User-agent: *
Disallow: /
USER-AGENT : Answerable/2.0
Disallow : /a
Crawl-delay: 7
"""
    rules = robots_of(text, "answerable")
    assert rules.rules == (("/a/", True), ("/a", False))
    assert rules.allows("/b") and rules.allows("/a/x") and not rules.allows("/a.html")
    assert rules.delay == 7 and rules.sitemaps == ("https://x.example/s.xml",)
    assert not robots_of(text, "answerable-news").allows("/b")


def test_equal_lengths_allow_and_robots_txt_itself_is_open():
    rules = robots_of(b"User-agent: *\nDisallow: /page\nAllow: /page\nDisallow: /rob", "x")
    assert rules.allows("/page") and rules.allows("/robots.txt")


@pytest.mark.parametrize(
    "text",
    [b"", b"Disallow: /", b"<html>404</html>", b"\x00\xff\n:\n", b"User-agent: *\nDisallow:"],
)
def test_what_says_nothing_allows_all(text):
    assert robots_of(text, "answerable").allows("/x")


def test_old_line_ends_and_hostile_patterns_cost_nothing():
    rules = robots_of(b"User-agent: *\rDisallow: /" + b"*a" * 2000 + b"$\r", "x")
    assert rules.allows("/" + "a" * 100_000 + "b")
