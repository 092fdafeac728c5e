"""Two processes on one output, begun at random offsets; some are killed while the other works."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence

from children import Child, Ended, load
from historians import ONE_HISTORY, share_history
from outcomes import Row, conducted
from rooms import Room, left, opened, tell, unlike
from writers import Writer, chosen, lines

PAIRED = (
    "run", "run, a line-up", "train", "train, a study", "predict", "explain", "circuit",
    "embed train", "assoc run", "bait run", "vilbias run", "vilbias judge", "analyze", "wiki crawl",
    "wiki dump", "annotate new", "data add", "data import", "demo",
)  # fmt: skip
"""Commands with an output that two may want at once."""
SAME, FRESH, KILLED = "the same command", "the other with --fresh", "one killed"
WITH_FRESH = frozenset(
    {"run", "train", "predict", "explain", "circuit", "demo", "analyze", "wiki crawl",
     "embed train"}
)  # fmt: skip
ADDED = frozenset({"bait run", "assoc run"})
"""Commands that add to what another of them left: the two may follow one another."""
ONCE = frozenset({"annotate new", "data add", "train"})
"""Commands that refuse what is there already."""
OTHERS: dict[str, tuple[str, str]] = {
    "run": ("another system", "run babe --data {in}/data --set folds=2 --jobs 1 -q -s majority"
            " -o {out}/run"),
    "train": ("another seed", "train babe -s encoder:{in}/tiny --data {in}/data --set near=1.0"
              " --max-length 16 --epochs 1 -q --seed 7 -o {out}/detector"),
    "predict": ("another corpus", "predict {in}/detector {in}/own.csv --text sentence -o"
                " {out}/p.parquet --rows 5 --jobs 1 -q"),
    "wiki dump": ("another sample", "wiki dump {in}/wiki.xml -o {out}/w.parquet --sample 5 -q"),
    "wiki crawl": ("another format", "wiki crawl {wiki} --format html -o {out}/w.parquet -q"),
    "embed train": ("other vectors", "embed train {in}/planted.jsonl -o {out}/emb --dimensions 5"
                    " --epochs 1 --bucket 50 --replicas 2 --jobs 1 -q"),
    "assoc run": ("other words", "assoc run {in}/one.txt {in}/two.txt --sets {in}/lists.json"
                  " --tests x/y:b/a --permutations 500 --resamples 100 -o {out}/tests --jobs 1 -q"),
    "data add": ("another column", "data add own {in}/own.csv --text sentence --label biased"
                 " --id sentence --data {out}/store"),
    "bait run": ("other shots", "bait run --data {in}/gold.jsonl --baselines cues --shots 0"
                 " --zero-shot-runs 1 -q -o {out}/bait"),
}  # fmt: skip
REPORTED: dict[str, str] = {
    "run": "report {out}/run --data {in}/data -q",
    "assoc run": "report {out}/tests -q",
    "bait run": "report {out}/bait -q",
    "vilbias run": "report {out}/vilbias -q",
    "vilbias judge": "report {out}/vilbias -q",
}
PAGES = ("report.html", "pairs.html", "tables/", "figures/", "articles/", "images/")


def together(
    first: list[str], second: list[str], room: Room, draw: random.Random, kill: bool, seconds: float
) -> tuple[Ended, Ended, str]:
    """Begin two commands at random offsets; maybe kill one of them while the other works."""
    offset = draw.uniform(0, 0.6 * seconds)
    one = room.begin(first, "one")
    time.sleep(offset)
    other = room.begin(second, "other")
    told = f"{offset:.2f} s apart"
    if kill:
        time.sleep(draw.uniform(0, 0.4 * seconds))
        which: Child = draw.choice((one, other))
        which.kill()
        told += f", {'first' if which is one else 'second'} killed"
    return one.wait(), other.wait(), told


def ended_well(ended: Ended, killed: bool) -> str | None:
    """Why a neighbour ended otherwise than by a result or one line; None where it did not."""
    return None if killed and ended.code < 0 else ended.fault(0, 2)


def meet(writer: Writer, room: Room, draw: random.Random, row: Row, how: str) -> None:
    """One try of the same command twice, with --fresh, or with one killed."""
    whole = room.undisturbed(writer)
    room.clear(writer)
    argv = room.argv(writer)
    second = [*argv, "--fresh"] if how == FRESH else argv
    one, other, told = together(argv, second, room, draw, how == KILLED, room.seconds[writer.name])
    bad = next(filter(None, (ended_well(each, how == KILLED) for each in (one, other))), None)
    codes = sorted((one.code, other.code))
    note = {(0, 0): "both did it", (0, 2): "one refused"}.get((codes[0], codes[1]), "other ends")
    row.figures[note] = int(row.figures.get(note, 0)) + 1
    if bad is None and 0 not in codes and how != KILLED:
        bad = f"neither did it: {one.told} | {other.told}"
    if bad is None and 0 not in codes:
        again = room.call(writer).fault(0)
        bad = again and f"the same command then: {again}"
    bad = bad or unlike(left(room.out), whole) or _left_over(room)
    if bad is None and writer.name not in ONCE and draw.random() < 0.3:
        again = room.call(writer).fault(0)
        bad = again and f"the same command then: {again}"
        bad = bad or unlike(left(room.out), whole)
    row.count(bad and f"{told}, exit {one.code} and {other.code}: {bad}")


def cross(writer: Writer, other: Writer, room: Room, draw: random.Random, row: Row) -> None:
    """One try of two different commands on one output: it is one's or the other's."""
    wholes = [room.undisturbed(writer), room.undisturbed(other)]
    if writer.name in ADDED:
        wholes += [_after(writer, other, room), _after(other, writer, room)]
    room.clear(writer)
    pair = [room.argv(writer), room.argv(other)]
    draw.shuffle(pair)
    one, two, told = together(pair[0], pair[1], room, draw, False, room.seconds[writer.name])
    bad = ended_well(one, False) or ended_well(two, False)
    codes = sorted((one.code, two.code))
    note = "one refused" if codes == [0, 2] else "both did it" if codes == [0, 0] else "other ends"
    row.figures[note] = int(row.figures.get(note, 0)) + 1
    found = left(room.out)
    if bad is None and codes[0] != 0:
        bad = f"neither did it: {one.told} | {two.told}"
    if bad is None and all(unlike(found, whole) for whole in wholes):
        bad = f"mixed: {[unlike(found, whole) for whole in wholes]}"
    row.count(bad and f"{told}, exit {one.code} and {two.code}: {bad}")


def _after(writer: Writer, other: Writer, room: Room) -> dict[str, str]:
    name = f"{writer.name} and {other.name}"
    if name not in room.whole:
        room.clear(writer)
        for one in (writer, other):
            if fault := room.call(one).fault(0):
                raise RuntimeError(f"slant {one.name}, second: {fault}")
        room.whole[name] = left(room.out)
    return room.whole[name]


def look(writer: Writer, line: str, room: Room, draw: random.Random, row: Row) -> None:
    """One try of a report while its run is written: the run is whole, the page comes or not."""
    whole = room.undisturbed(writer)
    room.clear(writer)
    reader = room.argv(Writer("", line))
    one, other, told = together(
        room.argv(writer), reader, room, draw, False, room.seconds[writer.name]
    )
    bad = one.fault(0) or other.fault(0, 2)
    note = "page made" if other.code == 0 else "page refused"
    row.figures[note] = int(row.figures.get(note, 0)) + 1
    found = {
        name: own for name, own in left(room.out).items()
        if not any(page in name for page in PAGES) or name in whole
    }  # fmt: skip
    bad = bad or unlike(found, whole)
    if bad is None:
        bad = room.begin(reader).wait().fault(0)
    row.count(bad and f"{told}, exit {one.code} and {other.code}: {bad}")


def _left_over(room: Room) -> str | None:
    hidden = [name for name in left(room.out, hidden=True) if name.endswith(".tmp")]
    # What a killed process was writing stays, and nobody reads it.
    return None if not hidden or room.killing else f"left behind: {hidden[:4]}"


def trial(times: int, seed: int, only: Sequence[str]) -> list[Row]:
    """Rows by command and by how the two meet."""
    named = [name for name in only if name != ONE_HISTORY]
    writers = chosen(named or PAIRED) if named or not only else []
    draw = random.Random(seed)
    rows: list[Row] = []
    load(f"{lines(writers)} serve")
    with opened("neighbours", writers, 0.02) as room:
        for writer in writers:
            room.undisturbed(writer)
            number = writer.times(times)
            for how in (SAME, KILLED, *([FRESH] if writer.name in WITH_FRESH else [])):
                room.killing = how == KILLED
                rows.append(Row(f"slant {writer.name}: {how}"))
                for _ in range(number):
                    meet(writer, room, draw, rows[-1], how)
                tell(rows[-1])
            if writer.name in OTHERS:
                what, line = OTHERS[writer.name]
                rows.append(Row(f"slant {writer.name}: {what}"))
                for _ in range(number):
                    cross(writer, Writer(f"{writer.name}, {what}", line), room, draw, rows[-1])
                tell(rows[-1])
            if writer.name in REPORTED:
                rows.append(Row(f"slant {writer.name}: a report meanwhile"))
                for _ in range(max(1, number // 5)):
                    look(writer, REPORTED[writer.name], room, draw, rows[-1])
                tell(rows[-1])
        if not only or ONE_HISTORY in only:
            rows.append(Row(ONE_HISTORY))
            for _ in range(times):
                share_history(room, draw, rows[-1])
            tell(rows[-1])
    return [row for row in rows if row.tried]


if __name__ == "__main__":
    about = (
        "of two processes on one output the second refuses in one line, waits or shares the work; "
        "what is left is that of one undisturbed process, and no lock outlives its process"
    )
    sys.exit(conducted("neighbours", about, 50, trial))
