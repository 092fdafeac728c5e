"""What `slant` alone shows: what one can do next, one command each."""

from __future__ import annotations

PURPOSES = (
    ("see what a report looks like", "slant demo"),
    ("read an article", "slant analyze article.html --out report"),
    ("measure a detector", "slant run open/sentences --system tfidf-lr --out runs/first"),
    ("make a gold set", "slant annotate new articles/ --annotators ann,ben --out work"),
    ("compare wikis by their words", "slant embed plant --out made"),
    ("ask language models", "slant bait run --data bait/sample --baselines cues --out runs/bait"),
)


def show_start() -> None:
    """Print the purposes and where to go on from there."""
    width = max(len(purpose) for purpose, _ in PURPOSES)
    print("Usage: slant COMMAND [OPTIONS]\n")
    for purpose, command in PURPOSES:
        print(f"  {purpose:<{width}}   {command}")
    print(
        "\nslant doctor says what is installed and what is missing, slant --help lists all\n"
        "commands, slant COMMAND --help explains one. The first needs nothing but this package."
    )
