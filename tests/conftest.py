"""Settings and fixtures that every tier of the tests shares."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from playwright.sync_api import Browser

# Loaded here: pytest rewrites what it imports, and Python 3.11 can fail at that in the extension's own thread.
import askwidgets.notebook  # noqa: F401
from tests.browser import chromium, chromium_program

SLOW = [HealthCheck.too_slow]
"""A loaded machine is no fault of a test."""

settings.register_profile("default", max_examples=200, deadline=None, suppress_health_check=SLOW)
settings.register_profile("nightly", max_examples=10_000, deadline=None, suppress_health_check=SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

TIMEOUT = 120
"""Seconds that a test may take, where it does not say so itself.

No setting of pytest: that one would be unknown where a notebook is run by nbval alone.
"""
NIGHTLY = 1800
"""Seconds that the 10,000 examples of a nightly test may take."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test its time."""
    is_nightly = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
    for item in items:
        if is_nightly and is_hypothesis_test(getattr(item, "function", None)):
            item.add_marker(pytest.mark.timeout(NIGHTLY), append=False)
        elif item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(TIMEOUT))


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio, as kernels do."""
    return "asyncio"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; without one the test is skipped, or fails where ``ASKWIDGETS_REQUIRE_BROWSER`` is set.

    Of a module and not of the session: Playwright keeps an event loop running in the thread meanwhile.
    """
    if chromium_program() is None:
        message = "no Chromium: install it, or set ASKWIDGETS_CHROMIUM to its program"
        if os.environ.get("ASKWIDGETS_REQUIRE_BROWSER"):
            pytest.fail(message)

        pytest.skip(message)

    with chromium() as browser:
        yield browser
