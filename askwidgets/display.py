"""The outputs of one cell: mime bundles shown in order, each replaced in place by its display id.

Raw bundles only: ``IPython.display.HTML`` opens a file when the text looks like a path, so model
text never goes through it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from uuid import uuid4

from IPython.core.displaypub import DisplayPublisher

__all__ = ["METADATA", "Bundle", "CellOutputs", "Output", "PublishedOutput", "PublishedOutputs"]

Bundle = Mapping[str, object]
"""MIME type to data, as in https://jupyter-client.readthedocs.io/en/stable/messaging.html#display-data."""


METADATA = "metadata"
"""A key of a bundle that is no MIME type: what the notebook's file is to hold beside the output, never shown."""


class Output(Protocol):
    """One output of a cell."""

    def update(self, bundle: Bundle, /) -> None:
        """Replace what stands there, wherever this output is shown."""


class CellOutputs(Protocol):
    """Where a turn draws: the outputs of the cell that runs it, in order."""

    def show(self, bundle: Bundle, /) -> Output:
        """Append an output to the cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedOutput:
    """An output that a kernel published, known to the frontend by its display id."""

    publisher: DisplayPublisher
    display_id: str

    def update(self, bundle: Bundle, /) -> None:
        """Replace what stands there."""
        data, metadata = _parted(bundle)
        self.publisher.publish(data, metadata, transient={"display_id": self.display_id}, update=True)


@dataclass(frozen=True, slots=True)
class PublishedOutputs:
    """The outputs of the cell that is running, by way of IPython's display publisher."""

    publisher: DisplayPublisher

    def show(self, bundle: Bundle, /) -> PublishedOutput:
        """Append an output to the cell whose context this is called in."""
        # An id of its own each time: an update is to reach this output, also after the cell ran again.
        output = PublishedOutput(publisher=self.publisher, display_id=uuid4().hex)
        data, metadata = _parted(bundle)
        self.publisher.publish(data, metadata, transient={"display_id": output.display_id})

        return output


def _parted(bundle: Bundle) -> tuple[dict[str, object], dict[str, object]]:
    metadata = bundle.get(METADATA)
    data = {kind: value for kind, value in bundle.items() if kind != METADATA}

    return data, dict(metadata) if isinstance(metadata, Mapping) else {}
