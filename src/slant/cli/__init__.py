"""The command line: arguments to an exit code; nothing is computed here."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from slant.errors import SlantError, shown

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line.

    Args:
        argv: the arguments; None: those of the process.

    Raises:
        SystemExit: 0 done; 2 something given must change; 1 the work failed for another cause;
            130 interrupted.
    """
    from typer import Abort

    from slant.cli.app import app

    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name of a file may hold bytes that are no text: it is shown, and never a traceback.
        sys.stdout.reconfigure(errors="backslashreplace")
    for one in sys.argv[1:] if argv is None else argv:
        if any("\ud800" <= sign <= "\udfff" for sign in one):
            # Such a name cannot be written into records and pages, all of which are UTF-8.
            _fail(f"{shown(f'The argument {one!a} is not UTF-8')}. Rename what it names.", 2)
    try:
        code = app(
            args=list(argv) if argv is not None else None,
            prog_name="slant",
            standalone_mode=False,
        )
        # typer turns an interruption into this code.
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        sys.exit(code if isinstance(code, int) else 0)
    except SlantError as error:
        _fail(str(error), error.exit_code)
    except (KeyboardInterrupt, Abort):
        _fail(
            "Interrupted: what is finished is kept. The same command goes on from here.",
            INTERRUPTED,
        )
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        # A name that the system refuses before anything could be made of it: too long, no rights.
        from slant.data.writing import refusal

        named = f"Opening '{os.fsdecode(error.filename)}'" if error.filename else "Running this"
        refused = refusal(named, error)
        _fail(str(refused), refused.exit_code)
    except MemoryError:
        _fail("The work ran out of memory. Use fewer --jobs or a smaller data set.", 1)
    except Exception as error:
        # Usage errors are of typer's own classes, which have moved between its versions.
        if not hasattr(error, "format_message"):
            raise
        message = error.format_message()
        if type(error).__name__ == "NoArgsIsHelpError":
            print(message)
            sys.exit(0)
        end = "" if message.endswith("?") else "."
        _fail(f"{shown(message.rstrip('.'))}{end} See `{_path(error)} --help`.", 2)


def _fail(line: str, code: int) -> NoReturn:
    from slant.report.escaping import one_line
    from slant.runs.secretkeys import scrubbed

    print(f"error: {scrubbed(one_line(line))}", file=sys.stderr)
    sys.exit(code)


def _path(error: Any) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if context is not None else "slant"
