"""robots.txt; the cases of RFC 9309, section 5, and its rules in section 2.2."""

import pytest

from slant.wikis.robots import robots_rules

# RFC 9309, 5.1.
SIMPLE = """
User-Agent: *
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


@pytest.mark.parametrize(
    ("program", "target", "allowed"),
    [
        ("slant", "/picture.gif", False),
        ("slant", "/picture.gif?size=1", True),
        ("slant", "/example/page.html", False),
        ("slant", "/publications/a", True),
        ("slant", "/", True),
        ("FooBot", "/other", False),
        ("foobot", "/example/page.html", True),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("bazbot", "/example/other.html", True),
        ("quxbot", "/example/page.html", True),
    ],
)
def test_the_example_of_the_rfc(program, target, allowed):
    assert robots_rules(SIMPLE, program).allows(target) is allowed


def test_the_longest_match_decides():
    # RFC 9309, 5.2.
    rules = robots_rules(
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif",
        "foobot",
    )
    assert not rules.allows("/example/page/disallowed.gif")
    assert rules.allows("/example/page/other.gif")
    assert robots_rules("User-agent: *\nDisallow: /a\nAllow: /a", "slant").allows("/a")


@pytest.mark.parametrize(
    ("rule", "target", "fits"),
    [
        ("/a*b", "/axxb/c", True),
        ("/a*b$", "/axxb/c", False),
        ("/a*b$", "/ab/b", True),
        ("/w/api.php?", "/w/api.php?action=query", True),
        ("/*action=", "/w/index.php?title=A&action=edit", True),
        ("/ä", "/%C3%A4", True),
        ("/%c3%a4", "/%C3%A4/x", True),
        ("/a%2fb", "/a%2Fb", True),
        ("/a%2fb", "/a/b", False),
        ("/a$", "/ab", False),
        ("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", "/" + "a" * 3000, False),
    ],
)
def test_patterns(rule, target, fits):
    rules = robots_rules(f"User-agent: *\nDisallow: {rule}", "slant")
    assert rules.allows(target) is not fits


def test_groups_of_one_program_are_joined_and_comments_are_none():
    rules = robots_rules(
        "user-agent: slant # us\nDisallow: /a # no\n\nUser-agent: *\nDisallow: /\n"
        "User-agent: SLANT\nCrawl-delay: 2.5\nDisallow: /b",
        "slant",
    )
    assert [rules.allows(one) for one in ("/a", "/b", "/c")] == [False, False, True]
    assert rules.delay == 2.5


def test_a_delay_that_is_no_number_is_none_and_a_long_one_is_cut():
    assert robots_rules("User-agent: *\nCrawl-delay: soon", "slant").delay == 0
    assert robots_rules("User-agent: *\nCrawl-delay: 99999", "slant").delay == 600
