"""A real Ray cluster of two nodes on this machine: the same bits, whatever dies on the way."""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest
from ray_cluster import LOCAL
from tiny_detector import made_texts

from slant.errors import RunError
from slant.runs.run import run
from slant.runs.surroundings import Surroundings, check_surroundings, marked, software

BOUND = 120
"""Seconds that a command may take, so that one that hangs fails."""
START = 120


class Cluster:
    def __init__(self, folder):
        self.env = {**os.environ, **LOCAL, "RAY_TMPDIR": folder}
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("ray_cluster.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env=self.env, start_new_session=True,
        )  # fmt: skip
        self.address = self.said(START)

    def said(self, seconds):
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return ""
        return self.process.stdout.readline().strip()

    def tell(self, word):
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        assert self.said(START) == "done"

    @contextmanager
    def command(self, *words, **more):
        """A process of Python that meets the cluster; killed at the end of the block."""
        with subprocess.Popen(
            [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**self.env, "SLANT_CACHE": os.environ["SLANT_CACHE"], **more},
        ) as process:  # fmt: skip
            try:
                yield process
            finally:
                process.kill()

    def slant(self, *words):
        """Exit code, stdout and stderr of a command."""
        with self.command("-m", "slant", *words) as process:
            out, err = process.communicate(timeout=BOUND)
        return process.returncode, out, err


@pytest.fixture(scope="module")
def cluster():
    if not find_spec("ray"):
        pytest.skip("ray is not installed")
    # pytest's own folders are too deep for the sockets that Ray puts there.
    folder = tempfile.mkdtemp(prefix="ray")
    one = Cluster(folder)
    if one.address:
        yield one
    one.process.stdin.close()
    try:
        one.process.wait(30)
    except subprocess.TimeoutExpired:
        one.process.kill()
        one.process.wait()
    one.process.stdout.close()
    shutil.rmtree(folder, ignore_errors=True)
    if not one.address:
        pytest.skip("ray cannot start here")


def left_by(folder):
    """The bytes of the cells, and the scores but for the command."""
    scores = json.loads((folder / "scores.json").read_text())
    cells = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("cells/**/*.parquet")
    }
    return {**cells, **scores, "command": None}


# Ray answers late where the processors are busy.
PATIENT = (
    "from slant.runs import clusters; clusters.CONNECTING = 100; from slant.cli import main; main()"
)


def test_a_run_on_a_cluster_leaves_the_bytes_of_a_run_in_one_process(cluster, tmp_path):
    run("open/sentences", "tfidf-lr", tmp_path / "here", jobs=1)
    with cluster.command(
        "-c", PATIENT, "run", "open/sentences", "-s", "tfidf-lr", "-o", str(tmp_path / "there"),
        "--json", "--engine", "ray", "--address", cluster.address, "--jobs", "2",
    ) as process:  # fmt: skip
        out, err = process.communicate(timeout=BOUND)
    assert process.returncode == 0, err
    assert json.loads(out)["signature"]
    assert left_by(tmp_path / "here") == left_by(tmp_path / "there")
    assert not list((tmp_path / "there").glob(".seen-*"))


SYSTEM = """
import json, os, signal, sys, time
from pathlib import Path
import slant
from slant.types import NO, YES, Prediction

def mortal(folds, seed):
    for fold in folds:
        folder, victim = json.loads(Path("KNOWN").read_text())
        flag = Path(folder) / "killed"
        time.sleep(0.3)
        if fold.test[0].id == victim and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield [Prediction(item.id, YES if "!" in item.text else NO) for item in fold.test]

if __name__ == "__main__":
    slant.run("open/sentences", mortal, sys.argv[1], seeds=(1, 2), jobs=2, engine=sys.argv[2],
              address=sys.argv[3] or None)
"""


def test_a_worker_killed_in_the_middle_loses_nothing(cluster, tmp_path):
    script = tmp_path / "mortal.py"
    script.write_text(SYSTEM.replace("KNOWN", str(tmp_path / "known.json")))
    (tmp_path / "never").mkdir()
    (tmp_path / "never/killed").touch()
    (tmp_path / "once").mkdir()

    def done(out, flags, victim, *where):
        known = json.dumps([str(tmp_path / flags), victim])
        (tmp_path / "known.json").write_text(known)
        with cluster.command(str(script), str(tmp_path / out), *where) as process:
            _, err = process.communicate(timeout=BOUND)
        assert process.returncode == 0, err

    done("here", "never", "", "processes", "")
    victim = pl.read_parquet(tmp_path / "here/cells/open/sentences/1-2.parquet")["id"][0]
    done("there", "once", victim, "ray", cluster.address)
    assert (tmp_path / "once/killed").exists()
    assert len([*tmp_path.glob("here/cells/**/*.parquet")]) == 10
    assert left_by(tmp_path / "here") == left_by(tmp_path / "there")


SLOW = """
import os, sys, time
from slant.runs.workers import Workers, worked_off

def slow(item):
    time.sleep(0.3)
    return item, os.getpid()

made, drawn = [], []

def items():
    more = 12
    while more:
        seen = len({pid for _, pid in made})
        if seen == 2 and more == 12:
            print("both nodes have worked", flush=True)
        more -= seen == 2
        drawn.append(len(drawn))
        yield drawn[-1]

if __name__ == "__main__":
    for one in worked_off(slow, items(), Workers(2, "ray", sys.argv[1])):
        made.append(one)
        assert len(drawn) <= len(made) + 4
    print(sorted(item for item, _ in made) == drawn, flush=True)
"""


def test_a_machine_that_goes_away_loses_nothing(cluster, tmp_path):
    script = tmp_path / "slow.py"
    script.write_text(SLOW)
    with cluster.command(str(script), cluster.address) as process:
        assert process.stdout.readline().startswith("both")
        cluster.tell("lose")
        out, err = process.communicate(timeout=BOUND)
    cluster.tell("join")
    assert (process.returncode, out.splitlines()[-1]) == (0, "True"), err


LETTERS = """
import sys
from pathlib import Path
import numpy as np
from slant.data.streams import open_corpus
from slant.runs.predicting import scored_corpus
from slant.runs.shards import Answers, claimed, shard_folder
from slant.runs.store import only_writer
from slant.runs.workers import Workers

def letters(texts):
    p = np.array([len(text) / 100 for text in texts])
    whole = np.ones(len(texts), dtype=np.int64)
    return Answers(p, p > 0.2, whole, 0 * whole, whole < 0)

if __name__ == "__main__":
    out = Path(sys.argv[2])
    workers = Workers(2, "ray", sys.argv[3]) if sys.argv[3] else Workers(1)
    with only_writer(shard_folder(out)):
        claimed(out, {}, False)
        scored_corpus(open_corpus(Path(sys.argv[1]), None, None), out, letters, {},
                      {"detector": "letters"}, rows=20, workers=workers, bands=None,
                      progress=lambda *_: None)
"""


def test_a_corpus_scored_on_a_cluster_has_the_bytes_of_one_process(cluster, tmp_path):
    """With a detector that counts letters, since two workers load torch for many seconds."""
    script, corpus = tmp_path / "letters.py", tmp_path / "corpus.txt"
    script.write_text(LETTERS)
    corpus.write_text("\n".join(made_texts(190)))
    for name, address in (("here", ""), ("there", cluster.address)):
        out = str(tmp_path / f"{name}.parquet")
        with cluster.command(str(script), str(corpus), out, address) as process:
            _, err = process.communicate(timeout=BOUND)
        assert process.returncode == 0, err
    assert pl.read_parquet(tmp_path / "there.parquet")["probability"].len() == 190
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--address", "127.0.0.1:9"], "Reaching the Ray cluster '127.0.0.1:9': none answers"),
        (["--address", "ray://127.0.0.1:9"], "none answers (Connection refused)"),
        (["--address", "http://127.0.0.1:9"], "Write HOST:PORT, ray://HOST:PORT or auto"),
        (["--address", "127.0.0.1"], "it is no host with a port"),
        (["--address", "127.0.0.1:99999"], "port out of range"),
    ],
)
def test_a_scheduler_that_cannot_be_reached_is_one_line(cluster, tmp_path, words, says):
    begun = time.monotonic()
    code, out, err = cluster.slant(
        "run", "open/sentences", "-s", "majority", "-o", str(tmp_path / "run"), "-q",
        "--engine", "ray", *words,
    )  # fmt: skip
    assert time.monotonic() - begun < 30
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert says in err
    assert not (tmp_path / "run").exists()


def test_a_port_where_something_else_listens_does_not_hang(cluster, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        begun = time.monotonic()
        code, _, err = cluster.slant(
            "run", "open/sentences", "-s", "majority", "-o", str(tmp_path / "run"), "-q",
            "--engine", "ray", "--address", f"127.0.0.1:{other.getsockname()[1]}",
        )  # fmt: skip
    assert code == 2
    assert "no Ray cluster spoke" in err
    assert time.monotonic() - begun < 50


def test_a_cluster_without_gpus_is_told_at_once(cluster, tmp_path):
    code, _, err = cluster.slant(
        "run", "open/sentences", "-s", "majority", "-o", str(tmp_path / "run"), "-q",
        "--engine", "ray", "--address", cluster.address, "--gpus-per-worker", "1",
    )  # fmt: skip
    assert (code, err.count("\n")) == (2, 1), err
    assert "it has not a CPU and 1 GPU for a worker" in err


def test_an_error_on_a_worker_is_the_error_of_the_command(cluster, tmp_path):
    script = tmp_path / "lazy.py"
    script.write_text(
        "import sys, slant\n"
        "from slant.errors import SlantError\n"
        "from slant.types import YES, Prediction\n"
        "def lazy(folds, seed):\n"
        "    for fold in folds:\n"
        "        yield [Prediction(item.id, YES) for item in fold.test[1:]]\n"
        "try:\n"
        "    slant.run('open/sentences', lazy, sys.argv[1], engine='ray', address=sys.argv[2])\n"
        "except SlantError as error:\n"
        "    print(type(error).__name__, error)\n"
    )
    with cluster.command(str(script), str(tmp_path / "run"), cluster.address) as process:
        out, err = process.communicate(timeout=BOUND)
    assert process.returncode == 0, err
    assert out.startswith("RunError Running the system 'lazy': it answered")


def test_a_worker_that_sees_another_folder_or_has_other_software_is_told(tmp_path):
    with marked([tmp_path]) as around:
        check_surroundings(around)
        away = Surroundings((tmp_path / "away",), around.mark, around.home, around.software)
        with pytest.raises(RunError, match=r"does not see '.*away'.*all machines share"):
            check_surroundings(away)
        older = {**software(), "numpy": "1.0"}
        with pytest.raises(RunError, match=r"numpy is .* there and 1\.0 where the command"):
            check_surroundings(Surroundings((), None, around.home, older))
    # A folder of the same name on another machine has no such file.
    with pytest.raises(RunError, match="does not see"):
        check_surroundings(around)
