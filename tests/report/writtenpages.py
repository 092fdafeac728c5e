"""Pages that a command writes, parsed, and the tables beside them."""

import csv
from functools import cache
from html.parser import HTMLParser

import pytest

from slant.cli import main

VOID = {"meta", "link", "br", "wbr", "img", "input", "hr"}


class Balanced(HTMLParser):
    """Every element is closed in its turn; collects ids, addresses and images."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.images = [], [], [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if "href" in values else []
        self.images += [values] if tag == "img" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


@cache
def parsed(path):
    found = Balanced()
    found.feed(path.read_text("utf-8"))
    assert found.open == []
    return found


def rows_of(out, name):
    """The rows of the table of this name in the folder of a page."""
    with (out / "tables" / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def slant(capsys, *arguments):
    """Exit code, stdout, stderr of one command in this process."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return ended.value.code or 0, out, err
