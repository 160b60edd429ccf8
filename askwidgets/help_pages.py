"""The pages behind ``%claude help TOPIC``: longer than what a word's own line says."""

from __future__ import annotations

from importlib.resources import files

from askwidgets.errors import OptionError

__all__ = ["TOPICS", "help_page"]

TOPICS = ("answers", "context", "form", "modes", "rerun")
"""What there is a page about."""


def help_page(topic: str) -> str:
    """Give the page about a topic.

    Raises:
        OptionError: there is none.
    """
    if topic not in TOPICS:
        raise OptionError("the topic", topic, "one of " + ", ".join(TOPICS) + "; or a word that `%claude help` lists")

    return (files("askwidgets") / f"help_{topic}.md").read_text(encoding="utf-8").rstrip("\n")
