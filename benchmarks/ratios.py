"""How a benchmark says a ratio, in a line that `docs/results/make_speed.py` reads."""

from __future__ import annotations

HEAD = "ratio"


def say_ratio(
    what: str, ratio: float, peer: str, least: float | None = None, most: float | None = None
) -> None:
    """Print one ratio.

    Args:
        what: that was measured.
        ratio: how many times faster than the peer; or of memory or time, at two sizes.
        peer: what it is measured against.
        least, most: the mark, where the benchmark has one.
    """
    mark = "shown"
    if least is not None:
        mark = f"at least {least:,g}"
    elif most is not None:
        mark = f"at most {most:,g}"
    digits = 0 if ratio >= 100 else 1 if ratio >= 10 else 2
    print("\t".join((HEAD, what, f"{ratio:,.{digits}f}", peer, mark)), flush=True)
