"""JSON text -> its value, whatever the text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

Pairs = Callable[[list[tuple[str, Any]]], Any]

HALF_A_PAIR: Final = "half of a surrogate pair, which is no character"


def json_value(text: str | bytes, pairs: Pairs | None = None) -> Any:
    """The value that a JSON text holds.

    Rule: as `json.loads`, but all that it cannot read is the one error that says so: bytes that are
    no text, brackets nested deeper than Python goes, numbers of thousands of digits.

    Args:
        text: as characters, or as bytes in UTF-8, UTF-16 or UTF-32.
        pairs: makes an object of its keys and values; None: a dict, the last of equal keys counts.

    Raises:
        json.JSONDecodeError: there is no such value.

    >>> json_value('{"a": [1]}')
    {'a': [1]}
    >>> json_value("[" * 100_000)
    Traceback (most recent call last):
    json.decoder.JSONDecodeError: it is nested too deeply: line 1 column 1 (char 0)
    """
    try:
        return json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        why = "it is nested too deeply"
    except UnicodeDecodeError as error:
        why = f"byte {error.start} is not {error.encoding}"
    except ValueError as error:
        # Of a hook, what it says; of Python, that the digits of a number are more than it takes.
        if pairs is not None and "digits" not in str(error):
            raise
        why = "a number has too many digits"
    raise json.JSONDecodeError(why, "", 0)


def has_half_a_pair(value: Any) -> bool:
    """Whether a text in a JSON value holds half of a surrogate pair, so that no file can hold it.

    >>> has_half_a_pair(json_value('["\\\\ud83d"]')), has_half_a_pair(["a"])
    (True, False)
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False
