"""A command run in this process."""

from __future__ import annotations

from slant.cli import main


def slant(capsys, *arguments):
    """Exit code, stdout, stderr of one command in this process."""
    capsys.readouterr()
    try:
        main([str(argument) for argument in arguments])
        code = 0
    except SystemExit as exit_:
        code = exit_.code or 0
    out, err = capsys.readouterr()
    return code, out, err
