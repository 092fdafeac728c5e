"""Readers fuzzed by atheris: of the inputs it makes, those that reach new code are changed further.

atheris ends its process when it is done, so that each reader has one of its own. It knows bytes
alone: it damages one file of a reader at a time, and learns from the code of `slant`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from outcomes import Row

CAMPAIGNS = Path(__file__).resolve().parents[1]
INSTRUMENTED = ["slant"]
LONGEST_INPUT = 20_000


def check_atheris() -> None:
    """End with one line where atheris is not installed."""
    if find_spec("atheris") is None:
        sys.exit("error: --engine atheris needs the package atheris. Run pip install atheris.")


def guided_rows(times: int, seed: int, only: Sequence[str]) -> list[Row]:
    """A row for each reader, each made in a process of its own."""
    check_atheris()
    from fuzzing_readers import every_reader

    rows = []
    for reader in every_reader(only):
        with tempfile.TemporaryDirectory() as place:
            out = Path(place) / "row.json"
            command = [
                sys.executable,
                "-m",
                "fuzzed.coverage",
                reader.name,
                str(times),
                str(seed),
                str(out),
            ]
            ended = subprocess.run(
                command, cwd=CAMPAIGNS, capture_output=True, text=True, check=False
            )
            if out.exists():
                row = Row(**json.loads(out.read_text()))
            else:
                row = Row(reader.name)
                row.count(f"the process ended with {ended.returncode}: {ended.stderr[-300:]}")
            print(f"{row.what}: {row.held:,} of {row.tried:,} held", file=sys.stderr, flush=True)
            rows.append(row)
    return rows


def guided(name: str, times: int, seed: int, out: Path) -> None:
    """Let atheris try one reader, and write its row; the process ends here."""
    import atheris

    # Never left: readers import what they need when they are called.
    atheris.instrument_imports(include=INSTRUMENTED, enable_loader_override=False).__enter__()
    from fuzzed.made import surroundings
    from fuzzed.trying import bound_memory
    from fuzzing_readers import Place, every_reader

    (reader,) = [one for one in every_reader([name]) if one.name == name]
    row = Row(name)
    ended = {"read": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as folder, surroundings(Path(folder) / "store"):
        bound_memory()
        place = Place(reader, Path(folder) / "reader")
        files = [(n, one) for n in range(len(reader.seeds)) for one in place.names(n)]
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for n, (number, file) in enumerate(files[:200]):
            # The first byte says which file it is that the rest stands in.
            (corpus / f"{n}").write_bytes(bytes([n]) + reader.seeds[number][file][:LONGEST_INPUT])

        def one_input(data: bytes) -> None:
            number, file = files[(data[0] if data else 0) % min(len(files), 200)]
            how, failure = place.tried(number, file, data[1:])
            ended[how] += 1
            row.count(failure and f"{file}: {failure}; {data[1:61]!r}")
            row.figures = {**ended, "files": len(files)}
            if row.tried >= times:
                out.write_text(json.dumps(row.__dict__))

        arguments = [
            "atheris",
            f"-runs={times}",
            f"-seed={seed}",
            f"-max_len={LONGEST_INPUT}",
            "-verbosity=0",
            "-timeout=120",
            "-rss_limit_mb=0",
            str(corpus),
        ]
        atheris.Setup(arguments, one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    guided(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
