"""Every `slant ...` line in a code block of README.md and docs is parsed against the real command
line; what needs no more than the embedded data is run, page by page, in a folder of its own."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Any

import pytest
from documented import ROOT, Line, blocks, documented, pages, parsed
from readersfiles import MAKERS, OF_PAGES, work_by_hand

from slant.cli import main, starting
from slant.data.cards import ADDED
from slant.tasks import TASKS

PAGES = pages()
LINES = [line for page in PAGES for line in documented(page)]
# Systems that need no more than the core.
LIGHT = re.compile(
    r"majority|random|source-only|lexicon|tfidf-lr|fusion:(tfidf|none)(\+color)?|predictions:\S+"
)
OUTSIDE = ("mbib", "babe", "vilbias")
# Files of the reader's own that no embedded data can stand for: a name, and what it would be.
READERS = {
    "FOLDER": "published files",
    "FOLDER_OR_ZIP": "published files",
    "DATA": "published files",
    "SETS": "word sets of a paper",
    "knoche2019_sets.json": "word sets of a paper",
    "cbn_items.tsv": "word sets of a paper",
    "lists.json": "word sets of one's own",
    "lists.toml": "word sets of one's own",
    "vectors.txt": "word vectors",
    "emb/*": "word vectors",
    "emb/a": "word vectors",
    "emb/b": "word vectors",
    "emb/conservapedia": "word vectors",
    "emb/rationalwiki": "word vectors",
    "emb/wikipedia": "word vectors",
    "c.parquet": "the pages of a wiki",
    "conservapedia.parquet": "the pages of a wiki",
    "enwiki.xml.bz2": "the dump of a wiki",
    "enwiki-shortened.xml.bz2": "the dump of a wiki",
    "enwiki-latest-pages-articles.xml.bz2": "the dump of a wiki",
    "conservapedia.7z": "the dump of a wiki",
    "wikitext2_valid.txt": "running text",
    "letter.docx": "a document",
    "pairs.parquet": "pairs with addresses of images",
    "mine.csv": "predictions of one's own for published data",
    "prices.json": "prices of a provider",
    "a.jsonl": "a pass of annotators",
    "b.jsonl": "a pass of annotators",
    "corpus.parquet": "a corpus",
    "runs/babe": "a study of explanations",
    "runs/wikis": "a run of associations",
    "runs/vilbias": "a run of language models",
    "marks.csv": "a person's marks of a judge's verdicts",
    "ptc/train-labels-task-flc-tc": "the propaganda corpus",
    "ptc/train-articles": "the propaganda corpus",
}
# Light work that takes minutes; tests/cli runs it.
LONG = {"demo"}


@dataclass(frozen=True)
class Parsed:
    """A documented command with its parameters: `inputs` are the names of what it reads."""

    line: Line
    command: str
    given: dict[str, Any]
    inputs: tuple[str, ...]


def read(line: Line) -> Parsed:
    command, given, _ = parsed(line.words)
    inputs: list[str] = [line.stdin] if line.stdin else []
    for name, value in given.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if name in {"out", "history"} or one is None:
                continue
            if isinstance(one, Path) or name == "targets":
                inputs.append(str(one))
    data = given.get("data")
    if isinstance(data, str) and not data.startswith(("open/", "added/", *OUTSIDE)):
        inputs += [] if data == "bait/sample" else [data]
    schema = given.get("schema")
    if isinstance(schema, str) and Path(schema).suffix:
        inputs.append(schema)
    for system in str(given.get("system", "")).split(","):
        kind, _, path = system.partition(":")
        inputs += [path] if kind == "predictions" else []
    return Parsed(line, command, given, tuple(i.rstrip("/") for i in inputs if i != "-"))


def needs_the_network(one: Parsed) -> bool:
    return (
        one.command in {"wiki crawl", "data fetch"}
        or any(word.startswith(("https://", "http://")) for word in one.line.words)
        or "ray" in one.line.words
        or bool(one.given.get("fetch_images"))
    )


def never_ends(one: Parsed) -> bool:
    return one.command in {"serve", "bait local-model"}


def needs_a_model(one: Parsed) -> bool:
    """A language model that is asked, or an encoder that is trained or loaded."""
    if one.given.get("model") or one.given.get("judge"):
        return True
    if one.command in {"predict", "explain", "circuit"}:
        return True
    systems = [name for name in str(one.given.get("system") or "").split(",") if name]
    return any(not LIGHT.fullmatch(name) for name in systems)


def needs_published_data(one: Parsed) -> bool:
    if one.command not in {"run", "train", "data export", "data leaks"}:
        return False
    named = [*one.given.get("tasks", ()), *one.given.get("names", ())]
    named += [one.given.get(key) or "" for key in ("task", "name", "train_on")]
    return any(str(name).split("/")[0] in OUTSIDE for name in named)


def changes_the_shell(one: Parsed) -> bool:
    return one.line.words[:1] == ("--install-completion",)


REASONS = {
    "shell": changes_the_shell,
    "network": needs_the_network,
    "server": never_ends,
    "model": needs_a_model,
    "published data": needs_published_data,
    "minutes": lambda one: one.command in LONG,
    "record": lambda one: one.line.page.startswith("docs/results/"),
    # made from --help, whose examples name files that nobody has
    "reference": lambda one: one.line.page.startswith("docs/reference/"),
}


def reason(one: Parsed, left_out: list[Parsed], sandbox: Path) -> str | None:
    """Why a command is not run here; None if it is."""
    for name, applies in REASONS.items():
        if applies(one):
            return name
    made_elsewhere = [str(other.given["out"]) for other in left_out if other.given.get("out")]
    for path in one.inputs:
        if glob(path, root_dir=sandbox):
            continue
        maker = OF_PAGES.get((one.line.page, path), MAKERS.get(path))
        above = [out for out in made_elsewhere if Path(path).is_relative_to(out) or "*" in path]
        if above:
            return f"what an earlier line leaves in {above[0]}"
        if path in READERS:
            return f"the reader's own: {READERS[path]}"
        assert maker, f"{one.line}\nis in no class, since nothing here makes '{path}'"
        maker(sandbox / path)
    return None


def expanded(words: tuple[str, ...], sandbox: Path) -> list[str]:
    """The words with patterns replaced by the files there are, as a shell does."""
    found: list[str] = []
    for word in words:
        hits = sorted(glob(word, root_dir=sandbox)) if "*" in word else []
        found += hits or [word]
    return found


def run(line: Line, sandbox: Path, capsys: Any, monkeypatch: Any) -> tuple[int, str]:
    """Exit code and everything printed."""
    monkeypatch.chdir(sandbox)
    if line.stdin:
        content = (sandbox / line.stdin).read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))
    capsys.readouterr()
    try:
        main(expanded(line.words, sandbox))
        code = 0
    except SystemExit as ended:
        code = int(ended.code or 0)
    out, err = capsys.readouterr()
    return code, out + err


NUMBER = re.compile(r"-?\d+\.\d+")
CLOSE = 0.0051


def same(shown: str, printed: str) -> bool:
    """The same words, with numbers that differ by at most half a hundredth; `...` is anything."""
    parts = [re.escape(part) for part in NUMBER.sub("\0", " ".join(shown.split())).split("...")]
    pattern = "(?:.*)".join(parts).replace("\0", rf"({NUMBER.pattern})").replace("\\\0", "")
    found = re.fullmatch(pattern, " ".join(printed.split()))
    if not found:
        return False
    wanted = [float(number) for number in NUMBER.findall(" ".join(shown.split()))]
    return all(abs(a - float(b)) <= CLOSE for a, b in zip(wanted, found.groups(), strict=True))


def missing(shown: tuple[str, ...], printed: str) -> str | None:
    """The first shown line that the command did not print, in order; None if all are there."""
    lines = iter(printed.splitlines())
    for line in shown:
        if line.strip() in {"", "..."}:
            continue
        if not any(same(line, other) for other in lines):
            return line
    return None


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory):
    """One store for all pages, so that the light detector is made once."""
    return tmp_path_factory.mktemp("documented") / "store"


@pytest.mark.parametrize("line", LINES, ids=str)
def test_a_documented_command_is_one_that_the_command_line_takes(line):
    parsed(line.words)


@pytest.mark.parametrize("page", [page for page in PAGES if documented(page)])
def test_the_commands_of_a_page_that_need_embedded_data_alone_do_what_it_says(
    page, shared_store, tmp_path, capsys, monkeypatch
):
    # the light detector is made once for all pages; what one page adds no other page has
    shutil.rmtree(shared_store / ADDED, ignore_errors=True)
    monkeypatch.setenv("SLANT_CACHE", str(shared_store))
    monkeypatch.setenv("COLUMNS", "200")
    left_out: list[Parsed] = []
    for line in documented(page):
        one = read(line)
        if reason(one, left_out, tmp_path):
            left_out.append(one)
            continue
        code, printed = run(line, tmp_path, capsys, monkeypatch)
        assert code == 0, f"{line}\n{printed}"
        absent = missing(line.shown, printed)
        assert absent is None, f"{line}\ndoes not print\n{absent}\nbut\n{printed}"
        work_by_hand(shlex.join(line.words), tmp_path)


def test_every_reason_and_every_name_of_a_readers_file_is_needed():
    """What nobody documents any more must not stay in the tables above."""
    ours = [read(line) for line in LINES]
    named = {path for one in ours for path in one.inputs}
    assert set(READERS) <= named
    assert {name.split("/")[0] for name in MAKERS} <= {path.split("/")[0] for path in named}
    for applies in REASONS.values():
        assert any(applies(one) for one in ours)


def test_a_wrong_command_option_or_value_is_found():
    for words in ("rum mbib", "run mbib --sistem x -o y", "data counts --preset", "score a b c"):
        with pytest.raises(BaseException, match=r".+"):
            parsed(tuple(words.split()))
    with pytest.raises(Exception, match="valid integer"):
        parsed(("run", "mbib", "-s", "majority", "-o", "x", "--folds", "five"))


def test_commands_are_found_behind_pipes_loops_assignments_and_quotes():
    text = (
        "    A=1 slant run x \\\n      -o y  # slant never\n"
        "    cat t.txt | slant analyze -\n"
        "    for a in 1 2; do slant score $a; done\n"
        '    sbatch --wrap "slant data list"\n'
        "    from slant import run\n"
    )
    block = next(blocks(text))
    from documented import block_commands

    found = [(line.words, line.stdin) for line in block_commands("page", block)]
    assert found == [
        (("run", "x", "-o", "y"), ""),
        (("analyze", "-"), "t.txt"),
        (("score", "$a"), ""),
        (("data", "list"), ""),
    ]


def test_shown_output_may_differ_in_blanks_and_rounding_and_be_cut():
    assert same("a  0.512 [0.4, 0.6]", "a\t0.515 [0.4, 0.6]")
    assert not same("a 0.512", "a 0.530")
    assert same("wrote ...", "wrote this and that")
    assert missing(("one", "...", "three"), "one\ntwo\nthree") is None
    assert missing(("three", "one"), "one\ntwo\nthree") == "one"


def test_what_slant_alone_shows_can_be_typed():
    for _, command in starting.PURPOSES:
        parsed(tuple(shlex.split(command)[1:]))


def test_tasks_of_the_package_are_known_to_the_classes():
    """A new benchmark with published data must be named in OUTSIDE."""
    assert {name.split("/")[0] for name in TASKS} <= {*OUTSIDE, "open", "added"}


def test_pages_are_read_from_the_project():
    assert (ROOT / "README.md").exists()
    assert len(LINES) > 150
