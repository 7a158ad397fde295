"""What commands do, in a sentence: told in the status bar while a menu is open, and searched by the command palette."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

translate = QCoreApplication.translate


def give_tips(window: QMainWindow) -> None:
    """Give the commands of the window their sentences, by their ids."""
    tips = _tips()
    for action in window.findChildren(QAction):
        if tip := tips.get(action.objectName()):
            action.setStatusTip(tip)


def _tips() -> dict[str, str]:
    return {
        "navigate_to_selected": translate(
            "Tips", "Go to another branch, with or without a summary of what you leave; you see both before you choose"
        ),
        "go_there_at_once": translate("Tips", "Move to the selected entry without a summary; nothing is written"),
        "show_compaction": translate(
            "Tips", "See where old history would be cut and become a summary, and make the cut"
        ),
        "preview_pruning": translate(
            "Tips", "Replace old outputs of tools in the file by a short note; the original is kept as a backup"
        ),
        "ask_for_label": translate("Tips", "Give the entry a name, or bookmark it; it is shown as a chip in the tree"),
        "ask_for_name": translate("Tips", "Give the session a name, or take it away"),
        "set_resume_point": translate("Tips", "Write one entry, so that the agents go on from here too"),
        "copy_id": translate("Tips", "Copy the id of the selected entry to the clipboard"),
        "show_event_log": translate("Tips", "See what happened in this session since it was opened"),
        "stop": translate("Tips", "Abort what runs, as Esc does: nothing is written, the leaf stays where it was"),
        "branch_points_only": translate("Tips", "Hide all entries but forks, heads of branches and leaves"),
        "list_branches": translate("Tips", "Choose from all branches with their sizes and times"),
        "show_map": translate("Tips", "Draw the whole session small, a line for each run"),
        "show_inspector": translate("Tips", "Read the selected entry and preview what can be done with it"),
        "show_comparison": translate(
            "Tips", "Put the selected branch and the active path side by side from their common ancestor on"
        ),
        "compare_from_here": translate(
            "Tips", "Keep the branch of the selected entry, and put the next one that you select beside it"
        ),
        "show_timeline": translate("Tips", "Draw the size of the context along the path, with each compaction"),
        "export_session": translate("Tips", "Write HTML, Markdown or JSON to share; secrets can be masked"),
        "export_branch": translate("Tips", "Write the branch of the selected entry as HTML, Markdown or JSON"),
        "save_copy": translate("Tips", "Save the session's file under another name"),
        "open_demo": translate("Tips", "Open a copy of a bundled real session in a temporary folder"),
        "open_settings": translate("Tips", "Set up a model and its key, what is kept, colours and shortcuts"),
        "search_library": translate("Tips", "Find words in the texts of all sessions on this computer"),
        "go_to_leaf": translate("Tips", "Select the entry where the session goes on"),
    }
