"""Campaigns as their user calls them, in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def ran(*words, first=()):
    """A script of campaigns, or Python code after "-c"; `first` are folders before all others."""
    path = os.pathsep.join([*map(str, first), str(ROOT / "campaigns"), *sys.path])
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def conducted(folder, *words, planted=""):
    """How a campaign ended, and its rows by name.

    Args:
        folder: for its rows, and for what is planted.
        words: the script and its arguments.
        planted: code that its process runs before all else.
    """
    (folder / "sitecustomize.py").write_text(planted)
    out = folder / "rows.json"
    ended = ran(*words, "--out", str(out), first=[folder])
    assert out.exists(), ended.stdout + ended.stderr
    return ended, {row["what"]: row for row in json.loads(out.read_text())["rows"]}
