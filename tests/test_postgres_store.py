"""Conversations in a real PostgreSQL: what the SDK asks of a store, and two kernels that share one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast
from uuid import uuid4

import pytest
from claude_agent_sdk import SessionKey, SessionStore, SessionStoreEntry
from claude_agent_sdk.testing import run_session_store_conformance

from askwidgets.errors import OptionError
from askwidgets.postgres_store import PostgresStore
from askwidgets.session_store import open_store
from tests.agent import scripted_model
from tests.environments import Environment
from tests.kernel import Kernel
from tests.postgres import postgres, postgres_programs

SCRIPT = """
- when: "*first*"
  steps:
    - say: "I note it."
- when: "*second*"
  steps:
    - say: "I remember."
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    if postgres_programs() is None:
        pytest.skip("PostgreSQL is not installed")

    with postgres() as url:
        yield url


class Apart(PostgresStore):
    """A store of which each instance has its own projects, as each contract wants an empty one."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._own = uuid4().hex

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Append to the instance's own."""
        await super().append(self._own_key(key), entries)

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """Load the instance's own."""
        return await super().load(self._own_key(key))

    async def delete(self, key: SessionKey) -> None:
        """Delete the instance's own."""
        await super().delete(self._own_key(key))

    def _own_key(self, key: SessionKey) -> SessionKey:
        return {**key, "project_key": self._own + key["project_key"]}


@pytest.mark.anyio
async def test_the_store_keeps_every_contract_of_the_sdk(url: str) -> None:
    await run_session_store_conformance(
        lambda: cast("SessionStore", Apart(url)), skip_optional=frozenset({"list_sessions", "list_subkeys"})
    )


@pytest.mark.anyio
async def test_the_lists_keep_every_contract_of_the_sdk() -> None:
    if postgres_programs() is None:
        pytest.skip("PostgreSQL is not installed")

    with postgres() as empty:
        import asyncpg  # noqa: PLC0415 - only to empty the table between two contracts

        async def fresh() -> SessionStore:
            connection = await asyncpg.connect(empty)
            await connection.execute("DROP TABLE IF EXISTS askwidgets_entries")
            await connection.close()

            return cast("SessionStore", PostgresStore(empty))

        await run_session_store_conformance(fresh)


@pytest.mark.anyio
async def test_what_json_allows_comes_back_as_it_was(url: str) -> None:
    entry: SessionStoreEntry = {"type": "user", "uuid": "u"}
    odd = {**entry, "text": "\x00 \ud83d 日本 \U0001f600", "big": 2**70, "nested": {"b": [1.5, None, True], "a": {}}}
    store = PostgresStore(url)
    key: SessionKey = {"project_key": "odd", "session_id": "s"}
    await store.append(key, [odd])  # type: ignore[list-item]
    await store.append(key, [odd])  # type: ignore[list-item]

    assert await store.load(key) == [odd]


@pytest.mark.parametrize("bad", ["mysql://me:secret@db/x", "nonsense"])
def test_another_kind_of_url_is_refused_without_telling_the_password(bad: str) -> None:
    with pytest.raises(OptionError, match="postgresql://") as raised:
        open_store(bad)

    assert "secret" not in str(raised.value)


@pytest.mark.ci
@pytest.mark.kernel
def test_a_conversation_goes_on_in_a_kernel_with_another_home(url: str, tmp_path: Path) -> None:
    requirement = ("asyncpg",)
    work = tmp_path / "work"
    work.mkdir()

    with scripted_model(SCRIPT) as server:
        ids = []

        for number, prompt in enumerate(["Remember the first word.", "Now the second."]):
            home = tmp_path / f"home{number}"
            home.mkdir()
            interpreter = Environment(ipykernel="7.4.0", requirements=requirement).interpreter()

            with Kernel.started(interpreter, home, environment=server.env(home / "claude")) as kernel:
                kernel.run(f"%load_ext askwidgets\n%config ClaudeMagics.cwd = {str(work)!r}")
                kernel.run(f"%config ClaudeMagics.session_store = {url!r}")
                how = " --resume last" if number else ""

                if number:
                    assert "Remember the first word." in kernel.run("%claude resume").text

                cell = kernel.run(f"%%claude --into turn{how}\n{prompt}")
                assert cell.status == "ok", cell.text
                ids.append(kernel.value("turn.session_id"))

        assert ids[0] == ids[1]
        assert "Remember the first word." in str(server.requests[-1]["messages"])
