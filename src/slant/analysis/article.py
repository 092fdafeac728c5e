"""The article: one text to read, with what is known of where it came from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Article:
    """One text. Every offset of an analysis counts code points of `text`, which no later step
    changes.

    Fields:
        id: unique within one reading, and the same in the next reading of the same targets.
        text: what is analysed; "" where nothing could be read.
        title, outlet, topic: as the document names them; "" where it does not.
        url: of http or https; "" where there is none.
        date: ISO 8601 (2019-04-02 or with a time); as it stands there where it can be read in two
            ways or in none; "" where it is unknown.
        origin: where it stands, for a reader: the file or address, and the row where it has some.
        language: ISO 639-1 code, "en" for English; "" where it was not told.
        why: "" where the text can be analysed; else one sentence saying why it was not looked at.
    """

    id: str
    text: str
    title: str = ""
    outlet: str = ""
    date: str = ""
    topic: str = ""
    url: str = ""
    origin: str = ""
    language: str = ""
    why: str = ""

    @property
    def scored(self) -> bool:
        """Whether detectors are asked about it.

        >>> Article("a", "Hello.").scored, Article("b", "", why="It is empty.").scored
        (True, False)
        """
        return not self.why
