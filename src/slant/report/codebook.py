"""The codebook: one page, to be read on a screen or on paper, made from a schema alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from slant.data.schemas import Bias, Schema
from slant.report.escaping import one_line
from slant.report.page import rendered
from slant.report.writing import write_files

SHORT_CODE = 6
"""Characters of a code that is written before the name of its bias."""


def write_codebook(schema: Schema, out: Path) -> Path:
    """Writes the annotators' codebook of a schema.

    Args:
        schema: what it is made from; what it leaves empty is left out.
        out: the file to write, e.g. codebook.html; its folder is made where it does not exist.

    Raises:
        WorkFailed: the disk did not take the file, or a folder has its name.
    """
    write_files({out: codebook(schema).encode()})
    return out


def codebook(schema: Schema) -> str:
    """The page of a codebook: rules, a form for the first pass, a checklist for the second, one
    section a bias, the confusion pairs, and the one-line definitions that a model sees.

    >>> from slant.data.schemas import load_schema
    >>> "B05 Stereotyping" in codebook(load_schema("bait"))
    True
    """
    from slant import __version__

    entries = {bias.code: _entry(bias, number) for number, bias in enumerate(schema.biases, 1)}
    pairs = [
        {"one": entries[bias.code], "other": entries[other], "how": one_line(how)}
        for bias in schema.biases
        for other, how in bias.confused_with.items()
    ]
    return rendered(
        "codebook.html.j2",
        title=one_line(schema.title),
        name=one_line(schema.name),
        edition=one_line(schema.version),
        source=one_line(schema.source),
        unit=one_line(schema.unit),
        rules=[one_line(rule) for rule in schema.rules],
        entries=list(entries.values()),
        pairs=pairs,
        boundaries=any(bias.boundary for bias in schema.biases),
        lines=any(bias.line for bias in schema.biases),
        version=__version__,
    )


def _entry(bias: Bias, number: int) -> Mapping[str, Any]:
    """A bias with every text on one line, its label, the anchor of its section, and its pairs."""
    entry: dict[str, Any] = {}
    for field in fields(bias):
        value = getattr(bias, field.name)
        entry[field.name] = one_line(value) if isinstance(value, str) else value
    entry["signals"] = [one_line(signal) for signal in bias.signals]
    # A code such as B05 stands before the name; one that is a name itself only where it is defined.
    short = len(bias.code) <= SHORT_CODE and bias.code != bias.name
    entry["label"] = f"{entry['code']} {entry['name']}" if short else entry["name"]
    entry["apart"] = not short and bias.code != bias.name
    entry["anchor"] = f"bias-{number}"
    return entry
