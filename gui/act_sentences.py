"""How an act of a person ended, as the status bar says it: what was written, and the way back."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.settings import BranchAnswer
from services.operations import NavigationResult

translate = QCoreApplication.translate


def move_sentence(result: NavigationResult, *, at_end: bool) -> str:
    """Return what a move came to. `at_end`: where one is now, an agent would resume, too."""
    is_labelled = result.label_entry_id is not None
    if result.summary_entry_id is not None:
        if is_labelled:
            return translate(
                "ActSentences",
                "You are there; a summary of what you left and its label are new entries. Back returns.",
            )
        return translate("ActSentences", "You are there; a summary of what you left is a new entry. Back returns.")
    if result.summary_skipped and is_labelled:
        return translate(
            "ActSentences", "You are there, and Back returns. There was nothing to summarise; the label was written."
        )
    if result.summary_skipped:
        return translate("ActSentences", "You are there, and Back returns. There was nothing to summarise.")
    if is_labelled:
        return translate(
            "ActSentences",
            "You are there, and Back returns. Only the label was written; with it, an agent would resume here.",
        )
    if at_end:
        return translate(
            "ActSentences", "You are there, and Back returns. It is the end of the file, where an agent would resume."
        )
    return translate(
        "ActSentences",
        "You are there, and Back returns. Nothing was written: an agent would still resume at the end of the file.",
    )


def unasked_sentence(result: NavigationResult, command: str) -> str:
    """Return what a move without a question came to; `command` always asks. Short: all of it has to be seen."""
    done = (
        translate("ActSentences", "You are there; nothing was written. Back returns; {0} asks first.")
        if result.summary_entry_id is None
        else translate(
            "ActSentences", "You are there; a summary of what you left is a new entry. Back returns; {0} asks first."
        )
    )
    return done.format(command)


def kept_sentence(answer: BranchAnswer, command: str) -> str:
    """Return what will be done from now on; `command` always asks."""
    done = (
        translate("ActSentences", "From now on you just go; {0} asks first.")
        if answer == "go"
        else translate("ActSentences", "From now on what you leave is summarised; {0} asks first.")
    )
    return done.format(command)


def label_sentence(before: str, label: str) -> str:
    """Return how an entry is labelled now, and was before; empty: not at all."""
    if label and before:
        return translate("ActSentences", "The label is “{0}” now; before, it was “{1}”.").format(label, before)
    if label:
        return translate("ActSentences", "Labelled “{0}”. An empty label removes it again.").format(label)
    return translate("ActSentences", "The label “{0}” is gone; label the entry again to have it back.").format(before)


def name_sentence(before: str, name: str) -> str:
    """Return how a session is called now, and was before; empty: it has no name."""
    if name and before:
        return translate("ActSentences", "The session is called “{0}” now; before, it was “{1}”.").format(name, before)
    if name:
        return translate("ActSentences", "The session is called “{0}” now. An empty name takes it away again.").format(
            name
        )
    return translate("ActSentences", "The name “{0}” was taken away; give it again to have it back.").format(before)


def nothing_changed() -> str:
    """Return that an act would have changed nothing, so that nothing was written."""
    return translate("ActSentences", "Nothing changed.")
