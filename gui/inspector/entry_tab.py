"""The *Entry* tab: everything that the selected entry says, rendered or plain, or its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QMenu, QMessageBox, QPushButton, QVBoxLayout, QWidget

from gui.flow_layout import FlowLayout
from gui.inspector.entry_page import ENTRY, FOLD, FORMS, EntryPage, Form
from gui.inspector.page_view import PageView
from gui.inspector.tab_scroll import TabScroll
from gui.number_text import full_count
from gui.row_content import RowContent
from gui.widgets import breakable, label
from model.rich_text import Block, Span

OPENED_SCHEMES = ("http", "https", "mailto")
LEAST_LINES = 5  # of the text, in a window that is too small for all
MOST_ADDRESS = 1000  # characters of an address that are shown


class EntryTab(QWidget):
    """Shows one entry.

    Signals: `entry_wanted` (entry id) when a link to another entry is followed; `form_chosen` (form) when another one
    was chosen; `copy_wanted` ("text", "json", "line" or "id").
    """

    entry_wanted = Signal(str)
    form_chosen = Signal(str)
    copy_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form: Form = "rendered"
        self._page: EntryPage | None = None
        self._unfolded: dict[tuple[str, str], bool] = {}
        """By entry and fold what the reader chose; else a part is unfolded while a search found something in it."""
        self._words: tuple[str, ...] = ()
        self._content: RowContent | None = None
        body = QWidget()
        scroll = TabScroll(body, self)
        self._title = label(style="title")
        self._facts = label(style="muted", wrap=True)
        self._facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.forms: dict[Form, QPushButton] = {}
        self._group = QButtonGroup(self)
        names = (self.tr("Rendered"), self.tr("Plain"), self.tr("JSON"), self.tr("Line"))
        tips = (
            self.tr("Show what the entry says, its Markdown rendered"),
            self.tr("Show what the entry says, as it is written"),
            self.tr("Show all fields of the entry"),
            self.tr("Show the line of the file exactly as it is"),
        )
        buttons = FlowLayout(last_at_end=True)
        buttons.setSpacing(4)
        for form, name, tip in zip(FORMS, names, tips, strict=True):
            button = self.forms[form] = QPushButton(name)
            button.setCheckable(True)
            button.setChecked(form == self.form)
            button.setToolTip(tip)
            self._group.addButton(button)
            button.clicked.connect(lambda _checked=False, form=form: self._choose(form))
            buttons.addWidget(button)
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setToolTip(self.tr("Copy the entry, its JSON or its id"))
        self.copy.setMenu(self._copy_menu())
        buttons.addWidget(self.copy)
        self.view = PageView()
        self.view.setAccessibleName(self.tr("Text of the entry"))
        self.view.followed.connect(self._follow)
        self.view.web_wanted.connect(self._ask_about)
        self.view.setMinimumHeight(self.fontMetrics().lineSpacing() * LEAST_LINES)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.addWidget(self._title)
        layout.addWidget(self._facts)
        layout.addLayout(buttons)
        layout.addWidget(self.view, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Say that nothing is selected."""
        self._page = self._content = None
        self._enable(False)
        self._title.setText(self.tr("Nothing selected"))
        self._facts.setText(self.tr("Select a row in the tree to read it here."))
        self.view.show_blocks(())

    def show_title(self, content: RowContent) -> None:
        """Say which entry is shown; its text follows."""
        if content == self._content:
            return
        is_other = self._content is None or self._content.entry_id != content.entry_id
        self._content = content
        if is_other:  # rows that were made anew have no marks yet
            self.mark(content.matched_words)
        self._enable(True)
        self._title.setText(content.name)
        facts = [content.time_tip, self.tr("id {0}").format(content.entry_id).replace(" ", "\u00a0")]
        if content.tokens:
            facts.append(self.tr("{0} tokens (the agents' estimate)").format(full_count(content.tokens)))
        if content.label:
            facts.append(self.tr("label “{0}”").format(content.label))
        self._facts.setText(" · ".join(filter(None, facts)))

    def mark(self, words: tuple[str, ...]) -> None:
        """Mark the folded words of a search in the entry, now or once its text is shown."""
        if words == self._words:
            return
        before, self._words = self._words, words
        page = self._page
        if page is None or self._content is None or page.entry_id != self._content.entry_id:
            return
        if page.matches(before) or page.matches(words):
            self._write(stays=not words)
        else:
            self.view.mark_words(words)

    def show_page(self, page: EntryPage) -> None:
        """Show the text of an entry; the reader stays in place when more of the same comes."""
        shown = self._page
        stays = shown is not None and (shown.entry_id, shown.form) == (page.entry_id, page.form)
        if stays and shown is not None and (page.says_the_same(shown) or shown.is_complete > page.is_complete):
            return  # a selection stays as well
        self._page = page
        self._write(stays=stays)

    def show_waiting(self) -> None:
        """Say that the text is still being read."""
        self.show_sentence(self.tr("Reading…"))

    def show_sentence(self, sentence: str) -> None:
        """Say in place of the text why there is none."""
        self._page = None
        self.view.show_blocks([Block("note", (Span(sentence),))])

    def set_form(self, form: str) -> None:
        """Take over the form that was chosen the last time."""
        if form in self.forms and form != self.form:
            self.form = form
            self.forms[form].setChecked(True)
            self.form_chosen.emit(form)

    def shows(self, entry_id: str) -> bool:
        """Tell whether the text of an entry is shown in the form that is chosen."""
        return self._page is not None and (self._page.entry_id, self._page.form) == (entry_id, self.form)

    @property
    def page_text(self) -> str:
        """All that the entry says, in plain words."""
        return "" if self._page is None else self._page.text

    def _write(self, *, stays: bool) -> None:
        page = self._page
        if page is None:
            return
        words = self._words if self._content is not None and page.entry_id == self._content.entry_id else ()
        matches = page.matches(words)
        unfolded = frozenset(part.fold for part in page.parts if part.fold and self._is_unfolded(part.fold, matches))
        self.view.show_blocks(
            page.blocks(unfolded, matches),
            page.images,
            stays=stays,
            length=page.characters(unfolded),
            words=words,
        )

    def _is_unfolded(self, fold: str, matches: Mapping[str, int]) -> bool:
        assert self._page is not None
        return self._unfolded.get((self._page.entry_id, fold), fold in matches)

    def _choose(self, form: Form) -> None:
        if form != self.form:
            self.form = form
            self.form_chosen.emit(form)

    def _follow(self, target: str) -> None:
        if target.startswith(FOLD) and self._page is not None:
            fold = target.removeprefix(FOLD)
            is_unfolded = self._is_unfolded(fold, self._page.matches(self._words))
            self._unfolded[self._page.entry_id, fold] = not is_unfolded
            self._write(stays=True)
        elif target.startswith(ENTRY):
            self.entry_wanted.emit(target.removeprefix(ENTRY))

    def _ask_about(self, url: QUrl) -> None:
        if url.scheme().lower() not in OPENED_SCHEMES:
            return
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        box = QMessageBox(self)
        box.setWindowTitle(self.tr("Open a link"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Open this address in your browser? It comes from the session."))
        shown = address if len(address) <= MOST_ADDRESS else f"{address[:MOST_ADDRESS]}…"
        box.setInformativeText(breakable(shown))
        opening = box.addButton(self.tr("Open"), QMessageBox.ButtonRole.AcceptRole)
        copying = box.addButton(self.tr("Copy the address"), QMessageBox.ButtonRole.ActionRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        opening.clicked.connect(lambda: open_in_browser(url))
        copying.clicked.connect(lambda: QGuiApplication.clipboard().setText(address))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _copy_menu(self) -> QMenu:
        menu = QMenu(self)
        for what, words in (
            ("text", self.tr("Copy the text")),
            ("json", self.tr("Copy the JSON")),
            ("line", self.tr("Copy the line of the file")),
            ("id", self.tr("Copy the id")),
        ):
            menu.addAction(words).triggered.connect(partial(self.copy_wanted.emit, what))
        return menu

    def _enable(self, has_entry: bool) -> None:
        for widget in (*self.forms.values(), self.copy):
            widget.setEnabled(has_entry)


def open_in_browser(url: QUrl) -> None:
    """Open an address outside of the program."""
    QDesktopServices.openUrl(url)
