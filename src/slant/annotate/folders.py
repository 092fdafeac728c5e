"""Articles in folders and files, and the names of files that hold one article each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from slant.annotate.standoff import Place
from slant.data.rows import user_text
from slant.errors import DataError
from slant.types import Item

_PREFIX = "article"
_NUMBERED = re.compile(r"(?:article)*[0-9]+")
_NAME_BYTES = 200


def article_text(path: Path) -> str:
    """The text of an article, every character as it stands: CRLF is two, a byte order mark is one.

    Annotation tools count a byte order mark at the start of a text file as a character, and so does
    slant; only the files that hold annotations are read without one.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        found = f"it cannot be read ({error.strerror or error})"
        raise DataError(f"Reading '{path}'", found, "Name a text file that is there") from None
    return user_text(data, path)


def annotation_text(path: Path) -> str:
    """The content of a file that holds annotations: not empty, without a byte order mark."""
    text = article_text(path).removeprefix("\ufeff")
    if not text.strip():
        raise DataError(f"Reading '{path}'", "the file is empty", "Give a file with annotations")
    return text


def lines_of(text: str) -> list[tuple[int, str]]:
    """The lines that are not blank with their numbers from 1; only LF and CRLF end a line.

    >>> lines_of("a\\r\\n\\nb\\x85c")
    [(1, 'a'), (3, 'b\\x85c')]
    """
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def article_id(stem: str) -> str:
    """The id of the article in a file of this name without its ending.

    PTC calls its files article111.txt, and the article 111.

    >>> article_id("article111"), article_id("a1"), article_id("articles")
    ('111', 'a1', 'articles')
    """
    numbered = stem.startswith(_PREFIX) and _NUMBERED.fullmatch(stem)
    return stem.removeprefix(_PREFIX) if numbered else stem


def file_stem(identity: str, *, numbered: bool = False) -> str:
    """The name, without ending, of a file for an article: `article_id` gives the id back.

    Args:
        identity: the id.
        numbered: numbers are prefixed as PTC does.

    Raises:
        DataError: no file can have this name.

    >>> file_stem("111", numbered=True), file_stem("111"), file_stem("article7"), file_stem("a1")
    ('article111', '111', 'articlearticle7', 'a1')
    """
    odd = any(sign in '/\\:*?"<>|' or not sign.isprintable() for sign in identity)
    bare = identity.strip() != identity or not identity or identity.startswith(".")
    if odd or bare or identity.endswith(".") or len(identity.encode()) > _NAME_BYTES:
        raise DataError(
            f"Writing the article '{identity[:60]}' to a file of its own",
            "no file can have this name",
            "Give the article another id, or write a format of one file: jsonl, doccano or "
            "label-studio",
        )
    prefixed = _NUMBERED.fullmatch(identity) and (numbered or identity.startswith(_PREFIX))
    return _PREFIX + identity if prefixed else identity


def file_stems(identities: Iterable[str], *, numbered: bool = False) -> dict[str, str]:
    """The name of the file of each article; two that differ by capitals alone are refused."""
    stems = {one: file_stem(one, numbered=numbered) for one in identities}
    seen: dict[str, str] = {}
    for one, stem in stems.items():
        other = seen.setdefault(stem.casefold(), one)
        if other != one:
            found = f"'{other}' and '{one}' need files whose names differ by capitals alone"
            raise DataError("Writing a file an article", found, "Give the articles other ids")
    return stems


def read_articles(path: Path) -> list[Item]:
    """The articles of a folder of .txt files (id: name of the file), or of a jsonl or csv file.

    Args:
        path: a folder; or a file with the columns or keys `id` and `text`.

    Returns:
        The articles, those of a folder in order of their ids.

    Raises:
        DataError: no article there, an id twice, bytes that are not UTF-8.
    """
    if path.is_dir():
        files = [one for one in path.glob("*.txt") if one.is_file() and one.name[0] != "."]
        if not files:
            found = "the folder has no .txt file"
            raise DataError(f"Reading the articles in '{path}'", found, "Give a folder of articles")
        items = [Item(article_id(one.stem), article_text(one)) for one in files]
        check_unique([(item.id, Place(path, "the folder")) for item in items])
        return sorted(items, key=lambda item: _in_order(item.id))
    from slant.data.given import read_given

    given = read_given(path)
    identities, texts = given.unique("id"), given.filled("text", "text")
    return [Item(one, text) for one, text in zip(identities, texts, strict=True)]


def articles_by_id(path: Path | None) -> Mapping[str, Item] | None:
    """The articles at a path by their ids; None where no path is given."""
    return None if path is None else {item.id: item for item in read_articles(path)}


def article_of(identity: str, articles: Mapping[str, Item], place: Place) -> Item:
    """The article with this id; the error names where it is asked for."""
    if identity not in articles:
        some = ", ".join(sorted(articles, key=_in_order)[:5])
        raise place.fault(
            f"names the article '{identity}', which is not there (articles: {some}, ...)",
            "Give the folder or file of the articles that were annotated",
        )
    return articles[identity]


def check_unique(found: Sequence[tuple[str, Place]]) -> None:
    """Refuse an article id that occurs twice."""
    seen: set[str] = set()
    for identity, place in found:
        if identity in seen:
            raise place.fault(f"has the article '{identity}' a second time", "Keep one of them")
        seen.add(identity)


def _in_order(identity: str) -> tuple[int, str]:
    # Numbers in their own order, then all others in that of their letters.
    return (int(identity), "") if re.fullmatch("[0-9]{1,18}", identity) else (1 << 62, identity)
