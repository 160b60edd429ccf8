"""A prompt with values of the kernel in it, made into the content blocks that are sent.

What is added stands in blocks of its own before the prompt, marked, so that the model can tell it from what the
person typed. A prompt to which nothing is added stays the text that it was.
"""

from __future__ import annotations

import ast
import numbers
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType

from askwidgets.conversation import CONTEXT_CLOSE, CONTEXT_OPEN
from askwidgets.description import describe
from askwidgets.kernel_values import KernelValues
from askwidgets.secret import Secrets

__all__ = ["Block", "PromptContent", "prompt_content"]

Block = Mapping[str, object]
"""A content block, as the Messages API takes it."""

_BRACES = re.compile(r"\{\{|\}\}|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_LONGEST_INLINE = 20_000
_LONGEST_INLINE_REPR = 200
_INLINE = (type(None), numbers.Number, str, tuple, list, dict, set, frozenset)
_VALUES = "Values from the notebook's kernel that the user shows you:"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptContent:
    """What is sent for one prompt."""

    prompt: str
    """The prompt, with what stood in braces put in."""
    before: tuple[Block, ...] = ()
    """What stands before it."""


@dataclass(slots=True)
class _Shown:
    """The values to show, each once, by what the person called it."""

    texts: list[str] = field(default_factory=list)
    images: list[Block] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def add(self, name: str, value: object, hidden: Callable[[str], str]) -> None:
        if name in self.names:
            return

        self.names.add(name)
        description = describe(value)
        text = hidden(description.text)

        if description.picture is not None:
            self.images.append(description.picture.block())
            text = f"{text} (image {len(self.images)} below)"

        self.texts.append(f"{name}:\n{text}")


def prompt_content(
    prompt: str, values: KernelValues, *, names: Sequence[str] = (), context: str = "", secrets: Secrets
) -> PromptContent:
    """Put values into a prompt.

    Args:
        prompt: as typed; ``{name}`` in it stands for a value, ``{{`` for a brace.
        values: of the kernel.
        names: given by ``--with``.
        context: what happened in the kernel since the last turn.
        secrets: hides what the person did not name.

    Raises:
        OptionError: a name of ``--with`` is not there.
    """
    shown = _Shown()

    for name in names:
        shown.add(name, values.named(name), secrets.hidden)

    typed = _filled(prompt, values.namespace, shown, secrets.hidden)
    texts = [context] if context else []

    if shown.texts:
        texts.append("\n\n".join([_VALUES, *shown.texts]))

    blocks = [{"type": "text", "text": _marked(text)} for text in texts]

    return PromptContent(prompt=typed, before=(*blocks, *shown.images))


def _marked(text: str) -> str:
    """Set a text between the marks, which nothing in it can close; no line break ends it, which would end a prompt."""
    inside = text.replace(CONTEXT_CLOSE, CONTEXT_CLOSE.replace("<", "&lt;"))

    return f"{CONTEXT_OPEN}\n{inside}\n{CONTEXT_CLOSE}"


def _filled(prompt: str, namespace: Mapping[str, object], shown: _Shown, hidden: Callable[[str], str]) -> str:
    def value_text(match: re.Match[str]) -> str:
        braces = match[0]

        if braces in {"{{", "}}"}:
            return braces[0]

        expression = braces[1:-1].strip()
        code = _expression(expression, namespace)

        if code is None:
            return braces

        try:
            value = eval(code, dict(namespace))  # noqa: S307 - the person's own prompt, in their own kernel
        except Exception:  # noqa: BLE001 - what does not resolve stays as it was typed
            return braces

        inline = _inline(value)

        if inline is not None:
            return inline

        shown.add(expression, value, hidden)

        return f"`{expression}`"

    return _BRACES.sub(value_text, prompt) if "{" in prompt or "}}" in prompt else prompt


def _inline(value: object) -> str | None:
    """Give a value that reads well in the middle of a sentence; ``None`` for one that is described instead."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_INLINE else None

    if not isinstance(value, _INLINE):
        return None

    text = str(value)

    return text if len(text) <= _LONGEST_INLINE_REPR else None


def _expression(text: str, namespace: Mapping[str, object]) -> CodeType | None:
    """Compile what stands in braces, if it is an expression about variables that are there.

    Without a variable it is rather a set, LaTeX or a pattern: ``{1, 2}``, ``{id}``.
    """
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None

    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]

    if not any(name in namespace for name in names):
        return None

    return compile(tree, "<prompt>", "eval")
