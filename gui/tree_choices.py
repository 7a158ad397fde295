"""The window's actions for how the tree is shown: columns, the arrangement of rows, the list of branches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from gui.tree_columns import Column

if TYPE_CHECKING:
    from gui.session_pane import SessionPane

Act = Callable[["SessionPane"], object]
MakeAction = Callable[[str, str, list[str], Act], QAction]


class TreeChoices(QObject):
    """Makes the actions with `make`, which connects them to the session in front."""

    def __init__(self, make: MakeAction, parent: QObject) -> None:
        super().__init__(parent)
        self.fixed_rows = make(
            "fixed_rows",
            self.tr("Ro&ws stay in place"),
            ["Ctrl+Alt+O"],
            lambda pane: pane.arrange(fixed=self.fixed_rows.isChecked()),
        )
        self.fixed_rows.setCheckable(True)
        self.fixed_rows.setStatusTip(
            self.tr("The longest branch is the trunk, wherever the leaf is, instead of the active path")
        )
        self.branches = make("list_branches", self.tr("List of &branches…"), ["Ctrl+Shift+B"], _list_branches)
        names = {
            Column.TOKENS: self.tr("Column &tokens"),
            Column.CONTEXT: self.tr("Column conte&xt"),
            Column.COST: self.tr("Column co&st"),
            Column.TIME: self.tr("Column t&ime"),
        }
        self._columns = {column: self._column_action(make, column, text) for column, text in names.items()}
        self.adjust = make(
            "adjust_columns", self.tr("Column &widths…"), ["Ctrl+Alt+W"], lambda pane: pane.tree.tree_header.adjust()
        )
        self.reset = make(
            "reset_columns",
            self.tr("&All columns as at first"),
            ["Ctrl+Alt+0"],
            lambda pane: pane.tree.tree_header.reset(),
        )

    def fill_menu(self, menu: QMenu) -> None:
        """Add the actions to the View menu."""
        menu.addActions([self.fixed_rows, self.branches])
        columns = menu.addMenu(self.tr("C&olumns"))
        columns.addActions(list(self._columns.values()))
        columns.addSeparator()
        columns.addActions([self.adjust, self.reset])

    def show_pane(self, pane: SessionPane | None) -> None:
        """Adapt to the session in front, or to none."""
        self.fixed_rows.setChecked(pane is not None and pane.document.arrangement == "fixed")
        header = pane.tree.tree_header if pane is not None and pane.is_prepared else None
        for column, action in self._columns.items():
            action.setChecked(header is None or header.wants(column))

    def _column_action(self, make: MakeAction, column: Column, text: str) -> QAction:
        def want(pane: SessionPane) -> None:
            pane.tree.tree_header.want(column, action.isChecked())

        action = make(f"column_{column.name.lower()}", text, [f"Ctrl+Alt+{int(column)}"], want)
        action.setCheckable(True)
        return action


def _list_branches(pane: SessionPane) -> None:
    from gui.branch_list import open_branch_list

    open_branch_list(pane)
