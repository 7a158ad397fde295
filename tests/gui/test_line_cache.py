"""Lines that are shaped once: shortened to their room, in every script, and never more of them than is bounded."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from gui import line_cache
from gui.line_cache import LineCache

TEXTS = [
    "",
    "short",
    "i" * 400,
    "W" * 400,
    "words and more words " * 30,
    "ค้นหาข้อความในเซสชันนี้ " * 20,
    "ابحث عن نص في هذه الجلسة " * 20,
    "漢字テスト" * 40,
    "👩‍👩‍👧 e\u0301 " * 40,
]


@pytest.fixture
def lines(qapp: QApplication) -> LineCache:
    return LineCache(qapp.font())


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("room", [0, 30, 200, 600])
def test_a_line_fits_and_says_when_it_was_shortened(lines: LineCache, text: str, room: int) -> None:
    line = lines.line(text, room)
    assert line.text == text or line.text.endswith("…") or not line.text
    assert line.width <= room + 4 or line.text in ("…", "")
    if lines.metrics.horizontalAdvance(text) <= room:
        assert line.text == text
    elif room >= 200:
        assert line.width > room * 0.75  # no more is left out than has to be
    assert lines.line(text, room) is line


@pytest.mark.parametrize("on_right", [False, True])
@pytest.mark.parametrize("text", ["left to right", "من اليمين إلى اليسار"])
def test_a_line_stands_at_its_side_whatever_its_script(lines: LineCache, text: str, on_right: bool) -> None:
    image = QImage(400, 30, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setPen(QColor("black"))
    lines.draw(painter, QRect(50, 0, 300, 30), text, on_right=on_right)
    painter.end()
    inked = [x for x in range(400) if any(image.pixelColor(x, y).lightness() < 128 for y in range(30))]
    assert inked[0] >= 50
    assert inked[-1] <= 350
    assert (inked[-1] > 340) == on_right
    assert (inked[0] < 60) == (not on_right)


def test_only_so_many_lines_are_kept(lines: LineCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_cache, "MOST_LINES", 50)
    for number in range(300):
        lines.line(str(number), 100)
        lines.width(str(number))
    assert len(lines._lines) == 50
    assert len(lines._widths) <= 52


def test_a_path_keeps_its_end(lines: LineCache) -> None:
    path = "packages/coding-agent/src/modes/interactive/interactive-mode.ts:1-200"
    line = lines.line(path, 200)
    assert line.text.startswith("pack")
    assert line.text.endswith("mode.ts:1-200")
    assert line.width <= 204
    assert lines.line(f"read {path}", 200).text.endswith("…")
