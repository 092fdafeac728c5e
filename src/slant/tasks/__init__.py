"""Tasks: which data, which protocol. `TASKS` is the whole list of named ones; a single data set
(`mbib/072`, `added/NAME`) is a task too."""

from __future__ import annotations

TASKS: dict[str, str] = {
    "mbib/linguistic-bias": "Word choice and sentence structure that colour what is reported.",
    "mbib/cognitive-bias": "Claims and outlets that feed what readers already believe.",
    "mbib/text-level-bias": "Context within a text that tilts its picture.",
    "mbib/reporting-level-bias": "Which events are covered; takes a user's own data.",
    "mbib/hate-speech": "Hatred against, or degradation of, a group.",
    "mbib/gender-bias": "Unequal or degrading portrayal by gender.",
    "mbib/racial-bias": "Unequal or degrading portrayal by race.",
    "mbib/fake-news": "False claims presented as true.",
    "mbib/political-bias": "Leaning to a political side.",
    "babe": "News sentences labelled by experts, who marked the words that carry the bias.",
    "vilbias": "News articles with an image: framing bias of text and image together.",
    "vilbias/vldbench": "The same kind of pairs, labelled likely or unlikely disinformation.",
    "vilbias/mediaeval": "Images of news events with posts, fake or real: a transfer exercise.",
    "open/pairs": "The embedded CC0 pairs: invented news with a drawn picture, biased and fair.",
    "open/sentences": "The embedded CC0 sentences: neutral and biased tellings of invented events.",
}
