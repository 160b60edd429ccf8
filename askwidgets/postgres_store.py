"""Conversations kept in PostgreSQL, so that a person who lands on another machine goes on there.

Implements the SDK's ``SessionStore`` on asyncpg, which comes with ``pip install 'askwidgets[postgres]'``.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import asyncpg
from claude_agent_sdk import SessionKey, SessionListSubkeysKey, SessionStoreEntry, SessionStoreListEntry

__all__ = ["PostgresStore"]

# json and not jsonb: that takes neither the character NUL nor half of a surrogate pair, and a tool may print both.
_SCHEMA = """
SELECT pg_advisory_xact_lock(hashtext('askwidgets_entries'));
CREATE TABLE IF NOT EXISTS askwidgets_entries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_key text NOT NULL,
    session_id text NOT NULL,
    subpath text NOT NULL,
    uuid text,
    entry json NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (project_key, session_id, subpath, uuid)
);
"""


class PostgresStore:
    """One table of a database; made on first use.

    ::

        store = PostgresStore("postgresql://hub@db.example/claude")

    It keeps no summaries of conversations, so it is no subclass: the SDK asks which methods there are.

    Each call has a connection of its own: there is one per turn or so, from the loop of whichever session.

    Args:
        url: as libpq takes it.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._has_table = False

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Keep entries behind those that are there; one that is there already is passed over."""
        rows = [(*_place(key), entry.get("uuid"), json.dumps(entry)) for entry in entries]

        async with self._connection() as connection, connection.transaction():
            await connection.executemany(
                "INSERT INTO askwidgets_entries (project_key, session_id, subpath, uuid, entry)"
                " VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
                rows,
            )

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """Give the entries in order; ``None`` where there are none."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                "SELECT entry FROM askwidgets_entries"
                " WHERE project_key = $1 AND session_id = $2 AND subpath = $3 ORDER BY number",
                *_place(key),
            )

        return [cast("SessionStoreEntry", json.loads(row["entry"])) for row in rows] or None

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """List a directory's conversations, each with the milliseconds since 1970 of its last entry."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                "SELECT session_id, (extract(epoch FROM max(stored_at)) * 1000)::bigint AS mtime"
                " FROM askwidgets_entries WHERE project_key = $1 AND subpath = '' GROUP BY session_id",
                project_key,
            )

        return [SessionStoreListEntry(session_id=row["session_id"], mtime=row["mtime"]) for row in rows]

    async def delete(self, key: SessionKey) -> None:
        """Forget a conversation with those of its subagents, or one of these alone."""
        project_key, session_id, subpath = _place(key)

        async with self._connection() as connection:
            await connection.execute(
                "DELETE FROM askwidgets_entries"
                " WHERE project_key = $1 AND session_id = $2 AND ($3 = '' OR subpath = $3)",
                project_key,
                session_id,
                subpath,
            )

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """List what is kept below a conversation: those of its subagents."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                "SELECT DISTINCT subpath FROM askwidgets_entries"
                " WHERE project_key = $1 AND session_id = $2 AND subpath <> ''",
                key["project_key"],
                key["session_id"],
            )

        return [row["subpath"] for row in rows]

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[asyncpg.Connection]:
        connection = await asyncpg.connect(self._url)

        try:
            if not self._has_table:
                async with connection.transaction():
                    await connection.execute(_SCHEMA)

                self._has_table = True

            yield connection
        finally:
            await connection.close()


def _place(key: SessionKey) -> tuple[str, str, str]:
    return key["project_key"], key["session_id"], key.get("subpath", "")
