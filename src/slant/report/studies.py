"""A study of explanations: its models, and what models, methods and choices are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slant.report.entries import system_name, task_name
from slant.report.settings import common_signature
from slant.report.tables import counted
from slant.stats.levels import level_percent

Read = Mapping[str, Any]

METHOD_NAMES = {
    "cls-attention": "CLS attention",
    "rollout": "rollout",
    "rollout-as-printed": "rollout, printed order",
    "gradient-attention": "gradient × attention",
    "flow": "attention flow",
    "integrated-gradients": "integrated gradients",
    "input-gradient": "input × gradient",
    "occlusion": "occlusion",
    "shap": "SHAP",
    "lime": "LIME",
    "idf": "inverse document frequency",
    "lexicon": "lexicon",
    "random": "random",
}
SCORE_NAMES = {
    "auroc": "AUROC",
    "average_precision": "average precision",
    "token_f1": "token F1",
    "iou_f1": "IOU F1",
}
READING_NAMES = {"classes": "between classes", "corruption": "against corruption"}
KIND_NAMES = {
    "words": "marked words corrupted",
    "random_words": "random words corrupted",
    "excess": "excess of marked over random words",
}
_CORRUPTIONS = {
    "resample": "another word of the same length in its place",
    "mask": "the mask token in its place",
    "unknown": "the unknown token in its place",
}
_READOUTS = {"probe": "a probe on clean training states", "head": "the model's own head"}
_SCALES = {"logit": "as a logit of biased", "probability": "as a probability of biased"}
_RANKINGS = {"signed": "by signed effect", "absolute": "by the size of the effect"}


@dataclass(frozen=True, slots=True)
class Subject:
    """One model of a study.

    Fields:
        name: of its run.
        label: what it is called in every table and figure; no other has it.
        model: the system without its version.
        condition: how it was fine-tuned.
        lam: weight of attention supervision, 0 for none.
        explain, circuit: what explain.json and circuit.json say of it, None where nothing.
    """

    name: str
    label: str
    model: str
    condition: str
    lam: float
    explain: Read | None
    circuit: Read | None

    @property
    def facts(self) -> Read:
        """What either file says of the model itself: signature, params, seeds."""
        found = self.explain or self.circuit
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Study:
    """explain.json and circuit.json, either may be None, and their models, those of the first file
    first."""

    explain: Read | None
    circuit: Read | None
    subjects: tuple[Subject, ...]

    @property
    def explained(self) -> tuple[Subject, ...]:
        """The models of explain.json."""
        return tuple(one for one in self.subjects if one.explain)

    @property
    def circuited(self) -> tuple[Subject, ...]:
        """The models of circuit.json."""
        return tuple(one for one in self.subjects if one.circuit)

    @property
    def task(self) -> str:
        """The task's name for a reader."""
        return task_name(str((self.explain or self.circuit or {}).get("task", "")))

    def subject(self, name: str) -> Subject:
        """The model of a run."""
        return next(one for one in self.subjects if one.name == name)


def study(explain: Read | None, circuit: Read | None) -> Study:
    """The study of two files, checked by `runs.studyrecords`.

    Args:
        explain, circuit: as read; one of them may be None.
    """
    parts = [(read or {}).get("models", {}) for read in (explain, circuit)]
    names = list(dict.fromkeys([*parts[0], *parts[1]]))
    facts = [parts[0].get(name) or parts[1][name] for name in names]
    models = _short([system_name(str(one["system"])) for one in facts])
    conditions = _told_apart(models, [one["params"] for one in facts], names)
    subjects = [
        Subject(
            name=name,
            label=f"{model} ({condition})",
            model=model,
            condition=condition,
            lam=attention_lambda(one),
            explain=parts[0].get(name),
            circuit=parts[1].get(name),
        )
        for name, model, condition, one in zip(names, models, conditions, facts, strict=True)
    ]
    return Study(explain, circuit, tuple(subjects))


def _short(models: Sequence[str]) -> list[str]:
    # What all of them begin with tells none apart, nor does a fingerprint where names differ.
    every = all(model.startswith("encoder:") for model in models)
    plain = [model.removeprefix("encoder:") if every else model for model in models]
    bare = [model.partition("#")[0] for model in plain]
    alike = len(set(bare)) < len(set(plain))
    return plain if alike else bare


def attention_lambda(facts: Read) -> float:
    """The weight of attention supervision that a model was trained with, 0 for none."""
    return float(facts["params"].get("attention_lambda", 0.0))


def _told_apart(models: Sequence[str], params: Sequence[Read], names: Sequence[str]) -> list[str]:
    conditions = []
    for i, own in enumerate(params):
        lam = float(own.get("attention_lambda", 0.0))
        said = [f"supervised, λ {lam:g}" if lam else "standard"]
        same = [j for j, model in enumerate(models) if model == models[i]]
        keys = sorted({key for j in same for key in params[j]} - {"attention_lambda"})
        said += [
            f"{key} {own[key]}"
            for key in keys
            if key in own and len({str(params[j].get(key)) for j in same}) > 1
        ]
        conditions.append(", ".join(said))
    pairs = list(zip(models, conditions, strict=True))
    return [
        f"{condition}, {names[i]}" if pairs.count(pairs[i]) > 1 else condition
        for i, condition in enumerate(conditions)
    ]


def supervised_pairs(these: Iterable[Subject]) -> list[tuple[Subject, Subject]]:
    """Each model with attention supervision behind the same one without, all else equal."""
    every = list(these)
    return [
        (plain, taught)
        for plain in every
        for taught in every
        if plain.lam == 0 and taught.lam != 0 and _without_lambda(plain) == _without_lambda(taught)
    ]


def sweeps(these: Iterable[Subject]) -> list[list[Subject]]:
    """Groups of at least two models that differ only in attention supervision, by its weight."""
    groups: dict[str, list[Subject]] = {}
    for one in these:
        groups.setdefault(_without_lambda(one), []).append(one)
    found = [sorted(group, key=lambda one: one.lam) for group in groups.values()]
    return [group for group in found if len({one.lam for one in group}) > 1]


def _without_lambda(one: Subject) -> str:
    rest = {k: v for k, v in one.facts["params"].items() if k != "attention_lambda"}
    return f"{one.model} {sorted(rest.items())}"


def method_name(method: str) -> str:
    """A method's or baseline's name for a reader.

    >>> method_name("gradient-attention"), method_name("idf")
    ('gradient × attention', 'inverse document frequency')
    """
    return METHOD_NAMES.get(method, method)


def methods_of(these: Iterable[Subject]) -> list[str]:
    """The methods of all models, in the order of the package."""
    given = dict.fromkeys(m for one in these for m in (one.explain or {}).get("plausibility", {}))
    return [m for m in METHOD_NAMES if m in given] + [m for m in given if m not in METHOD_NAMES]


_OF_RESULTS = (
    "part", "unit", "aggregation", "target", "corruption", "readout", "scale", "ranking",
    "patching", "discovery", "verification", "draws", "sample", "resamples",
)  # fmt: skip


def signature_text(these: Iterable[Subject], read: Read | None) -> str:
    """One signature for some models, with a star where they differ, and the choices of the results.

    Args:
        these: the models.
        read: explain.json or circuit.json, of which the table is; None: the models' alone.
    """
    models = common_signature([str(one.facts["signature"]) for one in these])
    if not read:
        return models
    choices = ",".join(f"{key}={read[key]}" for key in _OF_RESULTS if read.get(key) is not None)
    return f"{models}|{'circuit' if 'corruption' in read else 'explain'}:{choices}"


def level_text(read: Read) -> str:
    """What brackets hold, e.g. "95% intervals (1,000 resamples)"."""
    return f"{level_percent(read['level'])} intervals ({counted(int(read['resamples']))} resamples)"


def range_counted(values: Sequence[int], unit: str) -> str:
    """A count, or the least and the most of several.

    >>> range_counted([292, 288], "sentences"), range_counted([1], "seed")
    ('288 to 292 sentences', '1 seed')
    """
    low, high = min(values), max(values)
    return f"{counted(low)} {unit}" if low == high else f"{counted(low)} to {counted(high)} {unit}"


def seeds_text(these: Sequence[Subject]) -> str:
    """How many seeds the models have, e.g. "5 seeds"."""
    counts = [len(one.facts["seeds"]) for one in these]
    return range_counted(counts, "seed" if max(counts) == 1 else "seeds")


def sentences_text(these: Sequence[Subject]) -> str:
    """The test sentences that plausibility is taken over, of each seed."""
    shown = [int(row["shown"]) for one in these for row in (one.explain or {}).get("sentences", ())]
    if not shown:
        return "no test sentences"
    return f"{range_counted(shown, 'test sentences')} of each seed that have both classes of words"


def choices_text(circuit: Read) -> str:
    """How the heads were found and tried, in one sentence."""
    corruption, readout = str(circuit["corruption"]), str(circuit["readout"])
    ranking = str(circuit["ranking"])
    return (
        f"Corruption {corruption}: {_CORRUPTIONS.get(corruption, 'as named')}; read out by "
        f"{_READOUTS.get(readout, readout)}, {_SCALES[str(circuit['scale'])]}; heads ranked "
        f"{_RANKINGS.get(ranking, ranking)} on {circuit['discovery']}, tried on "
        f"{circuit['verification']}; {circuit['draws']} random sets of heads for each k."
    )
