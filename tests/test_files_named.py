"""Files that model text names: nothing that draws opens them, but what an edit would change, to compare with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.environments import REPOSITORY, isolated_variables

DRAWING = """
import asyncio, json, sys

touched = set()
place = ""

def audit(event, arguments):
    if event in {"open", "os.listdir", "os.scandir", "subprocess.Popen", "socket.connect", "urllib.Request"}:
        if "canary" in str(arguments):
            touched.add(f"{place}: {event}")

from askwidgets.answers import Answers
from tests.places import ERRORS, FORMS, PLACES, question_request

texts = sys.argv[1:]
list(PLACES["text"]("warm"))
sys.addaudithook(audit)
drawn = 0

for text in texts:
    for place, draw in PLACES.items():
        drawn += len(list(draw(text)))

    for place, make in FORMS.items():
        form = make([text])
        form._repr_mimebundle_()
        form.close()

    for place, make in ERRORS.items():
        make(text)._render_traceback_()

    place = "answers"
    asyncio.run(Answers({"*": {"decline": text}})(question_request(text)))

print(json.dumps([drawn, sorted(touched)]))
"""
EDITS = ["tool view: open"]
"""What a person is to approve is compared with the file as it is."""


def test_no_text_of_a_model_makes_anything_that_draws_open_a_file(tmp_path: Path) -> None:
    names = ["canary.html", "canary.md", "canary.png", "canary.ipynb", "canary.answers.yaml", "canary.recording.yaml"]

    for name in names:
        (tmp_path / name).write_text('"*": {decline: "read from a file"}')

    texts = [*names, *(str(tmp_path / name) for name in names), (tmp_path / "canary.html").as_uri(), "canary.html\n"]
    variables = {**isolated_variables(tmp_path), "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-c", DRAWING, *texts]
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=True)
    drawn, touched = json.loads(done.stdout)

    assert drawn > 40 * len(texts)
    assert touched == EDITS
