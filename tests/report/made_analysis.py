"""Analyses as `analyses.jsonl` holds them, made by hand."""

from slant.data.sentences import sentence_spans

NASTY = (
    '<script>alert(1)</script> Experts <b>warn</b> of ruin & "chaos".\r\n'
    "He said: “We will <i>crush</i> the so-called elites.” 😀 The regime’s thugs came.\r\n\r\n"
    "مرحبا بالعالم. Again \u202eruin again\u202c\x00\x1b. </a></main>"
)
F1 = {"value": 0.7123, "low": 0.6412, "high": 0.7789, "level": 0.95, "n": 208, "method": "BCa"}


def made_detector(name="light#1f00ab12", threshold=0.5, card=""):
    return {
        "name": name, "task": "open/sentences", "threshold": threshold, "f1": F1,
        "says": "annotators call the sentence biased",
        "measured": "208 sentences of open/sentences, 5-fold cross-validation",
        "calibration": "Platt scaling; ECE 0.061",
        "words": "weight times tf-idf", "words_measured": "exact for a linear model",
        "card": card, "card_text": "# A card\n\n<script>alert('card')</script>",
        "signature": "open|task:sentences|preset:clean|data:1f00ab12|slant:0.1.0",
        "least_words": 2, "kinds": [], "caveat": "not measured on real news, likely worse",
    }  # fmt: skip


def made_kind(name="racial-bias", good=True, threshold=0.2):
    return {
        "name": name, "task": name, "spans": ["<racial>"], "number": 70, "of": 2000,
        "f1": {**F1, "value": 0.5123}, "precision": {**F1, "value": 0.6543}, "always": 0.068, "threshold": threshold,
        "calibration": "temperature 1.2", "good": good,
    }  # fmt: skip


def estimate(value, half=0.08):
    return {
        "value": value, "low": max(0.0, value - half), "high": min(1.0, value + half),
        "level": 0.95, "n": 100, "method": "bootstrap over refits",
    }  # fmt: skip


def made_sentence(text, start, end, p=None, name="light#1f00ab12", **more):
    said = {} if p is None else {name: estimate(p)}
    near = p is not None and abs(p - 0.5) < 0.1
    return {
        "start": start, "end": end, "paragraph": text.count("\n", 0, start), "title": False,
        "voice": "outlet", "quoted": [], "probabilities": said,
        "abstained": {name: "the probability is within 0.1 of one half"} if near else {},
        "words": [], "cues": [], "triggers": [], "kinds": {}, **more,
    }  # fmt: skip


def made_article(text=NASTY, **more):
    fields = ("id", "title", "outlet", "date", "topic", "url", "origin", "language", "why")
    return {**dict.fromkeys(fields, ""), "id": "a1", "language": "en", "text": text, **more}


def found(text, part, **more):
    start = text.index(part)
    return {"start": start, "end": start + len(part), "quoted": False, **more}


def made_analysis(text=NASTY, article=None, detectors=None, probabilities=None):
    """Every kind of evidence on the sentences of a text; the nasty one has them all."""
    detectors = [made_detector()] if detectors is None else detectors
    sentences = []
    given = probabilities or (0.95, 0.8, 0.55, 0.3, 0.1, 0.62)
    for i, span in enumerate(sentence_spans(text)):
        one = made_sentence(text, span.start, span.end, given[i % len(given)])
        for detector in detectors[1:]:
            p = given[(i + 1) % len(given)]
            one["probabilities"][detector["name"]] = estimate(p)
        sentences.append(one)
    if text is NASTY:
        first, second = sentences[0], sentences[1]
        name = detectors[0]["name"]
        first["words"] = [
            found(text, "ruin", weight=1.234567, detector=name),
            found(text, "Experts", weight=-0.2, detector=name),
        ]
        first["triggers"] = [
            {
                "bias": "B01", "name": "Illusory <Truth>", "grade": "cue found", "quoted": False,
                "spans": [[text.index("ruin"), text.index("ruin") + 4]], "rule": "a repeated word",
                "source": "surface cues", "reason": "",
            }
        ]  # fmt: skip
        quote = text.index("“We"), text.index("elites.”") + 8
        second["quoted"], second["voice"] = [list(quote)], "mixed"
        second["cues"] = [
            found(text, "so-called", category="loaded", rule="judges while <naming>")
            | {"quoted": True}
        ]
        second["triggers"] = [
            {
                "bias": "B02", "name": "Group", "grade": "trigger found", "quoted": True,
                "spans": [[text.index("crush"), text.index("crush") + 5]], "rule": "",
                "source": "gpt-x", "reason": "It sets <us> against them.",
            }
        ]  # fmt: skip
    return {
        "format": 1,
        "article": made_article(text, **(article or {})),
        "detectors": detectors,
        "biases": [
            {"code": "B01", "name": "Illusory <Truth>", "definition": "Repeated & believed.",
             "condition": "Said once.", "cue": "a repeated word"},
            {"code": "B02", "name": "Group", "definition": "Us and them.", "condition": "A name alone.",
             "cue": ""},
        ],
        "profile": [
            {"key": "biased:light", "says": "sentences called biased", **estimate(0.4)},
            {"key": "quoted", "says": "words in quoted speech", "value": None, "why": "no word"},
        ],
        "most": [{"start": one["start"], "end": one["end"], "first": 0, "last": 0, "loading": 0.95}
                 for one in sentences[:1]],
        "least": [{"start": one["start"], "end": one["end"], "first": len(sentences) - 1,
                   "last": len(sentences) - 1, "loading": 0.1} for one in sentences[-1:]],
        "left_out": ["No language model was configured: triggers were not judged."],
        "sentences": sentences,
    }  # fmt: skip
