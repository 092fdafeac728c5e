"""The commands that write: how each is called, and what must be there before."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MODEL = "--model-arg max_retries=0 --max-retries 0 --max-connections 1 -q"
TRAIN = (
    "train babe -s encoder:{in}/tiny --data {in}/data --set near=1.0 --max-length 16 --epochs 1 -q"
)
STUDY = f"{TRAIN} --seeds 1 --lr 0.005 --jobs 1"
RUN = "run babe --data {in}/data --set folds=2 --jobs 1 -q"
BAIT = (
    "bait run --data {in}/gold.jsonl -m openai-api/scripted/small --base-url {llm} --shots 0 "
    f"--zero-shot-runs 2 {MODEL}"
)
VILBIAS = (
    "vilbias run -m openai-api/scripted/vision --data open/pairs --limit 6 --open --base-url "
    f"{{vision}} --planted 1 {MODEL}"
)
JUDGE = (
    "vilbias judge {out}/vilbias -j openai-api/scripted/judge --planted 1 --base-url {vision} "
    f"{MODEL}"
)
EMBED = "--dimensions 4 --epochs 1 --bucket 50 --replicas 2 --jobs 1 -q"
ASSOC = "--sets {in}/lists.json --tests x/y:a/b --permutations 500 --resamples 100 --jobs 1 -q"
PASSES = "{in}/ann.jsonl {in}/ben.jsonl --schema bait"
STUDIED = "{out}/study --data {in}/data --resamples 100 --jobs 1 -q"
SLOW = 5
"""A slow command is tried so many times less."""


@dataclass(frozen=True)
class Writer:
    """A command that writes.

    Args:
        name: of the command, for the table.
        line: its arguments, with {in}, {out} and the servers' addresses to be filled in.
        there: folders of the inputs that stand in {out} before.
        pace: how many times fewer tries it gets: it takes seconds.
        light: it needs the light detector, which is taught once.
    """

    name: str
    line: str
    there: Sequence[str] = ()
    pace: int = 1
    light: bool = False

    @property
    def words(self) -> list[str]:
        """The arguments one by one."""
        return shlex.split(self.line)

    def times(self, times: int) -> int:
        """How often it is tried."""
        return max(1, times // self.pace)


WRITERS: Mapping[str, Writer] = {
    one.name: one
    for one in (
        Writer("run", f"{RUN} -s tfidf-lr -o {{out}}/run"),
        Writer("run, a line-up", f"{RUN} -s majority,random -o {{out}}/runs"),
        Writer("score", "score {out}/run --data {in}/data", ("run",)),
        Writer("train", f"{TRAIN} -o {{out}}/detector", pace=2),
        Writer("train, a study", f"{STUDY} -o {{out}}/study", pace=2),
        Writer(
            "predict",
            "predict {in}/detector {in}/corpus.csv -o {out}/p.parquet --rows 5 --jobs 1 -q",
        ),
        Writer("explain", f"explain --methods fast --no-erase {STUDIED}", ("study",), 2),
        Writer("circuit", f"circuit --k 1 --shares '' --draws 0 {STUDIED}", ("study",), 2),
        Writer(
            "compare",
            "compare {in}/run {in}/run2 --data {in}/data --resamples 100 -o {out}/compared -q",
            pace=SLOW,
        ),
        Writer("report", "report {in}/run {in}/run2 --data {in}/data -o {out}/page -q", pace=10),
        Writer("report, of bait run", "report {out}/bait -q", ("bait",), 10),
        Writer("report, of vilbias run", "report {out}/vilbias -q", ("judged/vilbias",), SLOW),
        Writer("demo", "demo --parts agreement -o {out}/demo -q", pace=SLOW),
        Writer(
            "analyze",
            "analyze {in}/articles --language en -o {out}/report --jobs 1 -q",
            pace=SLOW,
            light=True,
        ),
        Writer(
            "data add",
            "data add own {in}/own.csv --text sentence --label biased --data {out}/store",
        ),
        Writer("data import", "data import babe {in}/published --data {out}/store -q"),
        Writer("data export", "data export babe --data {in}/data -o {out}/babe.csv"),
        Writer("wiki crawl", "wiki crawl {wiki} --format wikitext -o {out}/w.parquet -q", pace=2),
        Writer("wiki dump", "wiki dump {in}/wiki.xml -o {out}/w.parquet -q"),
        Writer("embed train", f"embed train {{in}}/planted.jsonl -o {{out}}/emb {EMBED}", pace=2),
        Writer("embed plant", "embed plant --out {out}/planted --words 2000 --seed 1"),
        Writer("assoc run", f"assoc run {{in}}/one.txt {{in}}/two.txt -o {{out}}/tests {ASSOC}"),
        Writer("annotate new", "annotate new {in}/articles --annotators ann,ben -o {out}/work"),
        Writer("annotate agree", f"annotate agree {PASSES} --resamples 100 -o {{out}}/agreed"),
        Writer("annotate merge", f"annotate merge {PASSES} -o {{out}}/merged"),
        Writer("annotate adjudicate", "annotate adjudicate {in}/merged -o {out}/gold.jsonl"),
        Writer("annotate convert", "annotate convert {in}/gold.jsonl --to brat -o {out}/brat"),
        Writer("bait run", f"{BAIT} -o {{out}}/bait", pace=SLOW),
        Writer("bait score", "bait score {out}/bait --jobs 1 -q", ("bait",), 2),
        Writer("bait codebook", "bait codebook -o {out}/codebook.html"),
        Writer("vilbias run", f"{VILBIAS} -o {{out}}/vilbias", pace=SLOW),
        Writer("vilbias judge", JUDGE, ("vilbias",), SLOW),
        Writer(
            "vilbias score",
            "vilbias score {out}/vilbias --resamples 100 --permutations 100",
            ("judged/vilbias",),
        ),
        Writer(
            "vilbias sheet",
            "vilbias sheet {out}/vilbias --n 4 -o {out}/sheet.html",
            ("judged/vilbias",),
        ),
    )
}

PREPARED: Sequence[tuple[str, str]] = (
    ("run", WRITERS["run"].line),
    ("run2", f"{RUN} -s majority -o {{out}}/run2"),
    ("detector", WRITERS["train"].line),
    ("study", WRITERS["train, a study"].line),
    ("planted", WRITERS["embed plant"].line),
    ("merged", WRITERS["annotate merge"].line),
    ("bait", WRITERS["bait run"].line),
    ("vilbias", WRITERS["vilbias run"].line),
)
"""What commands read that another command makes: its folder, and how."""


def chosen(names: Sequence[str]) -> list[Writer]:
    """The writers of these names, all where none is given."""
    unknown = [name for name in names if name not in WRITERS]
    if unknown:
        sys.exit(f"no such row: {unknown[0]}; there are {', '.join(WRITERS)}")
    return [one for name, one in WRITERS.items() if not names or name in names]


def lines(writers: Sequence[Writer]) -> str:
    """All that is said of some commands, to look for words in it."""
    return " ".join(f"{one.line} {' '.join(one.there)}" for one in writers)
