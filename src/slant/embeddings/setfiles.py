"""Files of word sets: published tables and lists, and own ones."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from slant.data.jsonvalues import HALF_A_PAIR, has_half_a_pair, json_value
from slant.embeddings.wordsets import (
    FactTest,
    SetTest,
    WordSet,
    WordSets,
    checked_fact,
    checked_set,
    checked_test,
)
from slant.errors import DataError, unknown_name

TSV_COLUMNS = ("study", "condition", "role", "word")
FACT_STUDIES = "WEFAT"
ATTRIBUTES = "Attributes"
"""How the conditions end that are attributes in a study of single words: the published table calls
them targets as well."""


def read_sets(path: Path) -> WordSets:
    """The word sets and tests of a file.

    Three forms: a table with the columns study, condition, role and word (tab-separated; a study
    named WEFAT... is of single words; of targets and of attributes, what stands first is X and A);
    JSON that maps names to lists; and JSON or TOML with "sets" (names to lists), "tests" (objects
    with name, x, y, a, b) and "facts" (name, w, a, b), where a role is a set's name or a list.

    Args:
        path: ends in .tsv, .json or .toml.

    Raises:
        DataError: no such file, damaged, a malformed row or entry (its line or key is named), an
            empty set, a word or a name that stands twice, a word in both X and Y or both A and B.
        UnknownName: a test of a set that the file does not have.
    """
    asked = f"Reading the word sets '{path}'"
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise DataError(asked, "there is no such file", "Check the path") from None
    except UnicodeDecodeError as why:
        found = f"it is not UTF-8 (byte {why.start})"
        raise DataError(asked, found, "Save it as UTF-8") from None
    except OSError as why:
        raise DataError(asked, f"it cannot be read ({why})", "Check the path") from None
    if path.suffix == ".tsv":
        return _from_table(text, path.name, asked)
    if path.suffix == ".toml":
        try:
            return _from_document(tomllib.loads(text), path.name, asked)
        except tomllib.TOMLDecodeError as why:
            raise DataError(asked, f"it is not TOML ({why})", "Correct it") from None
    if path.suffix == ".json":
        try:
            content = json_value(text, _Pairs)
        except json.JSONDecodeError as why:
            found = f"it is not JSON (line {why.lineno}: {why.msg})"
            raise DataError(asked, found, "Correct it") from None
        if has_half_a_pair(content):
            raise DataError(asked, f"it holds {HALF_A_PAIR}", "Write the characters whole")
        return _from_document(_single(content, asked), path.name, asked)
    found = f"a name in '{path.suffix}' is none that is read"
    raise DataError(asked, found, "Give a .tsv, .json or .toml file")


def _from_table(text: str, source: str, asked: str) -> WordSets:
    studies: dict[str, dict[str, dict[str, list[str]]]] = {}
    for number, (study, condition, role, word) in _rows(text, asked):
        roles = studies.setdefault(study, {"target": {}, "attribute": {}})
        other = roles["attribute" if role == "target" else "target"]
        words = roles[role].setdefault(condition, [])
        if condition in other or word in words:
            found = (
                f"line {number} has '{condition}' of {study} as target and as attribute"
                if condition in other
                else f"line {number} has '{word}' of {condition} of {study} a second time"
            )
            raise DataError(asked, found, "Correct that line")
        words.append(word)
    names = _set_names(studies)
    sets: dict[str, WordSet] = {}
    tests: dict[str, SetTest] = {}
    facts: dict[str, FactTest] = {}
    for study, roles in studies.items():
        single = study.startswith(FACT_STUDIES)
        targets, attributes = list(roles["target"]), list(roles["attribute"])
        if single and not attributes:
            attributes = [one for one in targets if one.endswith(ATTRIBUTES)]
            targets = [one for one in targets if one not in attributes]
        if (len(targets), len(attributes)) != (1 if single else 2, 2):
            found = f"it gives {study} {len(targets)} targets and {len(attributes)} attributes"
            do = "Give two of each, or one target in a study named WEFAT..."
            raise DataError(asked, found, do)
        both = roles["target"] | roles["attribute"]
        given = [WordSet(names[study, one], tuple(both[one])) for one in (*targets, *attributes)]
        sets |= {one.name: one for one in given}
        if single:
            facts[study] = checked_fact(FactTest(study, *given), asked)
        else:
            tests[study] = checked_test(SetTest(study, *given), asked)
    return WordSets(source, sets, tests, facts)


def _rows(text: str, asked: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and the four fields of each row."""
    lines = text.splitlines()
    header = lines[0].split("\t") if lines else []
    if sorted(header) != sorted(TSV_COLUMNS):
        found = f"line 1 has the columns {', '.join(header) or 'none'}"
        raise DataError(asked, found, f"Give {', '.join(TSV_COLUMNS)}, with tabs between")
    order = [header.index(name) for name in TSV_COLUMNS]
    empty = True
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != len(header) or not all(fields):
            filled = sum(map(bool, fields))
            found = f"line {number} has {filled} filled fields, not {len(header)}"
            raise DataError(asked, found, "Correct that line")
        row = [fields[place] for place in order]
        if row[2] not in ("target", "attribute"):
            found = f"line {number} has the role '{row[2]}'"
            raise DataError(asked, found, "Write target or attribute")
        empty = False
        yield number, row
    if empty:
        raise DataError(asked, "it has no rows", "Give a file with words")


def _set_names(studies: Mapping[str, Mapping[str, Mapping[str, list[str]]]]) -> dict[Any, str]:
    """(study, condition) -> the condition, with the first study that has these words where other
    studies have others."""
    contents: dict[str, dict[tuple[str, ...], str]] = {}
    every = [
        (study, condition, tuple(words))
        for study, roles in studies.items()
        for conditions in roles.values()
        for condition, words in conditions.items()
    ]
    for study, condition, words in every:
        contents.setdefault(condition, {}).setdefault(words, study)
    return {
        (study, condition): condition
        if len(contents[condition]) == 1
        else f"{condition} ({contents[condition][words]})"
        for study, condition, words in every
    }


class _Pairs(list[tuple[str, Any]]):
    """A JSON object before its keys are held against one another."""


def _single(content: Any, asked: str, where: str = "") -> Any:
    """JSON with dicts for objects, once no object has a key twice."""
    if isinstance(content, _Pairs):
        keys = [key for key, _ in content]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            found = f"the name '{twice}' stands twice{where}"
            raise DataError(asked, found, "Give each name once")
        return {key: _single(value, asked, f" in '{key}'") for key, value in content}
    if isinstance(content, list):
        return [_single(value, asked, where) for value in content]
    return content


def _from_document(content: Any, source: str, asked: str) -> WordSets:
    if not isinstance(content, dict) or not content:
        raise DataError(asked, "it holds no object with names", 'Give {"NAME": ["word", ...], ...}')
    own = isinstance(content.get("sets"), dict)
    extra = sorted(set(content) - {"sets", "tests", "facts"}) if own else []
    if extra:
        raise DataError(asked, f"it has the key '{extra[0]}'", "Known keys: sets, tests, facts")
    lists = content["sets"] if own else content
    for name, words in lists.items():
        if not isinstance(words, list):
            found = f"'{name}' is no list of words"
            raise DataError(asked, found, 'Give {"NAME": ["word", ...], ...}')
    sets = {name: checked_set(name, words, asked) for name, words in lists.items()}
    tests: dict[str, SetTest] = {}
    facts: dict[str, FactTest] = {}
    for name, roles in _entries(content, "tests", "xyab", sets, asked) if own else ():
        tests[name] = checked_test(SetTest(name, *roles), asked)
    for name, roles in _entries(content, "facts", "wab", sets, asked) if own else ():
        facts[name] = checked_fact(FactTest(name, *roles), asked)
    return WordSets(source, sets, tests, facts)


def _entries(
    content: Mapping[str, Any], key: str, roles: str, sets: dict[str, WordSet], asked: str
) -> Iterator[tuple[str, list[WordSet]]]:
    """Name and sets of each entry of "tests" or "facts"; an inline list becomes a set."""
    seen: set[str] = set()
    wanted = {"name", *roles}
    entries = content.get(key, [])
    for number, entry in enumerate(entries if isinstance(entries, list) else [entries], 1):
        where = f"entry {number} of '{key}'"
        if not isinstance(entry, dict) or set(entry) != wanted or not entry["name"]:
            given = f"the keys {', '.join(sorted(entry))}" if isinstance(entry, dict) else "no keys"
            do = f"Give name, {', '.join(roles)}"
            raise DataError(asked, f"{where} has {given}", do)
        name = str(entry["name"])
        if name in seen:
            raise DataError(asked, f"{where} has the name '{name}' again", "Give each name once")
        seen.add(name)
        found = []
        for role in roles:
            if isinstance(entry[role], list):
                own = f"{name}: {role}"
                sets[own] = checked_set(own, entry[role], asked)
                found.append(sets[own])
            elif isinstance(entry[role], str) and entry[role] in sets:
                found.append(sets[entry[role]])
            else:
                raise unknown_name("word set", str(entry[role]), sets)
        yield name, found
