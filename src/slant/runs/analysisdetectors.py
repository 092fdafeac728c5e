"""The detectors that an analysis asks, loaded: folders of `slant train`, or the light one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from slant.analysis.analyses import DetectorFacts
from slant.analysis.detectors import BAND, Contributions, LoadedDetector
from slant.runs.folders import FACTS
from slant.types import Array, Estimate, Floats, Undefined

WORDS: Final = "gradient × attention of the last layer towards biased, as a share of all words"
WORDS_MEASURED: Final = (
    "of the methods compared on BABE (docs/results/explanations.md) the one whose words cost the "
    "most probability when they are taken out; against the words that experts marked its AUROC is "
    "0.724 [0.702, 0.744] for MiniLM, where the rarity of a word has 0.825"
)


def analysis_detectors(folders: Sequence[Path | str]) -> list[LoadedDetector]:
    """Load the detectors to ask.

    Args:
        folders: that `slant train` wrote, or that hold such folders, all of which are asked then;
            none for the light detector.

    Raises:
        DataError: a folder is not as `slant train` writes it.
        MissingExtra: the packages of the extra `encoders` are not installed.
        WorkFailed: the light detector cannot be kept in the cache.
    """
    if not folders:
        from slant.runs.lightdetector import light_detector

        return [light_detector()]
    return [load_encoder_detector(one) for folder in folders for one in detector_folders(folder)]


def detector_folders(folder: Path | str) -> list[Path]:
    """A detector's folder as it is; else the detectors right below it, by name.

    Args:
        folder: of one detector, or of several: `models` with `models/racial` and `models/gender`.

    Returns:
        At least one path; that of a folder without a detector is given back, for its error.
    """
    path = Path(folder)
    if (path / FACTS).is_file() or not path.is_dir():
        return [path]
    return sorted(one.parent for one in path.glob(f"*/{FACTS}")) or [path]


@dataclass(frozen=True, slots=True, eq=False)
class EncoderDetector:
    """A kept detector in memory; see `slant.analysis.detectors.LoadedDetector`.

    Fields:
        facts: of its detector.json.
        encoder: loaded so that it keeps attention weights, where it can.
        temperature, max_length, long: of its detector.json.
        weighs: whether its words can be weighed.
        weighs_from: words of sentences that are surely not biased are not weighed.
    """

    facts: DetectorFacts
    encoder: Any
    temperature: float
    max_length: int
    long: str
    weighs: bool
    weighs_from: float = 0.5 - BAND

    def probabilities(self, texts: Sequence[str]) -> Floats:
        """(n, 3) calibrated probability of biased; it has no interval."""
        from slant.runs.calibration import calibrated
        from slant.systems.encoder import one_thread
        from slant.systems.runtimes import said_of, torch_windows

        told = np.full((len(texts), 3), np.nan)
        with one_thread():
            windows = torch_windows(self.encoder)
            said = said_of(self.encoder, texts, self.max_length, self.long, windows)
        told[:, 0] = calibrated(said.probability, self.temperature)
        return told

    def contributions(self, texts: Sequence[str]) -> list[Contributions] | None:
        """Of each word the attention times its gradient, the pieces' highest, as a share.

        A text longer than the model reads has weights for its first tokens alone.
        """
        if not self.weighs:
            return None
        from slant.explain.attention import gradient_attention
        from slant.explain.words import aligned, word_scores

        texts_ = aligned(self.encoder.tokenizer, list(texts), self.max_length)
        windows = [one.tokens.ids.astype(np.int32) for one in texts_]
        found: list[Contributions] = []
        made = gradient_attention(self.encoder, windows, target="biased")
        for own, scored in zip(texts_, made, strict=True):
            words = own.words
            if not len(words):
                found.append([])
                continue
            scores = word_scores(scored.scores, own.word_of, len(words))
            total = float(np.abs(scores).sum()) or 1.0
            places = zip(words.starts.tolist(), words.ends.tolist(), scores, strict=True)
            found.append([(start, end, float(score) / total) for start, end, score in places])
        return found

    def known_words(self, texts: Sequence[str]) -> Array:
        """(n,) how many different words stand in each text: its pieces make up every word."""
        return np.array([len(set(text.lower().split())) for text in texts], np.int64)

    def kind_probabilities(self, texts: Sequence[str]) -> Floats:
        """(n, 0): it tells no kinds apart; a detector of each MBIB task does."""
        return np.empty((len(texts), 0))


def load_encoder_detector(folder: Path | str) -> EncoderDetector:
    """A folder of `slant train`, ready to be asked on the processor.

    Raises:
        DataError: the folder is not as `slant train` writes it.
        MissingExtra: the packages of the extra `encoders` are not installed.
    """
    from slant.runs.folders import detector_facts
    from slant.systems.checkpoints import load_encoder
    from slant.systems.encoder import require_encoders

    path = Path(folder)
    facts = detector_facts(path)
    require_encoders(f"the detector '{path}'", ("torch", "transformers"))
    encoder = load_encoder(str(path.resolve()), 0, "eager")
    weighs = encoder.model.config._attn_implementation == "eager" and encoder.tokenizer.is_fast
    name = f"{path.resolve().name}#{encoder.fingerprint[:8]}"
    return EncoderDetector(
        facts=_kept_facts(facts, name, path, weighs),
        encoder=encoder,
        temperature=float(facts["temperature"]),
        max_length=int(facts["max_length"]),
        long=str(facts["long"]),
        weighs=weighs,
    )


def _kept_facts(facts: dict[str, Any], name: str, path: Path, weighs: bool) -> DetectorFacts:
    scores = facts.get("scores") or {}
    rows = facts.get("rows") or {}
    own = scores.get("from") != "cross-validation"
    measured = (
        f"itself on {scores.get('n', 0):,} texts of {facts['task']} that it was not trained on"
        if own
        else f"{scores.get('folds')}-fold cross-validation of its recipe over "
        f"{scores.get('n', 0):,} texts of {facts['task']}"
    )
    found = scores.get("calibration") or {}
    calibration = (
        f"temperature {float(facts['temperature']):.3f}, chosen on {rows.get('dev', 0):,} texts"
    )
    if found.get("ece") is not None:
        calibration += f"; expected calibration error {float(found['ece']):.3f}"
    card = path / "README.md"
    return DetectorFacts(
        name=name,
        task=str(facts["task"]),
        says=f"the text is biased as the annotators of {facts['task']} understood the word",
        f1=_kept_f1(scores),
        measured=measured if scores else "nothing that it tells",
        threshold=float(facts["threshold"]),
        calibration=calibration,
        words=WORDS if weighs else "",
        words_measured=WORDS_MEASURED if weighs else "",
        card=str(card) if card.is_file() else "",
        card_text=card.read_text("utf-8", "replace") if card.is_file() else "",
        signature=str(facts["signature"]),
    )


def _kept_f1(scores: dict[str, Any]) -> Estimate | Undefined:
    one = (scores.get("scores") or {}).get("micro_class_f1") or {}
    if one.get("value") is None:
        return Undefined(str(one.get("why", "its folder holds no class F1")))
    return Estimate(
        value=float(one["value"]),
        low=one.get("low"),
        high=one.get("high"),
        level=float(one.get("level", scores.get("level", 0.95))),
        n=int(one.get("n", scores.get("n", 0))),
        method=str(one.get("method", "")),
    )
