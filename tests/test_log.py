"""What is logged: nothing by itself, no words of a turn above DEBUG, and no secret ever."""

from __future__ import annotations

import subprocess
import sys


def test_a_warning_shows_nowhere_until_a_person_wants_the_log() -> None:
    code = "import logging, askwidgets; logging.getLogger('askwidgets').warning('heard')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")

    wanted = f"import logging; logging.basicConfig(); {code}"
    done = subprocess.run([sys.executable, "-c", wanted], capture_output=True, text=True, check=True)
    assert "heard" in done.stderr


def test_what_the_sdk_logs_is_not_printed_either() -> None:
    code = "import logging, askwidgets; askwidgets.Session; logging.getLogger('claude_agent_sdk').error('heard')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
