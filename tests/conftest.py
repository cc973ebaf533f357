"""Fixtures of the whole suite."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import tilelab.testing
from tilelab import data
from tilelab.frame import Frame

TESTS = Path(__file__).resolve().parent
THREADS = [1, 2, 3, 4]
SHARED_DATA = Path(os.environ.get("TILELAB_SHARED_DATA", TESTS.parents[1] / "shared" / "data"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--runslow", action="store_true", help="also run the tests marked slow")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker for each core this process may use; xdist itself asks for physical cores of the machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--runslow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow: runs with --runslow"))


def pytest_report_header(config: pytest.Config) -> list[str]:
    build = tilelab.build_config()
    found = "present" if SHARED_DATA.is_dir() else "absent: tests on real G-buffers and textures are skipped"
    return [f"tilelab {build['version']}, targets {build['targets']}", f"shared data: {found}"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    absent = [report for report in skipped if "shared data" in str(report.longrepr)]
    if absent:
        terminalreporter.write_line(f"shared data is absent: {len(absent)} tests on real inputs did not run")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240229)


@pytest.fixture(params=tilelab.testing.targets())
def target(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test once for every instruction set of this CPU."""
    with tilelab.testing.force_target(request.param):
        yield request.param


@pytest.fixture(params=THREADS)
def threads(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def every_target() -> Iterator[Callable[[], Iterator[str]]]:
    """Loop over the instruction sets inside a test, so that what all must equal is made once, before it.

    ``for target in every_target(): ...`` is for results of a twin; the fixture `target` is for the rest.
    """
    with contextlib.ExitStack() as forced:  # belongs to the fixture: a failure may leave the loop half-way

        def loop() -> Iterator[str]:
            for name in tilelab.testing.targets():
                forced.close()
                forced.enter_context(tilelab.testing.force_target(name))
                print("target", name)  # shown with a failure
                yield name
            forced.close()

        yield loop


@pytest.fixture
def every_way(every_target: Callable[[], Iterator[str]]) -> Callable[[], Iterator[int]]:
    """Loop over numbers of threads in every instruction set: ``for threads in every_way(): ...``."""

    def loop() -> Iterator[int]:
        for _ in every_target():
            for threads in THREADS:
                print("threads", threads)
                yield threads

    return loop


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Path]:
    """Path of a measured right answer below tests/golden."""

    def path(relative: str) -> Path:
        found = TESTS / "golden" / relative
        assert found.exists(), f"golden file {relative} is missing"
        return found

    return path


@pytest.fixture(scope="session")
def frame_pair() -> tuple[Frame, Frame]:
    """The frames that come with the package; to unpack them takes seconds."""
    return data.frame_pair()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real textures and G-buffers beside the repository; the test is skipped without it."""
    if not SHARED_DATA.is_dir():
        pytest.skip("shared data absent")
    return SHARED_DATA
