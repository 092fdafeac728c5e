"""A real MediaWiki on 127.0.0.1, started by `mediawiki.sh`."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

SCRIPT = Path(__file__).with_name("mediawiki.sh")
NOT_INSTALLED = 3


class RealWiki(NamedTuple):
    """A MediaWiki that answers at `url`, from the database and settings in `folder`."""

    url: str
    folder: Path
    dump: Path

    def maintain(self, script, *arguments, given=""):
        """Run one of MediaWiki's maintenance scripts on this wiki."""
        package = os.environ.get("MEDIAWIKI", "/usr/share/mediawiki")
        subprocess.run(
            ["php", f"{package}/maintenance/{script}", *map(str, arguments)],
            env={**os.environ, "MW_CONFIG_FILE": str(self.folder / "LocalSettings.php")},
            input=given, text=True, check=True, capture_output=True,
        )  # fmt: skip


@contextmanager
def started(folder, dump, **variables):
    """A MediaWiki from `mediawiki.sh`; ended with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [SCRIPT, folder, dump, str(port)],
        env={**os.environ, **variables},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            url = process.stdout.readline().strip()
            if not url:
                said = process.stderr.read().strip()
                if process.wait() == NOT_INSTALLED:
                    pytest.skip(said)
                pytest.fail(f"mediawiki.sh: {said}")
            yield RealWiki(url, folder, dump)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
