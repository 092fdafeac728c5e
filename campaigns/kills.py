"""kill -9 in every long command, again and again at random, until it ends: the bytes it would have
left undisturbed, nothing left over, and nothing asked twice of who is paid for it.

Half of what a kill meets is chance of the clock, the rest the writes of the command, before which
or just behind which its whole process group is killed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import killing
from contents import difference
from longcommands import COMMANDS
from outcomes import Row, conducted
from scenes import Scene, staged, tried_each

ABOUT = "Killed anywhere, a command goes on to the bytes that it would have left undisturbed."


def lines(journals: dict[str, bytes]) -> int:
    """How many replies are kept."""
    return sum(data.count(b"\n") for data in journals.values())


def round_of(scene: Scene, whole: killing.Ended, must: dict[str, str], due: int, random: Random,
             most: int) -> tuple[int, str | None]:  # fmt: skip
    """Kills in one folder until the command ends: how many, and what does not hold."""
    scene.reset()
    kills, trail = 0, []
    while True:
        kept = scene.journals()
        before = len(scene.served.asked()) if scene.served else 0
        last = kills >= most
        moment = killing.NEVER if last else killing.drawn_moment(random, whole)
        ended = scene.tried(moment)
        trail.append(f"{moment.seconds:.2f} s" if moment.seconds is not None else
                     f"write {moment.write}{'+' * moment.after}")  # fmt: skip
        where = f"killed at {', '.join(trail[:kills])}"
        now = scene.journals()
        for name, data in kept.items():
            if not now.get(name, b"").startswith(data):
                return kills, f"{where}: a reply that was kept in {name} is lost"
        if scene.command.journals and scene.served:
            new = scene.served.asked()[before:]
            if len(set(new)) < len(new) or len(new) > due - lines(kept):
                return kills, f"{where}: {len(new)} questions, {due - lines(kept)} were open"
        if ended.code is None:
            kills += 1
            continue
        wrong = difference(must, scene.contents())
        # Killed with its last word: to do again what is there whole may be refused.
        if ended.code and (wrong or ended.code != 2):
            return kills, f"{where}: exit code {ended.code}: {ended.said[-300:]}"
        return kills, wrong and f"{where}: {wrong}"


def killed(row: Row, name: str, times: int, random: Random, home: Path) -> None:
    """One command, `times` kills."""
    command = COMMANDS[name]
    with staged(command, home) as scene:
        scene.reset()
        whole = scene.tried()
        must, due = scene.contents(), lines(scene.journals())
        if whole.code:
            row.count(f"undisturbed: exit code {whole.code}: {whole.said[-500:]}")
            return
        scene.reset()
        scene.tried()
        if wrong := difference(must, scene.contents()):
            row.count(f"undisturbed twice: {wrong}")
            return
        row.figures = {
            "rounds": 0, "files": len(must), "writes": whole.writes,
            "seconds undisturbed": round(whole.seconds, 2),
        }  # fmt: skip
        while row.tried < times:
            most = min(random.randint(1, command.most), times - row.tried)
            kills, wrong = round_of(scene, whole, must, due, random, most)
            row.figures["rounds"] = int(row.figures["rounds"]) + bool(kills)
            for number in range(kills):
                row.count(wrong if number == kills - 1 else None)


def trial(times: int, seed: int, only: Sequence[str]) -> list[Row]:
    """All commands, or those that are named."""
    return tried_each("kills", killed, COMMANDS, times, seed, only)


if __name__ == "__main__":
    sys.exit(conducted("kills", ABOUT, 50, trial))
