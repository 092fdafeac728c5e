"""A lack of memory, told from other errors: each library has its own words for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from slant.errors import WorkFailed

WORDS = ("can't allocate memory", "cannot allocate memory", "not enough memory", "out of memory")
PRIMITIVE = "could not create a primitive"
"""All that oneDNN says where the system gives it no memory; behind it may stand "descriptor", and
then it is another error."""


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out, on the processor or an accelerator."""
    import torch

    if isinstance(error, (MemoryError, torch.cuda.OutOfMemoryError)):
        return True
    said = str(error).lower().strip()
    return isinstance(error, (RuntimeError, OSError)) and (
        any(word in said for word in WORDS) or said.endswith(PRIMITIVE)
    )


@contextmanager
def within_memory(asked: str) -> Iterator[None]:
    """Within the block, a lack of memory is one clear error.

    Args:
        asked: what is attempted, for the error.

    Raises:
        WorkFailed: memory ran out.
    """
    try:
        yield
    except Exception as why:
        if not out_of_memory(why):
            raise
        do = "Use fewer --jobs, a smaller max_length, or a smaller checkpoint"
        raise WorkFailed(asked, "memory ran out", do) from why
