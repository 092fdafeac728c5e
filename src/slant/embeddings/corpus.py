"""Texts -> sentences -> tokens, each step an option with the paper's value as default."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

from slant.data.hashes import fingerprint_of, read_sha256
from slant.data.rows import read_text
from slant.data.streams import LINES, open_corpus
from slant.errors import DataError, MissingExtra, OptionError

TOKENIZERS = ("nltk", "regex")
ABBREVIATIONS = frozenset(
    {"mr", "mrs", "ms", "dr", "prof", "st", "mt", "sr", "jr", "rev", "gen", "col", "sgt",
     "capt", "cmdr", "lt", "gov", "sen", "rep", "hon", "pres", "messrs", "mme", "mlle", "vs",
     "cf", "ca", "al", "viz", "approx", "dept", "est", "inc", "ltd", "corp", "co", "bros", "no",
     "nos", "vol", "vols", "pp", "ed", "eds", "fig", "figs", "ch", "sec", "art", "op", "jan",
     "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "ft", "u.s",
     "u.k", "u.n", "e.g", "i.e", "a.d", "b.c", "d.c", "ph.d", "b.a", "m.a"}
)  # fmt: skip
"""Words, lower case and without their last point, that a point does not end a sentence after."""
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+(?=[\"'“‘«(\[]*[^\W_a-z])|[。！？]+")
_PARAGRAPH = re.compile(r"\n\s*\n")
_MARK = re.compile(r"(<unk>|@[-.,]@)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*|[^\w\s]|_+")
_LONGEST = 12
_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Cleaning:
    """How a corpus is cut into words; the defaults are the paper's.

    Fields:
        lower: words in lower case.
        alphabetic: only tokens made of letters alone stay; numbers, punctuation, "don't"'s "n't"
            and "well-known" go, as do the marks `<unk>` and `@-@` of tokenised corpora.
        minimum: words that occur less often in the whole corpus are dropped, by the trainer.
        tokenizer: "nltk": NLTK's words (Penn Treebank); "regex": runs of letters and digits,
            joined by a hyphen, point or apostrophe inside, and single marks, several times faster.

    Source: Knoche et al. 2019, section 3.1; lower case: what its published word lists need.
    """

    lower: bool = True
    alphabetic: bool = True
    minimum: int = 5
    tokenizer: Literal["nltk", "regex"] = "nltk"

    def __post_init__(self) -> None:
        if self.tokenizer not in TOKENIZERS:
            found = f"the tokenizer '{self.tokenizer}' is not known"
            raise OptionError("Cleaning a corpus", found, "Choose nltk or regex")
        if self.minimum < 1:
            found = f"the minimum is {self.minimum}, below 1"
            raise OptionError("Cleaning a corpus", found, "Give 1 to keep every word")


PAPER = Cleaning()


def read_texts(path: Path, text: str | None = None) -> Iterator[str]:
    """The documents of a corpus, one after the other, a few at a time in memory.

    Args:
        path: parquet (of `slant wiki` too), csv, tsv or jsonl with a column of texts; a .txt or
            .cor with a document a line; a folder of .txt, each a document.
        text: the column; None: "text", or the only one.

    Returns:
        Texts in the order of the file, a folder's by name; blank ones are left out.

    Raises:
        DataError: no such file, or one that cannot be read. OptionError, UnknownName: the column.
    """
    if path.is_dir():
        yield from (whole for file in _files(path) if (whole := read_text(file)).strip())
        return
    # "text" is the usual column: where there are no columns, naming it asks for nothing.
    column = None if text == "text" and path.suffix.lower() in LINES else text
    for batch in open_corpus(path, column, None).batches(_ROWS):
        yield from (one for one in batch.texts if one.strip())


def sentences(text: str, cleaning: Cleaning = PAPER) -> Iterator[list[str]]:
    """The sentences of a text as lists of tokens; those without any token are left out.

    Rule: a blank line ends a sentence, as does a full stop, question or exclamation mark with its
    closing quotes before white space and anything but a small letter, but not after an initial
    or one of `ABBREVIATIONS`. It needs no data.

    Args:
        text: of one document.
        cleaning: which tokens stay; its `minimum` is not applied, since that needs all documents.

    Raises:
        MissingExtra: NLTK is not installed and its tokenizer is asked for.

    Source: Knoche et al. 2019, section 3.1.

    >>> list(sentences("Mr. Lee paid $5. <unk> didn't!", Cleaning(tokenizer="regex")))
    [['mr', 'lee', 'paid']]
    """
    tokenize = _tokenizer(cleaning.tokenizer)
    for sentence in _split(text):
        tokens = _tokens(sentence, tokenize, cleaning.alphabetic)
        if cleaning.alphabetic:
            tokens = [token for token in tokens if _is_alphabetic(token)]
        if tokens:
            yield [token.lower() for token in tokens] if cleaning.lower else tokens


def document_sentences(
    paths: Sequence[Path], cleaning: Cleaning = PAPER, text: str | None = None
) -> Iterator[list[list[str]]]:
    """The sentences of every document of one or more files, document by document.

    Args:
        paths: see `read_texts`.
        cleaning: which tokens stay.
        text: the column of the texts.

    Returns:
        One list of sentences for each document that has any.

    Raises:
        DataError: see `read_texts`, and where no token is left in all of them.
    """
    found = False
    for path in paths:
        for one in read_texts(path, text):
            document = list(sentences(one, cleaning))
            if document:
                found = True
                yield document
    if not found:
        names = ", ".join(f"'{path}'" for path in paths)
        why = "no word is left of it" if paths else "there is none"
        do = "Give texts with words, or keep more of them (tokens that are not alphabetic)"
        raise DataError(f"Reading the corpus {names}".rstrip(), why, do)


def fingerprint(path: Path) -> str:
    """The sha256, in hex, of a corpus: of the file's bytes, or of a folder's files and names."""
    if path.is_dir():
        return fingerprint_of((file.name, read_sha256(file)) for file in _files(path))
    return read_sha256(path)


def _files(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise DataError(f"Reading '{folder}'", "no .txt is in it", "Give a folder of .txt files")
    return files


def _split(text: str) -> Iterator[str]:
    for paragraph in _PARAGRAPH.split(text):
        start = 0
        for end in _END.finditer(paragraph):
            if not _is_abbreviated(paragraph, end):
                yield paragraph[start : end.end()]
                start = end.end()
        yield paragraph[start:]


def _is_abbreviated(paragraph: str, end: re.Match[str]) -> bool:
    if not end[0].startswith(".") or end[0].startswith(".."):
        return False
    begin = paragraph.rfind(" ", max(0, end.start() - _LONGEST), end.start()) + 1
    word = paragraph[begin : end.start()].lstrip("\"'“‘(«[").lower()
    return word in ABBREVIATIONS or (len(word) == 1 and word.isalpha())


def _tokens(sentence: str, tokenize: Callable[[str], list[str]], alphabetic: bool) -> list[str]:
    parts = _MARK.split(sentence)
    if len(parts) == 1:
        return tokenize(sentence)
    if alphabetic:
        return tokenize(" ".join(parts[::2]))
    tokens: list[str] = []
    for number, part in enumerate(parts):
        tokens += [part] if number % 2 else tokenize(part)
    return tokens


@cache
def _tokenizer(name: str) -> Callable[[str], list[str]]:
    if name == "regex":
        return _WORD.findall
    try:
        from nltk.tokenize.destructive import NLTKWordTokenizer
    except ModuleNotFoundError:
        found = "the package 'nltk' is not installed"
        do = 'Run pip install "slant[embeddings]", or choose the tokenizer regex'
        raise MissingExtra("Tokenising with nltk", found, do) from None
    return cast(Callable[[str], list[str]], NLTKWordTokenizer().tokenize)


def _is_alphabetic(token: str) -> bool:
    # Vowel signs of Indian and accents of decomposed letters are marks (M), not letters.
    return token.isalpha() or (
        not token.isascii()
        and all(one.isalpha() or unicodedata.category(one)[0] == "M" for one in token)
    )
