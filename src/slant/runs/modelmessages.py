"""Turns, forms and failures as inspect-ai has them, which only functions import."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from slant.data.images import media_type
from slant.runs.baitplan import Structured
from slant.systems.turns import Form, Turn

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content, Model, ModelOutput

_REFUSED: Final = (400, 422)
"""What a server answers to a response format that it does not know."""
_OWN_CONNECTION: Final = {"Connection": "close"}
"""What a server sends after an answer would be read as the answer to the next question."""


def chat_messages(turns: Sequence[Turn]) -> list[ChatMessage]:
    """A conversation as inspect-ai takes it; images as data URLs."""
    from inspect_ai.model import (
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageUser,
        ContentImage,
        ContentText,
    )

    kinds: dict[str, Callable[..., ChatMessage]] = {
        "system": ChatMessageSystem,
        "user": ChatMessageUser,
        "assistant": ChatMessageAssistant,
    }

    def content(parts: tuple[str | bytes, ...]) -> str | list[Content]:
        if len(parts) == 1 and isinstance(parts[0], str):
            return parts[0]
        return [
            ContentText(text=one) if isinstance(one, str) else ContentImage(image=data_url(one))
            for one in parts
        ]

    return [kinds[one.role](content=content(one.parts)) for one in turns]


def data_url(image: bytes) -> str:
    """An image as providers take it in a message.

    >>> data_url(b"\\x89PNG")
    'data:image/png;base64,iVBORw=='
    """
    return f"data:{media_type(image)};base64,{base64.b64encode(image).decode()}"


async def formed_output(
    model: Model, messages: list[ChatMessage], form: Form, structured: Structured
) -> tuple[ModelOutput, bool]:
    """One reply of a model.

    Args:
        model: that is asked.
        messages: the conversation.
        form: of the answer.
        structured: "auto" asks again without the form where a server refuses it.

    Returns:
        The output, and whether the form was sent with what was answered.
    """
    from inspect_ai.model import GenerateConfig, ResponseSchema
    from inspect_ai.util import JSONSchema

    if structured != "no":
        sent = ResponseSchema(
            name=form.name, json_schema=JSONSchema.model_validate(form.schema), strict=True
        )
        try:
            config = GenerateConfig(response_schema=sent, extra_headers=_OWN_CONNECTION)
            return await model.generate(messages, config=config), True
        except Exception as error:
            if structured == "yes" or getattr(error, "status_code", None) not in _REFUSED:
                raise
    config = GenerateConfig(extra_headers=_OWN_CONNECTION)
    return await model.generate(messages, config=config), False


def said_by(error: Exception) -> str:
    """What an error says, without the request that inspect-ai adds, in one line."""
    attempt = getattr(error, "last_attempt", None)
    if attempt is not None and attempt.exception() is not None:
        error = attempt.exception()
    text = getattr(error, "provider_message", None) or str(error)
    return " ".join(f"{type(error).__name__}: {text}".split())[:500]
