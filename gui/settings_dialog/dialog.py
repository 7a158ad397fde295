"""The settings dialog: pages on the left, one in front, what was done and its undo below. Changes are kept at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.choice_box import ChoiceBox
from gui.fuzzy import folded
from gui.latest_job import LatestJob
from gui.selected_rows import outline_selected_rows
from gui.settings_dialog import plain_pages
from gui.settings_dialog.all_settings_page import AllSettingsPage
from gui.settings_dialog.extensions_page import ExtensionsPage
from gui.settings_dialog.model_page import SummariesPage
from gui.settings_dialog.page import Page, SettingsPage
from gui.settings_dialog.setting_row import AGENT_NAMES, short_path
from gui.settings_dialog.settings_form import SettingsForm, SettingsView
from gui.settings_dialog.shortcuts_page import ShortcutsPage
from gui.settings_dialog.tree_page import TreePage
from gui.shortcuts import Shortcuts
from gui.side_by_side import SideBySide
from gui.turns import Turns
from gui.widgets import breakable, label, make_clearable
from model.dialects import Dialect
from services.keys import KeyStore
from services.session_overrides import SessionOverrides
from services.settings_files import SettingsFiles
from services.settings_survey import SettingsSurvey

FILTER_KEY = ("treeFilterMode",)
PAGE_NAMES = (
    "summaries",
    "compaction",
    "branches",
    "pruning",
    "retries",
    "tree",
    "sessions",
    "extensions",
    "shortcuts",
    "all",
)
LEAST_CHARACTERS = 48  # of a page that has room beside what it is about
SIDE_MARGINS = 64  # pixels beside the name of a page, with those of a scroll bar


@dataclass(frozen=True, slots=True)
class OpenSession:
    """The session in front, from which the settings are seen."""

    dialect: Dialect
    cwd: str | None
    session_id: str
    name: str


class SettingsDialog(QDialog):
    """Starts with `page`, else with the first one, from `make_first_page` on; the others are made while it is read.

    Signals: `settings_changed` when a change was written; `filter_setting_changed` when it was the tree's filter;
    `theme_chosen` (name, "" for the system's).
    """

    settings_changed = Signal()
    filter_setting_changed = Signal()
    theme_chosen = Signal(str)

    def __init__(
        self,
        window: QMainWindow,
        shortcuts: Shortcuts,
        *,
        session: OpenSession | None = None,
        theme: str = "",
        page: str = "",
        keys: KeyStore | None = None,
        files: SettingsFiles | None = None,
        overrides: SessionOverrides | None = None,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._shortcuts = shortcuts
        self._session = session
        self._theme = theme
        self._keys = keys or KeyStore()
        self._files = files or SettingsFiles()
        self._trusts = LatestJob(self)
        self.form = SettingsForm(self._files, overrides or SessionOverrides(), self)
        self.form.surveyed.connect(self._show_survey)
        self.form.saved.connect(self._show_saved)
        self.form.failed.connect(self._show_failure)
        self.pages: dict[str, Page] = {}
        self._makers: dict[str, tuple[str, Callable[[], Page]]] = {
            "summaries": (self.tr("Summaries"), self._make_summaries),
            "compaction": (self.tr("Compaction"), plain_pages.compaction_page),
            "branches": (self.tr("Branch summaries"), plain_pages.branches_page),
            "pruning": (self.tr("Pruning"), plain_pages.pruning_page),
            "retries": (self.tr("Retries"), plain_pages.retries_page),
            "tree": (self.tr("Tree and colours"), self._make_tree),
            "sessions": (self.tr("Sessions"), plain_pages.sessions_page),
            "extensions": (self.tr("Extensions"), self._make_extensions),
            "shortcuts": (self.tr("Shortcuts"), lambda: ShortcutsPage(window, shortcuts, self.stack)),
            "all": (self.tr("All settings"), self._make_all),
        }
        self.setWindowTitle(self.tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._first_page = page or PAGE_NAMES[0]
        self._make_widgets()
        self._views = self._make_views()
        self.form.look(self._views[0])
        self._building = Turns(self._building_steps(), self)
        self._was_shown = False

    # What is shown

    def show_page(self, name: str) -> None:
        """Show a page by its name (one of PAGE_NAMES); it is made when it is shown first."""
        self.list.setCurrentRow(PAGE_NAMES.index(name))

    def make_first_page(self) -> None:
        """Make the page to start with, where none is shown yet. It need not be asked for: it is a turn that is spared
        when the dialog is shown.
        """
        if self.list.currentRow() < 0:
            self.show_page(self._first_page)

    def page(self, name: str) -> Page:
        """Return a page, complete, making it first where it was not shown yet."""
        page = self._page(name)
        page.build()
        return page

    def show_key(self, key_name: str) -> None:
        """Show the page and the field of a key."""
        for name in PAGE_NAMES:
            page = self.page(name)
            if isinstance(page, SettingsPage) and key_name in page.rows:
                self.search.clear()
                self.show_page(name)
                field = page.rows[key_name].editor.field()
                page.ensureWidgetVisible(page.rows[key_name])
                field.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    @property
    def is_busy(self) -> bool:
        """Whether something is being read or written, or a page is still to be made."""
        return self.form.is_busy or self._building.isActive() or not self._was_shown

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        self.make_first_page()
        super().showEvent(event)
        if not self._was_shown:  # to open it is a turn of its own
            self._was_shown = True
            self._building.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() == Qt.Key.Key_F:
            self.search.setFocus()
            self.search.selectAll()
        elif event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        self._put_footer_last()
        return super().focusNextPrevChild(forward)

    def done(self, result: int) -> None:
        """Keep what waits to be written, stop what is running, and close."""
        self._building.stop()
        self._trusts.close()
        for page in self.pages.values():
            page.close_page()
        self.form.close()
        super().done(result)

    # Parts

    def _make_widgets(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Find a setting"))
        self.search.setAccessibleName(self.tr("Find a setting"))
        make_clearable(self.search)
        self.search.textChanged.connect(self._find)
        self.list = QListWidget()
        outline_selected_rows(self.list)
        self.list.setAccessibleName(self.tr("Pages"))
        self.list.setObjectName("settings_pages")
        for name in PAGE_NAMES:
            item = QListWidgetItem(self._makers[name][0])
            item.setSizeHint(QSize(0, round(self.fontMetrics().height() * 1.9)))
            self.list.addItem(item)
        self.list.currentRowChanged.connect(self._show_row)
        side = QWidget(self)
        side.setObjectName("settings_side")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        left = QVBoxLayout(side)
        left.setContentsMargins(12, 14, 12, 12)
        left.setSpacing(10)
        left.addWidget(self.search)
        left.addWidget(self.list, 1)

        self.view = ChoiceBox()
        self.view.setAccessibleName(self.tr("Settings of"))
        self.view.activated.connect(lambda number: self.form.look(self._views[number]))
        view_label = label(self.tr("Settings of"), style="muted")
        view_label.setBuddy(self.view)
        self.trust_text = label(wrap=True)
        self.trust = QPushButton(self.tr("Trust this project"))
        self.trust.setAutoDefault(False)
        self.trust.clicked.connect(self._trust_project)
        self.trust_box = QWidget()
        self.trust_box.setObjectName("trust_notice")
        self.trust_box.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        trust_row = QVBoxLayout(self.trust_box)
        trust_row.setContentsMargins(19, 9, 14, 9)  # with its line as far in as the pages
        trust_row.addLayout(_text_and_buttons(self.trust_text, self.trust))
        self.trust_box.hide()
        self.stack = QStackedWidget(self)
        self._nothing = label(style="muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setContentsMargins(22, 22, 22, 22)
        self.stack.addWidget(self._nothing)
        self._head = QWidget(self)
        head = QHBoxLayout(self._head)
        head.setContentsMargins(22, 12, 22, 4)
        head.addWidget(view_label)
        head.addWidget(self.view)
        head.addStretch(1)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self._head)
        right.addWidget(self.trust_box)
        right.addWidget(self.stack, 1)
        right.addWidget(self._make_footer())
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(side)
        outer.addLayout(right, 1)
        unit = self.fontMetrics().averageCharWidth()
        self.resize(min(unit * 152, self._window.width() - 30), min(unit * 104, self._window.height() - 30))
        names = max(self.fontMetrics().horizontalAdvance(self._makers[name][0]) for name in PAGE_NAMES) + SIDE_MARGINS
        side.setFixedWidth(min(unit * 27, max(names, round(self.width() * 0.3))))
        self._is_narrow = self.width() - side.width() < LEAST_CHARACTERS * unit
        view_label.setVisible(not self._is_narrow)

    def _make_footer(self) -> QWidget:
        self.said = label(self.tr("Changes are kept at once."), style="muted", wrap=True)
        self.undo = QPushButton(self.tr("Undo"))
        self.undo.setAutoDefault(False)
        self.undo.setEnabled(False)
        self.undo.clicked.connect(self.form.undo)
        self.close_button = QPushButton(self.tr("Close"))
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.accept)
        foot = QWidget()
        foot.setProperty("footer", True)
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QVBoxLayout(foot)
        row.setContentsMargins(22, 10, 14, 10)
        row.addLayout(_text_and_buttons(self.said, self.undo, self.close_button))
        return foot

    def _make_views(self) -> list[SettingsView]:
        """From where the settings can be seen, and what a change counts for."""
        session = self._session
        views: list[tuple[str, SettingsView]] = []
        if session is None:
            for dialect, name in AGENT_NAMES.items():
                views.append((self.tr("all sessions, seen from {0}").format(name), SettingsView(dialect)))
        else:
            view = SettingsView(session.dialect, session.cwd, session.session_id)
            other: Dialect = "omp" if session.dialect == "pi" else "pi"
            views.append((self.tr("all sessions, seen from this one"), view))
            if session.session_id:
                own = SettingsView(session.dialect, session.cwd, session.session_id, "session")
                views.append((self.tr("this session only: {0}").format(session.name), own))
            views.append((self.tr("all sessions, seen from {0}").format(AGENT_NAMES[other]), SettingsView(other)))
        for text, _view in views:
            self.view.addItem(text)
        return [view for _text, view in views]

    def _make_summaries(self) -> Page:
        page = SummariesPage(self._keys)
        page.said.connect(self.said.setText)
        return page

    def _make_tree(self) -> Page:
        page = TreePage(self._theme)
        page.theme_chosen.connect(self.theme_chosen)
        return page

    def _make_extensions(self) -> Page:
        return ExtensionsPage(self._files)

    def _make_all(self) -> Page:
        page = AllSettingsPage()
        page.key_wanted.connect(self.show_key)
        page.distrust_wanted.connect(lambda folder: self._set_trust(folder, False))
        return page

    # Inside

    def _page(self, name: str) -> Page:
        """A page, which may not be complete yet."""
        if name not in self.pages:
            page = self.pages[name] = self._makers[name][1]()
            page.changed.connect(self._change)
            self.stack.addWidget(page)
            if self.form.survey is not None:
                page.show_survey(self.form.survey)
        return self.pages[name]

    def _building_steps(self) -> Iterator[Callable[[], object]]:
        """What is still to be made: the page in front first, then the others, so that they can be searched."""
        while True:
            shown = self.stack.currentWidget()
            names = [name for name in PAGE_NAMES if name not in self.pages or not self.pages[name].is_built]
            if isinstance(shown, Page) and not shown.is_built:
                yield shown.build_some
            elif names:
                yield self.pages[names[0]].build_some if names[0] in self.pages else partial(self._page, names[0])
            else:
                break
        if self.search.text():
            yield lambda: self._find(self.search.text())

    def _put_footer_last(self) -> None:
        """Put the buttons below the pages behind everything in the order of the Tab key.

        Parts of the pages are made at any time, and each goes to the end of that order.
        """
        last = self._last_before(self)
        if last is self.close_button and self._last_before(last) is self.undo:
            return
        while last in (self.undo, self.close_button):
            last = self._last_before(last)
        self.setTabOrder(last, self.undo)
        self.setTabOrder(self.undo, self.close_button)

    def _last_before(self, widget: QWidget) -> QWidget:
        """The widget before another one that takes the focus: Qt makes no order with one that does not."""
        before = widget.previousInFocusChain()
        while before is not None and before is not self and not before.focusPolicy() & Qt.FocusPolicy.TabFocus:
            before = before.previousInFocusChain()
        return before or self

    def _show_row(self, row: int) -> None:
        if row >= 0:
            page = self._page(PAGE_NAMES[row])
            page.keep_matching(folded(self.search.text()).strip())
            self.stack.setCurrentWidget(page)
            self._put_trust_notice(page)
            self._head.setVisible(PAGE_NAMES[row] != "shortcuts")  # they belong to the window, not to a level

    def _put_trust_notice(self, page: Page) -> None:
        """Where there is little room it scrolls with the page, which it would leave none."""
        if self._is_narrow:
            is_shown = not self.trust_box.isHidden()
            page.column.insertWidget(0, self.trust_box)
            self.trust_box.setVisible(is_shown)

    def _show_survey(self, survey: SettingsSurvey) -> None:
        for page in self.pages.values():
            page.show_survey(survey)
        untrusted = survey.untrusted_project_file
        self.trust_box.setVisible(untrusted is not None)
        if untrusted is not None:
            text = self.tr("{0} is not read, because you have not said that you trust this project.")
            self.trust_text.setText(text.format(breakable(short_path(untrusted))))

    def _change(self, values: dict[tuple[str, ...], object], sentence: str) -> None:
        if FILTER_KEY in values:
            self.filter_setting_changed.emit()
        self.form.change(values, sentence)

    def _show_saved(self, sentence: str, can_undo: bool) -> None:
        self.said.setText(sentence)
        self.said.setProperty("problem", False)
        self._polish_said()
        self.undo.setEnabled(can_undo)
        self.settings_changed.emit()

    def _show_failure(self, sentence: str) -> None:
        self.said.setText(f"⚠ {sentence}")
        self.said.setProperty("problem", True)
        self._polish_said()

    def _polish_said(self) -> None:
        self.said.style().unpolish(self.said)
        self.said.style().polish(self.said)

    def _find(self, text: str) -> None:
        """Keep the pages and rows that are about the words; go to the first page that has some."""
        words = folded(text).strip()
        first: int | None = None
        is_complete = True
        for row, name in enumerate(PAGE_NAMES):
            page = self.pages.get(name)
            if page is None or not page.is_built:
                is_complete = False  # it is searched when it is there
                continue
            count = page.keep_matching(words)
            self.list.item(row).setHidden(bool(words) and not count)
            if words and count and first is None:
                first = row
        if not is_complete:
            return
        if words and first is not None and self.list.item(self.list.currentRow()).isHidden():
            self.list.setCurrentRow(first)
        if words and first is None:
            self.said.setText(self.tr("No setting is about “{0}”.").format(text.strip()))
            self._nothing.setText(self.said.text())
            self.stack.setCurrentWidget(self._nothing)
        elif self.stack.currentWidget() is self._nothing:
            self.said.setText(self.tr("Changes are kept at once."))
            self._show_row(self.list.currentRow())

    def _trust_project(self) -> None:
        if self.form.view.cwd is not None:
            self._set_trust(self.form.view.cwd, True)

    def _set_trust(self, folder: str, trusted: bool) -> None:
        text = self.tr("You trust {0} now.") if trusted else self.tr("You do not trust {0} any more.")

        def finish(_nothing: None) -> None:
            self.said.setText(text.format(folder))
            self.form.refresh()
            self.settings_changed.emit()

        self._trusts.start(lambda _token: self._files.trust.trust(folder, trusted), finish, self._show_failure)


def _text_and_buttons(text: QWidget, *buttons: QWidget) -> SideBySide:
    """A text that wraps, and buttons beside it or below."""
    left, right = QVBoxLayout(), QHBoxLayout()
    left.addWidget(text)
    right.addStretch(1)
    for button in buttons:
        right.addWidget(button)
    return SideBySide(left, right, gap=10, least_characters=24)
