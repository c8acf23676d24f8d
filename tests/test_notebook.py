"""The notebook runs from top to bottom, and what is kept in it is what it prints.

After a change that is meant to change it, `python tests/test_notebook.py` writes its outputs anew;
look at the pictures before committing it.
"""

import re
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient

from adv_envs.jit import disabled

pytestmark = [pytest.mark.compiled, pytest.mark.thorough]

NOTEBOOK = Path(__file__).parent.parent / "examples" / "adversarial_search.ipynb"
MOST = 500_000
"""Bytes: larger ones are slow to open, and GitHub does not show them."""


def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The notebook as it is after all cells have run, in order, in a folder of its own."""
    for variable in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(variable, str(folder))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in cells(notebook):
        cell.outputs, cell.execution_count = [], None
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        coalesce_streams=True,
    )
    return client.execute()


def cells(notebook: Any) -> list[Any]:
    """The cells with code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def printed(notebook: Any) -> list[str]:
    """What each cell printed or showed as text."""
    texts = []
    for cell in cells(notebook):
        outputs = [output.get("text") or output.get("data", {}) for output in cell.outputs]
        texts.append("".join(o if isinstance(o, str) else o.get("text/plain", "") for o in outputs))
    return [re.sub(r"<.*>", "", text) for text in texts]


def masked(texts: list[str]) -> list[str]:
    """Texts without numbers and spaces: how many nodes a search visits is its own business."""
    return [re.sub(r"[-+]?\d[\d,.]*|\s+", " ", text) for text in texts]


def recorded(notebook: Any) -> list[str]:
    """The pictures of searches that do the same for ever: the textbook's."""
    return [p for p in pictures(notebook) if ">Minimax: " in p or ">Alpha-beta: " in p]


def pictures(notebook: Any) -> list[str]:
    """Every SVG that is shown."""
    outputs = [output for cell in cells(notebook) for output in cell.outputs]
    return [o.data["image/svg+xml"] for o in outputs if "image/svg+xml" in o.get("data", {})]


@pytest.mark.skipif(disabled(), reason="takes minutes in plain Python")
def test_it_runs_and_says_what_is_kept_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran, kept = run(tmp_path, monkeypatch), nbformat.read(NOTEBOOK, as_version=4)
    outputs = [output for cell in cells(ran) for output in cell.outputs]
    assert {output.output_type for output in outputs} <= {"stream", "execute_result"}
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert masked(printed(ran)) == masked(printed(kept))
    assert recorded(ran) == recorded(kept)
    assert len(pictures(ran)) == len(pictures(kept)) == 15


def test_what_is_kept_is_small_and_whole() -> None:
    assert NOTEBOOK.stat().st_size < MOST
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert [cell.execution_count for cell in cells(notebook)] == [
        i + 1 for i in range(len(cells(notebook)))
    ]
    for picture in pictures(notebook):
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    for cell in cells(notebook):
        assert len(cell.source.splitlines()) <= 20
    text = "".join(printed(notebook))
    for fact in ("(3, 0)", "minimax    3198 leaves", "promising  111 leaves", "0.5306"):
        assert fact in text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        finished = run(Path(scratch), patch)
    for cell in cells(finished):
        cell.metadata.clear()
    finished.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.write(finished, NOTEBOOK)
