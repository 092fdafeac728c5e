"""`slant serve` as its user types it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from called import slant

from slant.runs.lightdetector import light_detector

DEADLINE = 240


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """One store for the module with the light detector in it."""
    made = tmp_path_factory.mktemp("store")
    kept = tmp_path_factory.getbasetemp().parent / "light-detectors"
    if kept.is_dir():
        shutil.copytree(kept, made / "analysis")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(made))
        light_detector()
    return made


@pytest.fixture
def started(store, tmp_path):
    """A started command and the address that it said."""
    begun = []

    def start(*arguments, cache=store):
        process = subprocess.Popen(
            [sys.executable, "-m", "slant", "serve", "--port", "0", "--jobs", "1", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
            env={**os.environ, "SLANT_CACHE": str(cache)},
        )  # fmt: skip
        begun.append(process)
        return process, process.stdout.readline().strip() if cache is store else ""

    yield start
    for process in begun:
        process.kill()
        process.communicate()


def page(address):
    # Proxies of the environment are not for this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(address, timeout=30) as answer:
        return answer.read().decode()


def gone(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(one) for one in file.read().split()]


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_says_its_address_and_ends_cleanly(started, tmp_path, sign):
    process, address = started("--history", "h.sqlite3")
    assert "Read an article" in page(address)
    (worker,) = children(process.pid)
    process.send_signal(sign)
    out, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0
    assert (out, err) == ("", "Ctrl-C ends it\nEnded\n")
    assert gone(worker)
    assert (tmp_path / "h.sqlite3").exists()


def test_the_first_start_says_that_it_teaches_before_it_does(started, tmp_path):
    process, _ = started("--no-history", cache=tmp_path / "cold")
    said = "Teaching the light detector on open/sentences, once: about 20 seconds\n"
    assert process.stderr.readline() == said
    assert not list((tmp_path / "cold").rglob("*.npz"))


def test_a_start_with_given_detectors_teaches_nothing(started, tmp_path):
    process, _ = started("--no-history", "--detector", "absent", cache=tmp_path / "cold")
    _, err = process.communicate(timeout=DEADLINE)
    assert "no such folder" in err
    assert "Teaching" not in err


def test_a_killed_server_leaves_no_process(started):
    process, address = started("--no-history")
    assert "Nothing is kept" in page(address)
    (worker,) = children(process.pid)
    process.kill()
    process.wait(DEADLINE)
    end = time.monotonic() + DEADLINE
    while not gone(worker):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_token_that_was_made_is_said_once_and_one_that_was_given_never(started):
    process, address = started("--no-history", "--host", "0.0.0.0")
    process.terminate()
    _, err = process.communicate(timeout=DEADLINE)
    assert address.startswith("http://0.0.0.0:")
    assert [line[:7] for line in err.splitlines()].count("Token: ") == 1
    process, _ = started("--no-history", "--token", "a-token-of-this-test")
    process.terminate()
    out, err = process.communicate(timeout=DEADLINE)
    assert "a-token" not in out + err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--host", "203.0.113.7"], "none of this machine"),
        (["--token", "short"], "16 or more"),
        (["--history", "h.sqlite3", "--no-history"], "Give one of them"),
        (["--history", "."], "Give another --history"),
        (["--detector", "absent", "--no-history", "--port", "0"], "no such folder"),
        (["--schema", "bite", "--no-history", "--port", "0"], "Did you mean bait"),
    ],
)
def test_what_is_wrong_is_one_line(capsys, tmp_path, monkeypatch, store, arguments, said):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLANT_CACHE", str(store))
    code, out, err = slant(capsys, "serve", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_port_that_is_taken_is_one_line(capsys, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, err = slant(capsys, "serve", "--port", port, "--history", tmp_path / "h")
    assert code == 2
    assert f"127.0.0.1 port {port}: another program has the port" in err
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_names_what_to_install(capsys, monkeypatch):
    monkeypatch.setattr("slant.web.serving.find_spec", lambda name: None)
    code, _, err = slant(capsys, "serve")
    assert code == 2
    assert 'pip install "slant[web,analyze]"' in err
