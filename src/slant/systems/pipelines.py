"""Pipelines of Hugging Face transformers as systems: asked as they are, nothing is learnt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from slant.errors import OptionError, unknown_name
from slant.systems.batches import longest_window
from slant.systems.capacity import BESIDE
from slant.systems.checkpoints import quiet_transformers
from slant.systems.encoder import one_thread
from slant.systems.heads import MULTIPLE, label_names, own_rows
from slant.systems.memory import within_memory
from slant.systems.parameters import Parameter, whole
from slant.types import NO, YES, Fold, Prediction

VERSION: Final = 1
BATCH: Final = 16
TASK: Final = "text-classification"
UNLIMITED: Final = 10**6
"""A tokenizer that knows no longest text names a number beyond this."""

PARAMETERS: Final = (
    Parameter("biased", str, "", lambda value: True, "label that means biased"),
    whole("batch", BATCH, 1, 4096, "texts of a step"),
    whole("max_length", 0, 0, 10**6, "tokens that a text is cut to, 0: as many as can be read"),
)
"""What a run may set of a pipeline."""


@dataclass(frozen=True, slots=True)
class PipelineSystem:
    """A text classification pipeline that answers each fold's test as it is.

    Rule: the pipeline is called with all texts of a fold, `top_k=None`, truncation at
    `max_length` and `batch` texts a step; the probability is the sum of the scores of the labels
    that mean biased, and an item is biased from 0.5 on. Train and dev are not looked at.

    Fields:
        name: the model and a digest of its weights, tokenizer and settings.
        pipeline: of transformers.
        biased: the labels that mean biased.
        batch: texts of a step; padding moves scores by some 1e-7, a batch of 1 has none.
        max_length: tokens that a text is cut to; 0: the pipeline's own setting holds.
        worker_bytes: that a process with it needs.
    """

    name: str
    pipeline: Any
    biased: tuple[str, ...]
    batch: int
    max_length: int
    worker_bytes: int

    def __call__(self, folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:
        """One list of predictions per fold, in the order of its test items."""
        asked = f"Predicting with {self.name}"
        for fold in folds:
            if not fold.test:
                yield []
                continue
            with one_thread(), quiet_transformers(), within_memory(asked):
                said = self._said([item.text for item in fold.test])
            yield [
                Prediction(item.id, YES if p >= 0.5 else NO, p)
                for item, p in zip(fold.test, (self._share(one) for one in said), strict=True)
            ]

    def _said(self, texts: list[str]) -> list[list[dict[str, Any]]]:
        cut: dict[str, Any] = {"truncation": True, "max_length": self.max_length}
        # transformers reads the attribute at a call; the user's own object stays as it was.
        before = getattr(self.pipeline, "call_count", 0)
        found = self.pipeline(
            texts, top_k=None, batch_size=self.batch, **(cut if self.max_length else {})
        )
        self.pipeline.call_count = before
        return list(found)

    def _share(self, scores: Sequence[Mapping[str, Any]]) -> float:
        p = float(sum(one["score"] for one in scores if one["label"] in self.biased))
        strange = [one["score"] for one in scores if not -1e-6 <= one["score"] <= 1 + 1e-6]
        if strange:
            found = f"it gave the score {strange[0]}"
            do = "Make the pipeline without function_to_apply, so that its scores are shares"
            raise OptionError(f"Predicting with {self.name}", found, do)
        return min(max(p, 0.0), 1.0)


def is_pipeline(given: Any) -> bool:
    """Whether an object is a pipeline of transformers, which need not be installed.

    >>> is_pipeline(print)
    False
    """
    kinds = type(given).__mro__
    return hasattr(given, "task") and any(
        kind.__module__.startswith("transformers.pipelines") for kind in kinds
    )


def pipeline_system(
    pipeline: Any, biased: str = "", batch: int = BATCH, max_length: int = 0
) -> PipelineSystem:
    """A system of a pipeline.

    Args:
        pipeline: `transformers.pipeline("text-classification", ...)`.
        biased: name or number of the label that means biased, or several of labels that exclude
            each other with commas; empty: the one that its configuration names so beyond doubt,
            else the label 1 of two (see `heads.own_rows`).
        batch: texts of a step, at least 1, and 1 where the tokenizer has no padding token.
        max_length: tokens that a text is cut to; 0: as many as tokenizer and model can read, or
            what the pipeline was made with.

    Returns:
        The system, e.g. "pipeline:distilbert-sst2#3f2a91c0@1".

    Raises:
        OptionError: a pipeline of another task, or one of whose labels none is biased beyond doubt.
        UnknownName: no such label.
    """
    if pipeline.task not in (TASK, "sentiment-analysis"):
        found = f"its task is {pipeline.task}"
        do = f'Give transformers.pipeline("{TASK}", ...)'
        raise OptionError("Making a system of a pipeline", found, do)
    model, tokenizer = pipeline.model, pipeline.tokenizer
    config = model.config
    label = _short_name(str(getattr(config, "_name_or_path", "")) or type(model).__name__)
    chosen = biased_labels(config.to_dict(), biased, label)
    settings = dict(getattr(pipeline, "_preprocess_params", {}))
    if not max_length and "truncation" not in settings and "max_length" not in settings:
        own = int(tokenizer.model_max_length)
        max_length = min(own if own <= UNLIMITED else UNLIMITED, longest_window(config))
    digest = sha256()
    for part in (*_model_parts(pipeline), repr((chosen, max_length)).encode()):
        digest.update(len(part).to_bytes(8, "big") + part)
    needed = sum(one.numel() * one.element_size() for one in model.parameters()) + BESIDE
    return PipelineSystem(
        f"pipeline:{label}#{digest.hexdigest()[:8]}@{VERSION}",
        pipeline,
        chosen,
        batch if tokenizer.pad_token_id is not None else 1,
        max_length,
        needed,
    )


def biased_labels(config: Mapping[str, Any], biased: str, name: str) -> tuple[str, ...]:
    """The labels of a classifier whose scores add up to that of biased.

    Args:
        config: of its model.
        biased: as for `pipeline_system`.
        name: of the model, for errors.

    >>> biased_labels({"id2label": {0: "left", 1: "center", 2: "right"}}, "left,right", "a/b")
    ('left', 'right')
    >>> biased_labels({"id2label": {0: "LABEL_0", 1: "LABEL_1"}}, "", "a/b")
    ('LABEL_1',)
    """
    labels = label_names(config)
    exclusive = len(labels) > 2 and config.get("problem_type") not in (MULTIPLE, "regression")
    if not exclusive or not biased:
        return (labels[own_rows(config, biased, name).biased],)
    asked = [biased] if biased in labels else [one.strip() for one in biased.split(",")]
    chosen = []
    for one in asked:
        if one.isdecimal() and one not in labels and int(one) < len(labels):
            one = labels[int(one)]  # noqa: PLW2901
        if one not in labels:
            raise unknown_name(f"label of {name}", one, labels)
        chosen.append(one)
    if set(chosen) == set(labels):
        found = "all its labels mean biased"
        raise OptionError(f"Reading with {name}", found, "Name those that do")
    return tuple(dict.fromkeys(chosen))


def _short_name(path: str) -> str:
    """The last part of a name or folder, without what parts a signature."""
    last = path.rstrip("/\\").replace("\\", "/").rpartition("/")[2]
    return last.replace("|", "_") or "model"


def _model_parts(pipeline: Any) -> Iterator[bytes]:
    """All that the answers of a pipeline depend on."""
    import torch

    model, tokenizer = pipeline.model, pipeline.tokenizer
    yield type(model).__name__.encode()
    yield repr(sorted((k, v) for k, v in label_facts(model.config).items())).encode()
    for name, weights in sorted(model.state_dict().items()):
        yield f"{name} {weights.dtype} {tuple(weights.shape)}".encode()
        yield weights.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes()
    backend = getattr(tokenizer, "backend_tokenizer", None)
    yield (backend.to_str() if backend else repr(sorted(tokenizer.get_vocab().items()))).encode()
    for kind in ("_preprocess_params", "_postprocess_params"):
        settings = getattr(pipeline, kind, {})
        yield repr(sorted((str(k), str(v)) for k, v in settings.items())).encode()


def label_facts(config: Any) -> dict[str, str]:
    """What of a configuration decides how logits become scores of labels."""
    return {"labels": repr(label_names(config.to_dict())), "type": str(config.problem_type)}
