"""Every choice where paper, official repository and good practice part, and two named presets."""

from __future__ import annotations

from collections.abc import Mapping
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
        groups: which rows must stay in one fold: `none`, or any of near, article, pair with "+".
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
GROUPS = ("near", "article", "pair")


def chosen_options(preset: str, changes: Mapping[str, str]) -> Options:
    """A preset with some of its choices changed.

    Args:
        preset: "official" or "clean".
        changes: option name to value as text, as `--set NAME=VALUE` gives them.

    Returns:
        The options; every value checked.

    Raises:
        UnknownName: no such preset or option. OptionError: a value the option cannot take.

    >>> chosen_options("clean", {"folds": "10"}).folds
    10
    """
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    hints = get_type_hints(Options)
    typed: dict[str, str | int | float] = {}
    for name, text in changes.items():
        if name not in hints or name == "preset":
            raise unknown_name("option", name, [key for key in hints if key != "preset"])
        typed[name] = _typed(name, text, hints[name])
    return replace(PRESETS[preset], **typed)  # type: ignore[arg-type]


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
                asked, f"'{text}' names an unknown group", "Use none, or near, article, pair with +"
            )
        return text
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
    `train_rows` where it is 0, so that a signature is as it was before there was that choice."""
    shown = {name: str(value) for name, value in asdict(options).items()}
    names = [field.name for field in fields(options) if field.name != "train_rows"]
    names += ["train_rows"] if options.train_rows else []
    return {name: shown[name] or "as-members" for name in names}
