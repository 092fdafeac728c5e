"""Every choice where paper, official repository and good practice part, and two named presets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, get_args, get_type_hints

from slant.errors import OptionError, unknown_name
from slant.types import Preset


@dataclass(frozen=True, slots=True)
class Options:
    """One protocol of a binary text task. docs/benchmarks/mbib.md says what each choice means.

    Fields:
        preset: the name of the preset that the choices started from.
        labels: `official` rule of the MBIB repository, or the `source`'s own meaning.
        cleaning: `official` letters-and-digits cleaning, or `minimal` normalisation.
        members: which data sets make up a task.
        datasets: explicit members ("072+012"); empty: as `members` says.
        partial: whether data sets of which only a part is here are used.
        smallest: data sets with fewer decided rows than this stay out: what is left of a sample
            cannot be scored by itself.
        duplicates: `text`: the first of equal texts stays; `key`: of texts equal but for case,
            punctuation and blanks.
        contradictions: equal texts with different labels: keep the `first` or `drop` all.
        balance: equal numbers of both labels per `task`, per `dataset`, or `none`.
        groups: which rows must stay in one fold: `none`, or any of near, article, pair and outlet
            with "+".
        near: similarity from which two texts count as near-duplicates, in (0, 1].
        strata: what every fold has the same share of.
        folds: number of folds.
        dev: a `quarter` of the held-out fold, or an `eighth` of the training folds.
        f1: which F1 average is shown: of the `biased` class, mean over `class`es, `weighted`.
        undefined: the value of 0/0 in any score: `zero`, as scikit-learn's default, or `none`.
        one_class: whether data sets with one label `enter` the mean over data sets or stay `out`.
        macro_denominator: `present` data sets, or `published`: three for racial bias.
        train_share: share of the training clusters that is trained on, in (0, 1].
        train_rows: the most rows of a fold that are trained on, whole clusters; 0 for all.
        split: cross-validation in `folds`, or one `holdout` into train, dev and test.
        test_share, dev_share: of the holdout, in (0, 1); `folds` and `dev` mean nothing there.
        target: of pairs of text and image: the label of both (`multimodal`), of the `text` or of
            the `image`.
        votes: whose labels ViLBias has: the `published` ones, or majorities of its annotators'
            votes, a tie being drawn by a seed (`seeded`), going as the `first` voted, or `drop`ped.
        split_seed: of balance and split: `run`, that of the run itself, or a whole number, so
            that several seeds train on one split.
        train_on: full name of another task: its rows are trained and tuned on, and all rows of
            the task are tested, so that nothing is split; empty: the task's own.
    """

    preset: Preset
    labels: Literal["official", "source"]
    cleaning: Literal["official", "minimal"]
    members: Literal["published", "script", "table2"]
    datasets: str
    partial: Literal["use", "skip"]
    smallest: int
    duplicates: Literal["text", "key"]
    contradictions: Literal["first", "drop"]
    balance: Literal["task", "dataset", "none"]
    groups: str
    near: float
    strata: Literal["dataset", "dataset+label"]
    folds: int
    dev: Literal["quarter", "eighth"]
    f1: Literal["biased", "class", "weighted"]
    undefined: Literal["zero", "none"]
    one_class: Literal["enter", "out"]
    macro_denominator: Literal["present", "published"]
    train_share: float
    train_rows: int = 0
    split: Literal["folds", "holdout"] = "folds"
    test_share: float = 0.15
    dev_share: float = 0.15
    split_seed: str = "run"
    target: Literal["multimodal", "text", "image"] = "multimodal"
    votes: Literal["published", "seeded", "first", "drop"] = "published"
    train_on: str = ""

    @property
    def splits(self) -> int:
        """How many times a system is trained and tested per seed."""
        return 1 if self.split == "holdout" or self.train_on else self.folds

    def seed_of_split(self, seed: int) -> int:
        """The seed of balance and split in a run with `seed`."""
        return seed if self.split_seed == "run" else int(self.split_seed)

    @property
    def labels_preset(self) -> Preset:
        """The preset whose reading rules the readers follow."""
        return "official" if self.labels == "official" else "clean"


OFFICIAL = Options(
    preset="official",
    labels="official",
    cleaning="official",
    members="published",
    datasets="",
    partial="use",
    smallest=100,
    duplicates="text",
    contradictions="first",
    balance="task",
    groups="none",
    near=0.5,
    strata="dataset",
    folds=5,
    dev="quarter",
    f1="weighted",
    undefined="zero",
    one_class="enter",
    macro_denominator="present",
    train_share=1.0,
)

CLEAN = Options(
    preset="clean",
    labels="source",
    cleaning="minimal",
    members="table2",
    datasets="",
    partial="use",
    smallest=100,
    duplicates="key",
    contradictions="drop",
    balance="dataset",
    groups="near+article+pair",
    near=0.5,
    strata="dataset+label",
    folds=5,
    dev="eighth",
    f1="class",
    undefined="zero",
    one_class="out",
    macro_denominator="present",
    train_share=1.0,
)

PRESETS: dict[str, Options] = {"official": OFFICIAL, "clean": CLEAN}
_AS_IN_VILBIAS = {
    "split": "holdout", "test_share": "0.1", "dev_share": "0.1", "balance": "none", "f1": "biased",
}  # fmt: skip
OF_TASK: dict[str, dict[str, str]] = {
    "babe": {"split": "holdout"},
    "vilbias": _AS_IN_VILBIAS,
    "vilbias/vldbench": _AS_IN_VILBIAS,
    "vilbias/mediaeval": {"balance": "none"},
    "open/pairs": {"balance": "none", "f1": "biased"},
}
"""What tasks change of any preset, unless it is set."""
_LATER = {"train_rows", "split", "split_seed", "target", "votes", "train_on"}
"""Choices that came later: a signature has them where they change something."""
_OF_SPLIT = {"split", "folds", "dev", "test_share", "dev_share"}
"""Choices that mean nothing where another task is trained on."""
GROUPS = ("near", "article", "pair", "outlet")


def chosen_options(preset: str, changes: Mapping[str, str], tasks: Sequence[str] = ()) -> Options:
    """A preset with some of its choices changed.

    Args:
        preset: "official" or "clean".
        changes: option name to value as text, as `--set NAME=VALUE` gives them.
        tasks: full names: what all of them change of a preset (`OF_TASK`) is changed before.

    Returns:
        The options; every value checked.

    Raises:
        UnknownName: no such preset or option. OptionError: a value the option cannot take.

    >>> chosen_options("clean", {"folds": "10"}).folds
    10
    >>> [chosen_options("clean", {}, tasks).split for tasks in (["babe"], ["babe", "mbib/072"])]
    ['holdout', 'folds']
    >>> chosen_options("clean", {"train_on": "open/sentences"}, ["babe"]).splits
    1
    """
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    hints = get_type_hints(Options)
    typed: dict[str, str | int | float] = {}
    wishes = [OF_TASK.get(task, {}) for task in tasks]
    shared = wishes[0] if wishes and all(one == wishes[0] for one in wishes) else {}
    if changes.get("train_on"):
        shared = {name: text for name, text in shared.items() if name not in _OF_SPLIT}
        if given := sorted(_OF_SPLIT & set(changes)):
            found = f"{', '.join(given)} was given too, and all rows of a task are tested then"
            raise OptionError(f"Training on '{changes['train_on']}'", found, "Leave one out")
    for name, text in {**shared, **changes}.items():
        if name not in hints or name == "preset":
            raise unknown_name("option", name, [key for key in hints if key != "preset"])
        typed[name] = _typed(name, text, hints[name])
    chosen = replace(PRESETS[preset], **typed)  # type: ignore[arg-type]
    if chosen.split == "holdout" and chosen.test_share + chosen.dev_share >= 1:
        found = f"test_share={chosen.test_share} and dev_share={chosen.dev_share} leave no train"
        raise OptionError("Setting the shares of the holdout", found, "Give less than 1 together")
    return chosen


def _typed(name: str, text: str, kind: object) -> str | int | float:
    asked = f"Setting the option '{name}'"
    if allowed := get_args(kind):
        if text not in allowed:
            raise OptionError(asked, f"'{text}' is not one of its values", f"Use {_or(allowed)}")
        return text
    if name == "groups":
        parts = tuple(text.split("+"))
        if text != "none" and not set(parts) <= set(GROUPS):
            raise OptionError(
                asked,
                f"'{text}' names an unknown group",
                "Use none, or near, article, pair, outlet with +",
            )
        return text
    if name == "split_seed" and text != "run" and not (text.isdecimal() and int(text) < 2**32):
        found = f"'{text}' is neither run nor a whole number below 2**32"
        raise OptionError(asked, found, "Use run, or a number such as 42")
    if kind is str:
        return text
    try:
        value = int(text) if kind is int else float(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise OptionError(asked, f"'{text}' is not {wanted}", f"Give {wanted}") from None
    if kind is int and value < 2:
        raise OptionError(asked, f"{text} is too few", "Give 2 or more")
    if kind is float and not 0 < value <= 1:
        raise OptionError(asked, f"{text} is outside (0, 1]", "Give a share above 0, at most 1")
    return value


def _or(values: tuple[object, ...]) -> str:
    return " or ".join(str(value) for value in values)


def signature_fields(options: Options) -> dict[str, str]:
    """What of the options stands in a signature, in the order of the fields: all of it, but for
    choices that came later where they change nothing, so that a signature is as it was before
    there were these, and for those of a split that a holdout, or training on another task, makes
    mean nothing."""
    shown = {name: str(value) for name, value in asdict(options).items()}
    idle = {"folds", "dev"} if options.split == "holdout" else {"test_share", "dev_share"}
    idle = _OF_SPLIT if options.train_on else idle
    names = [
        field.name
        for field in fields(options)
        if field.name not in idle
        and not (field.name in _LATER and shown[field.name] == str(field.default))
    ]
    return {name: shown[name] or "as-members" for name in names}
