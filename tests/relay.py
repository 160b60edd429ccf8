"""The way between a browser and a server of this machine, which a test can cut and open again.

::

    with Relay.started(lab.port) as relay:
        page.goto(relay.url)
        relay.cut()
        relay.open()
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["Relay"]

HOST = "127.0.0.1"


class Relay:
    """Passes every connection on to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._there = port
        self._listener = socket.create_server((HOST, 0))
        self._here: int = self._listener.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._is_open = True
        self._is_mute = False
        self._accept()

    @classmethod
    @contextmanager
    def started(cls, port: int) -> Iterator[Relay]:
        """Open the way, and close all of it in the end."""
        relay = cls(port)
        try:
            yield relay
        finally:
            relay.cut()

    @property
    def url(self) -> str:
        """What the browser asks for."""
        return f"http://{HOST}:{self._here}"

    def cut(self, *, browser: bool = True, server: bool = True) -> None:
        """End every connection and take no more.

        Args:
            browser: whether the browser sees it; else it goes on to send into nothing.
            server: whether the server sees it.
        """
        self._is_open = False
        _close(self._listener)

        for ends in self._pairs:
            for end, is_told in zip(ends, (browser, server), strict=True):
                if is_told:
                    _close(end)

    def mute(self) -> None:
        """Lose whatever the server sends from now on."""
        self._is_mute = True

    def open(self) -> None:
        """Take connections again, on the same port."""
        self._is_open, self._is_mute = True, False
        self._listener = socket.create_server((HOST, self._here))
        self._accept()

    def _accept(self) -> None:
        threading.Thread(target=self._accepted, args=(self._listener,), daemon=True).start()

    def _accepted(self, listener: socket.socket) -> None:
        # Closing the listener ends this.
        with suppress(OSError):
            while True:
                browser, _ = listener.accept()
                server = socket.create_connection((HOST, self._there))
                self._pairs.append((browser, server))

                for source, target in ((browser, server), (server, browser)):
                    threading.Thread(target=self._pass_on, args=(source, target, server), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, server: socket.socket) -> None:
        """Pass on what comes until the source ends; what the target no longer takes is lost."""
        with suppress(OSError):
            while data := source.recv(65_536):
                with suppress(OSError):
                    if not (self._is_mute and source is server):
                        target.sendall(data)

        with suppress(OSError):
            if self._is_open:
                target.shutdown(socket.SHUT_WR)


def _close(end: socket.socket) -> None:
    # Closing alone leaves a thread waiting in it.
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)

    end.close()
