"""Every notebook runs from top to bottom with small parameters, and writes nothing where it is started."""

import ast
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

SMALL = {
    "small": True,
    "quick": True,
    "width": 96,
    "height": 64,
    "frames": 3,
    "samples": 64,
    "patches": 64,
    "points": 5,
    "steps": 4,
    "threads": 1,
    "workers": 1,
}


def parameter_cell(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    tagged = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    assert len(tagged) == 1, f"exactly one cell must be tagged parameters, found {len(tagged)}"
    return tagged[0]


def assignments(source: str) -> dict[str, ast.expr]:
    tree = ast.parse(source)
    assert all(isinstance(node, ast.Assign) and len(node.targets) == 1 for node in tree.body)
    return {ast.unparse(node.targets[0]): node.value for node in tree.body}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_parameters_are_plain_constants(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    for name, value in assignments(parameter_cell(notebook).source).items():
        assert name.isidentifier()
        ast.literal_eval(value)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_holds_no_output(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs, "commit notebooks without outputs"
            assert cell.execution_count is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    cell = parameter_cell(notebook)
    values = {name: ast.literal_eval(value) for name, value in assignments(cell.source).items()}
    values.update({name: SMALL[name] for name in values if name in SMALL})
    cell.source = "\n".join(f"{name} = {value!r}" for name, value in values.items())
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    )
    client.execute()
    assert list(tmp_path.iterdir()) == []


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
