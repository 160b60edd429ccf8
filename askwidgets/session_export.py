"""A session's transcript as a file: its prompts, what the agent said and did, and the receipts of its questions."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from askwidgets.display import Bundle
from askwidgets.errors import OptionError
from askwidgets.hidden import plain
from askwidgets.markup import markdown_html
from askwidgets.receipt import question_receipt
from askwidgets.tool_view import tool_action
from askwidgets.turn import AskedQuestion, ToolUse, Turn

__all__ = ["export_session"]


def export_session(path: Path, name: str, turns: Sequence[Turn]) -> None:
    """Write the turns, as Markdown or, where the file's name says so, as a notebook.

    Args:
        path: ends in ``.md`` or ``.ipynb``; a file that is there is replaced.
        name: of the session.
        turns: in order.

    Raises:
        OptionError: the file's name ends otherwise, or it cannot be written.
    """
    if path.suffix == ".md":
        text = "\n".join([f"# Session {name}\n", *(_markdown(turn) for turn in turns)])
    elif path.suffix == ".ipynb":
        text = json.dumps(_notebook(name, turns), indent=1, ensure_ascii=False) + "\n"
    else:
        raise OptionError("the file", str(path), "a name that ends in .md or .ipynb")

    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise OptionError("the file", str(path), f"one that can be written ({error.strerror})") from error


def _markdown(turn: Turn) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in plain(turn.prompt).splitlines())
    parts = [part if isinstance(part, str) else _fenced(str(part["text/plain"])) for part in _parts(turn)]

    return "\n\n".join([quoted, *parts]) + "\n"


def _notebook(name: str, turns: Sequence[Turn]) -> Mapping[str, object]:
    return {
        "cells": [_cell(name, place, turn) for place, turn in enumerate(turns, start=1)],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(name: str, place: int, turn: Turn) -> Mapping[str, object]:
    options = "" if name == "main" else f" -s {shlex.quote(name)}"

    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"turn-{place}",
        "metadata": {},
        "outputs": [
            {
                "output_type": "display_data",
                "data": {"text/html": markdown_html(part), "text/plain": plain(part)}
                if isinstance(part, str)
                else part,
                "metadata": {},
            }
            for part in _parts(turn)
        ],
        "source": f"%%claude{options}\n{turn.prompt}",
    }


def _parts(turn: Turn) -> Iterator[str | Bundle]:
    """Give what stands in the turn, in its order: Markdown, and the receipts where the questions were asked."""
    asked = {question.request.tool_use_id: question for question in turn.questions}
    lines: list[str] = []
    place = 0

    for use in turn.tool_uses:
        if use.parent is not None:
            continue

        is_question = use.id in asked
        said = turn.text[place : use.text_before].strip("\n")
        place = max(place, use.text_before)

        if lines and (said or is_question):
            yield "\n".join(lines)
            lines.clear()

        if said:
            yield said

        if is_question:
            yield _receipt(asked.pop(use.id))
        else:
            lines.append(f"- {'✗' if use.is_error else '✓'} `{_action(use)}`")

    yield from filter(None, ["\n".join(lines), turn.text[place:].strip("\n")])
    yield from map(_receipt, asked.values())

    if turn.interrupted:
        yield "*Interrupted*"


def _receipt(asked: AskedQuestion) -> Bundle:
    return question_receipt(asked.request, asked.outcome).bundle()


def _action(use: ToolUse) -> str:
    # Model text in a span of code: it must neither end it nor break the line.
    return " ".join(plain(tool_action(use.name, use.input)).split()).replace("`", "")


def _fenced(text: str) -> str:
    fence = "```"

    while fence in text:
        fence += "`"

    return f"{fence}text\n{text}\n{fence}"
