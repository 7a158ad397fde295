"""The *Entry* tab: everything that the selected entry says, or its raw JSON."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.number_text import full_count
from gui.row_content import RowContent
from gui.session_document import SessionDocument
from gui.widgets import TextView, label
from model.entry_kinds import Role
from model.entry_text import TextSection, entry_sections


class EntryTab(QWidget):
    """Shows one entry of a document."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: SessionDocument | None = None
        self._row: int | None = None
        self._title = label(style="title")
        self._facts = label(style="muted", wrap=True)
        self._facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._as_text = QPushButton(self.tr("Text"))
        self._as_json = QPushButton(self.tr("JSON"))
        self._form = QButtonGroup(self)
        for button in (self._as_text, self._as_json):
            button.setCheckable(True)
            self._form.addButton(button)
        self._as_text.setChecked(True)
        self._as_text.setToolTip(self.tr("Show what the entry says"))
        self._as_json.setToolTip(self.tr("Show the entry as it stands in the file"))
        self._copy = QPushButton(self.tr("Copy"))
        self._copy.setToolTip(self.tr("Copy the whole entry, in the form that is shown"))
        self.text = TextView()
        self.text.setAccessibleName(self.tr("Text of the entry"))
        self._form.buttonToggled.connect(self._show)
        self._copy.clicked.connect(self._copy_all)

        buttons = QHBoxLayout()
        buttons.addWidget(self._as_text)
        buttons.addWidget(self._as_json)
        buttons.addStretch(1)
        buttons.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.addWidget(self._title)
        layout.addWidget(self._facts)
        layout.addLayout(buttons)
        layout.addWidget(self.text, 1)
        self.show_entry(None, None)

    def show_entry(self, document: SessionDocument | None, row: int | None) -> None:
        """Show entry `row` of `document`, or that nothing is selected."""
        self._document, self._row = document, row
        self._show()

    def _content(self) -> RowContent | None:
        rows = self._document.rows if self._document else None
        return None if rows is None or self._row is None else rows.content(self._row)

    def _show(self, *_: object) -> None:
        content = self._content()
        has_entry = content is not None
        for widget in (self._as_text, self._as_json, self._copy):
            widget.setEnabled(has_entry)
        if content is None or self._document is None or self._row is None:
            self._title.setText(self.tr("Nothing selected"))
            self._facts.setText(self.tr("Select a row in the tree to read it here."))
            self.text.show_text("")
            return
        self._title.setText(content.name)
        facts = [content.time_tip, self.tr("id {0}").format(content.entry_id)]
        if content.tokens:
            facts.append(self.tr("{0} tokens (the agents' estimate)").format(full_count(content.tokens)))
        if content.label:
            facts.append(self.tr("label “{0}”").format(content.label))
        self._facts.setText(" · ".join(filter(None, facts)))
        self.text.show_text("")
        if self._as_json.isChecked():
            self.text.append_section("", self._json(), verbatim=True)
        else:
            for section in self._sections():
                self.text.append_section(section.title, section.text, verbatim=section.verbatim)
            if self.text.document().isEmpty():
                self.text.append_section(self.tr("No content"), "")
        self.text.verticalScrollBar().setValue(0)

    def _sections(self) -> list[TextSection]:
        assert self._document is not None
        store, rows, row = self._document.store, self._document.rows, self._row
        assert store is not None
        assert rows is not None
        assert row is not None
        call = rows.call_of(row) if store.index.role[row] == Role.TOOL_RESULT else None
        return entry_sections(store.entry(row), call)

    def _json(self) -> str:
        assert self._document is not None
        store = self._document.store
        assert store is not None
        assert self._row is not None
        return json.dumps(store.entry(self._row), ensure_ascii=False, indent=2)

    def _copy_all(self) -> None:
        if self._as_json.isChecked():
            text = self._json()
        else:
            text = "\n\n".join(f"{section.title}\n{section.text}".strip() for section in self._sections())
        QGuiApplication.clipboard().setText(text)
