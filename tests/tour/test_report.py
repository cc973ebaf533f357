import base64
import html.parser
import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tilelab import tour
from tilelab.frame import Frame
from tilelab.tour import report, terminal

FRAME = Frame(color=np.zeros((4, 6, 3), np.float32))
IMAGE = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)


def numbers(context: tour.TourContext) -> tour.Chapter:
    with context.stage("count", pixels=24):
        picture = tour.Picture("picture_one", "A <picture> & its caption.", IMAGE)
    return tour.Chapter("Numbers", "An <intro>.", [("PSNR (dB)", "38.21"), ("Tiles", "7")], [picture])


def words(context: tour.TourContext) -> tour.Chapter:
    return tour.Chapter("Words", "Nothing to show.")


@pytest.fixture
def made() -> tour.Tour:
    return tour.run(tour.TourContext(FRAME, source="a <test>"), [numbers, words])


class Reader(html.parser.HTMLParser):
    """Collects table rows, pictures and everything that would be fetched."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.sources: list[str] = []
        self.in_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.sources += [value for key in ("src", "href") if (value := values.get(key))]
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
            self.in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td"):
            self.in_cell = False

    def handle_data(self, data: str) -> None:
        if self.in_cell:
            self.rows[-1][-1] += data


def test_chapters_in_order_with_their_stages(made: tour.Tour) -> None:
    assert [result.chapter.title for result in made.chapters] == ["Numbers", "Words"]
    assert [stage.name for stage in made.chapters[0].stages] == ["count"]
    assert made.chapters[1].stages == ()
    assert made.shape == (4, 6)
    assert made.seconds >= 0


def test_report_has_one_quantity_a_row(made: tour.Tour, tmp_path: Path) -> None:
    page = Reader(made.save(tmp_path).read_text(encoding="utf-8"))
    assert page.rows[:2] == [["PSNR (dB)", "38.21"], ["Tiles", "7"]]
    assert [label for label, _ in page.rows[2:]] == ["Time, count (ms)", "Speed, count (Mpixel/s)"]
    assert all(float(value) >= 0 for _, value in page.rows)


def test_report_is_self_contained_and_escaped(made: tour.Tour, tmp_path: Path) -> None:
    text = made.save(tmp_path).read_text(encoding="utf-8")
    for source in Reader(text).sources:
        assert source.startswith(("data:image/png;base64,", "#")), source
    assert not re.search(r"https?://|@import|url\(", text)
    assert "An &lt;intro&gt;." in text
    assert "a &lt;test&gt;" in text
    assert "A &lt;picture&gt; &amp; its caption." in text


def test_pictures_are_embedded_and_written(made: tour.Tour, tmp_path: Path) -> None:
    image_module = pytest.importorskip("PIL.Image")
    page = made.save(tmp_path / "deep" / "folder")
    assert sorted(path.name for path in page.parent.iterdir()) == ["picture_one.png", "report.html"]
    uri = next(
        source for source in Reader(page.read_text(encoding="utf-8")).sources if source.startswith("data:")
    )
    embedded = base64.b64decode(uri.split(",", 1)[1])
    for source in (io.BytesIO(embedded), page.parent / "picture_one.png"):
        with image_module.open(source) as picture:
            assert np.array_equal(np.asarray(picture), IMAGE)


def test_wide_pictures_are_embedded_smaller_and_written_whole(tmp_path: Path) -> None:
    image_module = pytest.importorskip("PIL.Image")

    def wide(context: tour.TourContext) -> tour.Chapter:
        return tour.Chapter("Wide", "", (), [tour.Picture("wide", "Wide", np.zeros((8, 3840, 3), np.uint8))])

    page = tour.run(tour.TourContext(FRAME, source="test"), [wide]).save(tmp_path)
    text = page.read_text(encoding="utf-8")
    uri = next(source for source in Reader(text).sources if source.startswith("data:"))
    with image_module.open(io.BytesIO(base64.b64decode(uri.split(",", 1)[1]))) as picture:
        assert picture.size == (1920, 4)
    with image_module.open(tmp_path / "wide.png") as picture:
        assert picture.size == (3840, 8)
    assert "Shown at 1/2 of its size" in text
    assert "card wide" in text


def test_two_pictures_of_one_name_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    made = tour.run(tour.TourContext(FRAME, source="test"), [numbers, numbers])
    with pytest.raises(ValueError, match="picture names must be unique in the tour, got 2 of picture_one"):
        made.save(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_units_are_split_from_labels() -> None:
    assert report.label_and_unit("PSNR (dB)") == ("PSNR", "dB")
    assert report.label_and_unit("Tiles 2x2") == ("Tiles 2x2", "")
    assert report.label_and_unit("Time, rate image (ms)") == ("Time, rate image", "ms")


def test_terminal_table(made: tour.Tour) -> None:
    console = pytest.importorskip("rich.console").Console(file=io.StringIO(), width=80)
    terminal.print_table(made, console)
    lines = console.file.getvalue().splitlines()
    assert any("a <test>, 6x4" in line for line in lines)
    assert any(line.split() == ["PSNR", "(dB)", "38.21"] for line in lines)
    assert any("Nothing to show." in line for line in lines), "a chapter without numbers says why"
    assert [line.strip() for line in lines].index("Numbers") < [line.strip() for line in lines].index("Words")


def test_print_goes_to_standard_output(made: tour.Tour, capsys: pytest.CaptureFixture[str]) -> None:
    made.print()
    out, err = capsys.readouterr()
    assert "PSNR (dB)" in out
    assert err == ""  # no progress bar without a terminal


def test_a_later_tour_removes_the_pictures_of_an_earlier_one(tmp_path: Path) -> None:
    def chapter(name: str) -> Callable[[tour.TourContext], tour.Chapter]:
        return lambda _: tour.Chapter(name, "One.", pictures=[tour.Picture(name, "A picture.", IMAGE)])

    context = tour.TourContext(FRAME, source="test")
    tour.run(context, [chapter("first"), chapter("both")]).save(tmp_path)
    (tmp_path / "mine.png").write_bytes(b"kept")
    tour.run(context, [chapter("second"), chapter("both")]).save(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"report.html", "second.png", "both.png", "mine.png"}


def test_a_report_of_something_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("<html>coverage</html>")
    with pytest.raises(ValueError, match=r"must not hold a report.html of something else"):
        tour.run(tour.TourContext(FRAME, source="test"), []).save(tmp_path)
    assert (tmp_path / "report.html").read_text() == "<html>coverage</html>"
