"""Stored files damaged at random: found by the next command and made again, or refused in one line.

Before the damage the command has ended, or was killed on its way, so that half-done work is damaged
too. Then the same command is called again, or one that reads what it left.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import killing
from contents import difference
from longcommands import COMMANDS, READERS
from outcomes import Row, conducted
from scenes import Scene, staged, tried_each

ABOUT = "A damaged file is made again with the same bytes or refused in one line; never believed."
KINDS = ("a flipped bit", "cut", "emptied", "zeros", "another file's bytes")
LEFT = re.compile(r"(^|/)\.[^/]*(lock|\.step)$|checksums\.json$|(^|/)(before|inspect)/")
"""Files that hold nothing a result depends on, or nothing at all."""


def damaged(path: Path, others: Sequence[Path], kind: str, random: Random) -> None:
    """Damage a file; its bytes are others afterwards."""
    data = path.read_bytes()
    place = random.randrange(len(data))
    if kind == "a flipped bit":
        made = data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :]
    elif kind == "cut":
        made = data[:place]
    elif kind == "zeros":
        end = min(len(data), place + random.randint(1, 512))
        made = data[:place] + bytes(end - place) + data[end:]
    elif kind == "emptied":
        made = b""
    else:
        own = [one for one in others if one.suffix == path.suffix and one.read_bytes() != data]
        made = random.choice(own).read_bytes() if own else data[::-1]
    path.write_bytes(made if made != data else data[1:])


def stored(scene: Scene) -> list[str]:
    """The files that commands wrote in a folder and that hold something, by path."""
    made = []
    for path in sorted(scene.here.rglob("*")):
        name = path.relative_to(scene.here).as_posix()
        given = (scene.before / name).exists() and not name.startswith(scene.command.made)
        if path.is_file() and path.stat().st_size and not given and not LEFT.search(name):
            made.append(name)
    return made


def chosen(names: Sequence[str], random: Random) -> str:
    """One of the files; those that differ by numbers alone are one kind, each kind as likely."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(re.sub(r"[0-9a-f]{8,}|\d+", "N", name), []).append(name)
    return random.choice(kinds[random.choice(sorted(kinds))])


def fate(
    scene: Scene, name: str, argv: Sequence[str], must: dict[str, str], was: dict[str, str]
) -> tuple[str, str | None]:
    """What the next command does with a damaged file, and what of it must not be; else None.

    Args:
        scene: its folder.
        name: of the file.
        argv: the command.
        must: what the folder holds after the command, where nothing is damaged.
        was: what it held before the damage.
    """
    # A store holds data and caches that not every command reads; its own output it must look at.
    own = list(argv) == scene.argv and not name.startswith("store/")
    ended = scene.tried(argv=argv)
    now = scene.contents()
    if ended.code == 0:
        wrong = difference(must, now)
        if wrong is None:
            return "made again", None
        others = [{key: one for key, one in of.items() if key != name} for of in (must, now)]
        return "not read", wrong if own else difference(*others)
    if ended.code == 1 and "never came" in ended.said:
        return "said to be missing", None
    wrote = [key for key in now if key != name and was.get(key) not in (now[key], None)]
    foreign = [key for key in wrote if must.get(key) != now[key]]
    named = any(part in ended.said for part in (Path(name).stem.strip("."), Path(name).parent.name))
    wrong = None
    if ended.code not in (1, 2) or ended.said.count("error:") != 1 or "Traceback" in ended.said:
        wrong = f"exit code {ended.code}: {ended.said[-300:]}"
    elif foreign or not named:
        why = f"other bytes in {foreign[:3]}" if foreign else "it is not named"
        wrong = f"refused, yet {why}: {ended.said[-200:]}"
    return "refused", wrong


def folder_damaged(row: Row, name: str, times: int, random: Random, home: Path) -> None:
    """One kind of folder, `times` damages."""
    row.figures = {"made again": 0, "refused": 0, "not read": 0}
    with staged(COMMANDS[name], home) as scene:
        scene.reset()
        whole = scene.tried()
        whole_contents = scene.contents()
        ready = home / "ready"
        shutil.copytree(scene.here, ready)
        readers = [scene.argv, *READERS.get(name, ())]
        musts, refused = [], False
        for argv in readers:
            _restored(scene, ready)
            ended = scene.tried(argv=argv)
            musts.append(scene.contents())
            if ended.code and argv == scene.argv and difference(whole_contents, musts[-1]) is None:
                refused = True  # what is there whole is not made twice
            elif ended.code:
                row.count(f"undamaged: exit code {ended.code}: {ended.said[-300:]}")
        while row.tried < times:
            which = random.randrange(len(readers))
            half = which == 0 and (refused or random.random() < 0.5)
            if half:
                scene.reset()
                scene.tried(killing.Moment(write=random.randint(1, max(1, whole.writes))))
            else:
                _restored(scene, ready)
            names = stored(scene)
            if not names:
                continue
            hurt = chosen(names, random)
            kind = random.choice(KINDS)
            others = [scene.here / one for one in names if one != hurt]
            was = scene.contents()
            damaged(scene.here / hurt, others, kind, random)
            what, wrong = fate(scene, hurt, readers[which], musts[which], was)
            if wrong is None:
                row.figures[what] = int(row.figures.get(what, 0)) + 1
            when = "half done" if half else "done"
            how = " ".join(readers[which])[:60]
            row.count(wrong and f"{hurt}, {kind}, {when}, then slant {how}: {wrong}")


def _restored(scene: Scene, ready: Path) -> None:
    shutil.rmtree(scene.here)
    shutil.copytree(ready, scene.here)


def trial(times: int, seed: int, only: Sequence[str]) -> list[Row]:
    """All kinds of folders, or those that are named."""
    return tried_each("damage", folder_damaged, READERS, times, seed, only)


if __name__ == "__main__":
    sys.exit(conducted("damage", ABOUT, 15, trial))
