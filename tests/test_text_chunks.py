"""Chunks end where a block does; where they end depends on the text alone."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from askwidgets.text_chunks import Chunk, ChunkCutter

PARAGRAPH = "The quick brown fox jumps over the lazy dog. " * 20
LINES = st.sampled_from(
    [
        "",
        "A paragraph of some words.",
        PARAGRAPH,
        "```python",
        "```",
        "x = 1",
        "    indented",
        "- item",
        "  more of the item",
        "1. first",
        "| a | b |",
        "| - | - |",
        "$$",
        "# Heading",
        "> quote",
        "word " * 2_000,
        "x" * 9_000,
    ]
)
MARKDOWN = st.lists(LINES, max_size=30).map("\n".join)


def cut(text: str, sizes: list[int]) -> list[Chunk]:
    cutter = ChunkCutter()
    chunks: list[Chunk] = []
    start = 0

    for size in sizes:
        cutter.append(text[start : start + size])
        start += size
        chunks += cutter.take()

    cutter.append(text[start:])
    chunks += cutter.take()

    return [*chunks, cutter.rest]


@given(MARKDOWN, st.lists(st.integers(1, 4_000), max_size=20))
def test_where_the_cuts_fall_does_not_depend_on_how_the_text_arrives(text: str, sizes: list[int]) -> None:
    """B46."""
    assert cut(text, sizes) == cut(text, [])


@given(MARKDOWN, st.lists(st.integers(1, 4_000), max_size=20))
def test_the_chunks_make_up_the_text_and_none_grows_without_end(text: str, sizes: list[int]) -> None:
    """B47."""
    chunks = cut(text, sizes)
    assert "".join(chunk.source for chunk in chunks) == text
    assert all(len(chunk.source) <= 8_192 for chunk in chunks)


def test_a_chunk_ends_with_a_paragraph_once_it_is_large_enough() -> None:
    first, second = cut(f"{PARAGRAPH}\n\n{PARAGRAPH}\n\n{PARAGRAPH}\n\nThe end.\n", [])
    assert first.source == f"{PARAGRAPH}\n\n{PARAGRAPH}\n\n{PARAGRAPH}\n\n"
    assert second.markdown == "The end.\n"


def test_short_text_is_one_chunk() -> None:
    assert cut("One.\n\nTwo.\n\nThree.\n", []) == [Chunk(source="One.\n\nTwo.\n\nThree.\n")]


def test_a_finished_code_fence_ends_a_chunk_without_an_empty_line() -> None:
    code = "```python\n" + "print('hello')\n" * 200 + "```\n"
    first, second = cut(f"{code}And then.\n", [])
    assert (first.source, second.source) == (code, "And then.\n")


def test_a_code_fence_is_not_cut_at_its_empty_lines() -> None:
    code = "```python\n" + "print('hello')\n\n" * 200 + "```\n"
    assert len(cut(code, [])) == 1


def test_a_long_code_fence_is_opened_again_in_each_chunk() -> None:
    first, second, *_, last = cut("````python\n" + "print('hello')\n" * 2_000 + "````\nAfter.\n", [])
    assert first.markdown.startswith("````python\nprint")
    assert first.markdown.endswith("print('hello')\n````\n")
    assert second.markdown.startswith("````python\nprint")
    assert last.markdown == "After.\n"


def test_a_long_table_has_its_header_in_each_chunk() -> None:
    head = "| name | value |\n| --- | --- |\n"
    chunks = cut(head + "| something | 1234567 |\n" * 1_000, [])
    assert len(chunks) > 2
    assert all(chunk.markdown.startswith(head) for chunk in chunks)


def test_a_list_is_not_cut_between_its_items_before_it_is_long() -> None:
    assert len(cut("".join(f"{number}. {PARAGRAPH}\n\n" for number in range(1, 6)), [])) == 1


def test_a_long_list_is_cut_at_an_item() -> None:
    chunks = cut("".join(f"{number}. {PARAGRAPH}\n\n   More of it.\n\n" for number in range(1, 30)), [])
    assert len(chunks) > 2
    assert all(chunk.source[0].isdigit() for chunk in chunks)


@pytest.mark.parametrize("block", ["$$\nx\n\n" + "y + \n" * 600 + "$$\n", "> quoted\n>\n" * 200])
def test_mathematics_and_quotes_stay_whole(block: str) -> None:
    assert cut(block, [])[0].source == block


def test_a_line_without_an_end_is_cut_at_a_space() -> None:
    first, *_ = cut("word " * 4_000, [])
    assert first.source.endswith("word ")
