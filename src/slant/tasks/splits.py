"""How rows are split, as it is asked for and as it is said."""

from __future__ import annotations

import math

from slant.errors import OptionError
from slant.tasks.options import Options


def split_changes(split: str | None, folds: int | None) -> dict[str, str]:
    """What `--split 80/10/10` or `--folds 5` changes of a protocol.

    Args:
        split: the parts of train, dev and test, as percentages or any other positive numbers.
        folds: of cross-validation.

    Returns:
        Options by name, as `--set` gives them; none where neither is given.

    Raises:
        OptionError: both are given, or parts that are not three positive numbers.

    >>> split_changes("80/10/10", None)
    {'split': 'holdout', 'dev_share': '0.1', 'test_share': '0.1'}
    >>> split_changes(None, 5)
    {'split': 'folds', 'folds': '5'}
    """
    if split is not None and folds is not None:
        found = f"--split {split} and --folds {folds} were given"
        raise OptionError("Choosing the split", found, "Give one of them")
    if folds is not None:
        return {"split": "folds", "folds": str(folds)}
    if split is None:
        return {}
    try:
        parts = [float(part) for part in split.split("/")]
    except ValueError:
        parts = []
    if len(parts) != 3 or not all(0 < part < math.inf for part in parts):
        found = "it is not three numbers above 0 with / between them"
        do = "Write the parts of train, dev and test, for example 80/10/10"
        raise OptionError(f"Reading --split '{split}'", found, do)
    if not any(math.isclose(sum(parts), whole) for whole in (1, 10, 100)):
        do = "Write parts of 100 (80/10/10), of 10 or of 1"
        raise OptionError(f"Reading --split '{split}'", f"its parts add up to {sum(parts):g}", do)
    dev, test = (f"{part / sum(parts):.12g}" for part in parts[1:])
    return {"split": "holdout", "dev_share": dev, "test_share": test}


def split_text(options: Options) -> str:
    """How rows are split, in words.

    >>> from slant.tasks.options import CLEAN, chosen_options
    >>> split_text(CLEAN), split_text(chosen_options("clean", {}, ["vilbias"]))
    ('5 folds', 'holdout 80/10/10')
    >>> split_text(chosen_options("clean", {"train_on": "babe"}))
    'trained on babe'
    """
    if options.train_on:
        return f"trained on {options.train_on}"
    if options.split == "folds":
        return f"{options.folds} folds"
    rest = 1 - options.dev_share - options.test_share
    parts = (rest, options.dev_share, options.test_share)
    return f"holdout {'/'.join(f'{100 * part:.3g}' for part in parts)}"
