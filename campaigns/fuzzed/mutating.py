"""Command lines that are not as they should be, and inputs that are not."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

from fuzzed.commandlines import Command
from fuzzed.damaging import damaged

VALUES = (
    "", " ", "-1", "0", "1", "2", "1.5", "nan", "inf", "-inf", "1e9", "1e400",
    "99999999999999999999", "x", "X" * 3000, "a,b", ",", ",,", "1,x", "0,0", "1/0", "50/50",
    "80/10/10", "a=b", "=", "a=",
    "--", "-", "caf\u00e9", "caf\udce9", "\U0001f642", "a\nb", "\x1b[31m", "../x", "/dev/null",
    "/dev/null/x", "/proc/none/x", ".", "..", "~", "*", "[", "{}", "'", '"', "%s", "bait", "ptc",
    "mbib", "mbib/072", "mbib/racial-bias", "added/own", "open", "babe", "vilbias", "majority",
    "tfidf-lr", "encoder:x", "predictions:x", "lexicon", "all", "none", "auto", "true", "brat",
    "jsonl", "en", "text", "label", "id", "clean", "official", "ray", "processes", "accuracy",
    "http://127.0.0.1:9/", "mockllm/model", "openai/none", "1/2", "3/2", "folds=2", "folds=x",
)  # fmt: skip
"""Odd values, and sound ones that belong elsewhere. A huge number is not among those of options
that say how much work is done: see `HEAVY`."""
HEAVY = (
    "--jobs", "--replicas", "--dimensions", "--words", "--epochs", "--permutations", "--resamples",
    "--planted", "--samples", "--draws", "--n", "--zero-shot-runs", "--threads", "--context",
    "--size", "--seeds", "--bucket", "--top", "--sample", "--shots", "--rows", "--timeout",
)  # fmt: skip
"""Options that may ask for hours of work, which is no fault: these get small numbers."""
SMALL = ("", "-1", "0", "1", "2", "1.5", "nan", "x", "1,x", "-", "1,1", "caf\u00e9", "2,3")
LARGEST = 200_000
"""Bytes of a folder that is copied in order to be damaged."""


class Lines:
    """The inputs of one command.

    Args:
        command: its sound lines.
        options: its options, as the command says them.
        world: the folder of sound files.
    """

    def __init__(self, command: Command, options: Sequence[str], world: Path) -> None:
        self.command, self.options, self.world = command, options, world
        self.others = sorted(
            str(path.relative_to(world))
            for path in world.rglob("*")
            if not path.relative_to(world).parts[0].startswith(("store", "cwd"))
        )

    def drawn(self, by: Random, number: int) -> list[str]:
        """One input: words as a person would give them, with damaged files made."""
        words = shlex.split(by.choice(self.command.lines))
        if by.random() >= self.command.whole:
            for _ in range(by.choice([1, 1, 1, 2, 3])):
                words = self._changed(words, by, number)
        return [self._placed(word) for word in words]

    def _changed(self, words: list[str], by: Random, number: int) -> list[str]:
        chance = by.random()
        given = [n for n, word in enumerate(words) if "@" in word]
        values = [n for n, word in enumerate(words) if not word.startswith("--")]
        if chance < 0.6 and given:
            place = by.choice(given)
            before, _, name = words[place].partition("@")
            made = self._damaged(name, by, number) if chance < 0.45 else by.choice(self.others)
            word = f"{before}@{made}" if made else words[place]
        elif chance < 0.75 and values:
            place = by.choice(values)
            word = self._value(words[place - 1] if place else "", by)
        else:
            return self._moved(words, by) if chance > 0.9 else self._added(words, by)
        return [*words[:place], word, *words[place + 1 :]]

    def _added(self, words: list[str], by: Random) -> list[str]:
        option = by.choice(self.options)
        return [*words, option, *([self._value(option, by)] if by.random() < 0.8 else [])]

    def _moved(self, words: list[str], by: Random) -> list[str]:
        place = by.randrange(len(words) + 1)
        match by.randrange(4):
            case 0:
                return words[:place] + words[place + 1 :]
            case 1:
                return [*words[:place], *words[max(place - 1, 0) : place], *words[place:]]
            case 2:
                return words[place:] + words[:place]
        return [*words[:place], by.choice(VALUES), *words[place:]]

    def _value(self, option: str, by: Random) -> str:
        if option in HEAVY:
            return by.choice(SMALL)
        if by.random() < 0.15:
            return f"@{by.choice(self.others)}"
        return by.choice(VALUES)

    def _damaged(self, name: str, by: Random, number: int) -> str:
        """A damaged copy of a file or folder, by its name in the world."""
        path = self.world / name
        copy = self.world / "damaged" / str(number) / path.name
        if not path.exists() or name.startswith("damaged"):
            return ""
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            copy.write_bytes(damaged(path.read_bytes(), by))
            return str(copy.relative_to(self.world))
        inside = sorted(one for one in path.rglob("*") if one.is_file())
        if not inside or sum(one.stat().st_size for one in inside) > LARGEST:
            return ""
        shutil.copytree(path, copy, dirs_exist_ok=True)
        chosen = copy / by.choice(inside).relative_to(path)
        if by.random() < 0.1:
            chosen.unlink()
        else:
            chosen.write_bytes(damaged(chosen.read_bytes(), by))
        return str(copy.relative_to(self.world))

    def _placed(self, word: str) -> str:
        before, sign, name = word.partition("@")
        if sign and not word.startswith("a@"):
            word = f"{before}{self.world / name}"
        return word.replace("{out}", str(self.world / "cwd" / "in" / "out"))
