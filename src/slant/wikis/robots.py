"""What a site's robots.txt allows, by the rules of RFC 9309."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

LONGEST_DELAY = 600.0


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one robots.txt that bind one program.

    Fields:
        rules: (pattern, allowed) pairs.
        delay: seconds that the site wants between two requests, 0 where it says none.
    """

    rules: tuple[tuple[str, bool], ...] = ()
    delay: float = 0.0

    def allows(self, target: str) -> bool:
        """Whether a path with its query may be asked for.

        The longest pattern that matches decides; between equals, the one that allows; no match
        allows.

        Args:
            target: as in the first line of a request, "/w/api.php?action=query".

        Source: RFC 9309, section 2.2.2.

        >>> rules = robots_rules("User-agent: *\\nDisallow: /w/\\nAllow: /w/api.php", "slant")
        >>> rules.allows("/w/api.php?action=query"), rules.allows("/w/index.php")
        (True, False)
        """
        given = _normal(target)
        fitting = [(len(rule), allowed) for rule, allowed in self.rules if _fits(rule, given)]
        return max(fitting, default=(0, True))[1]


def robots_rules(text: str, program: str) -> Robots:
    """The rules of a robots.txt for one program.

    All groups that name the program are joined; where none does, those of "*" bind.

    Args:
        text: the file.
        program: its name, without version.

    Source: RFC 9309, section 2.2.1.
    """
    named: list[tuple[str, str]] = []
    general: list[tuple[str, str]] = []
    found = False
    agents: list[str] = []
    within = False
    for line in text.splitlines():
        key, sign, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        if not sign:
            continue
        key = key.lower()
        if key in {"user-agent", "useragent"}:
            agents = [*([] if within else agents), value.lower()]
            within = False
            found = found or value.lower() == program.lower()
        elif key in {"allow", "disallow", "crawl-delay"}:
            within = True
            if program.lower() in agents:
                named.append((key, value))
            elif "*" in agents:
                general.append((key, value))
    binding = named if found else general
    rules = tuple((_normal(value), key == "allow") for key, value in binding
                  if key != "crawl-delay" and value)  # fmt: skip
    return Robots(rules, max([_seconds(value) for key, value in binding if key == "crawl-delay"],
                             default=0.0))  # fmt: skip


def _seconds(text: str) -> float:
    given = float(text) if re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text) else 0.0
    return min(given, LONGEST_DELAY)


def _normal(target: str) -> str:
    """Percent-encoded in one way, so that "/ä" and "/%c3%a4" are the same."""
    parts = re.split(r"(%2[fF]|%3[fF])", target)
    return "".join(
        part.upper() if part[:1] == "%" and len(part) == 3 else
        quote(unquote_to_bytes(part), safe="/?=&*$:;,@!~'()+|#[]")
        for part in parts
    )  # fmt: skip


def _fits(rule: str, target: str) -> bool:
    # Found part by part, since a regular expression of many stars can take for ever.
    first, *rest = rule.removesuffix("$").split("*")
    if not target.startswith(first):
        return False
    at = len(first)
    for part in rest:
        found = target.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    if not rule.endswith("$"):
        return True
    return target.endswith(rest[-1]) if rest else at == len(target)
