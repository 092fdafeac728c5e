"""Checkpoints that several test files share."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import save_tiny


@pytest.fixture(scope="session")
def tiny_folders(tmp_path_factory):
    """Makes, once a session, the folder of a family's tiny checkpoint."""
    made: dict[str, Path] = {}

    def folder(kind="bert"):
        if kind not in made:
            made[kind] = save_tiny(tmp_path_factory.mktemp(kind), kind)
        return made[kind]

    return folder
