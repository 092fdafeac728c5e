"""The command line: arguments to an exit code; nothing is computed here."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from slant.errors import SlantError


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line.

    Args:
        argv: the arguments; None: those of the process.

    Raises:
        SystemExit: 0 done; 2 something given must change; 1 the work failed for another cause;
            130 interrupted.
    """
    from slant.cli.app import app

    try:
        app(args=list(argv) if argv is not None else None, prog_name="slant")
    except SlantError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("interrupted: run the same command again to go on from here", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except MemoryError:
        print(
            "error: The work ran out of memory. Use fewer --jobs or a smaller data set.",
            file=sys.stderr,
        )
        sys.exit(1)
