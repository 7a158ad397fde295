"""What is done from now on when a branch is left, as it was said in the question (TN-12.4)."""

from __future__ import annotations

from model.settings import BranchAnswer
from services.settings_files import SettingsFiles


def keep_answer(answer: BranchAnswer) -> None:
    """Write the answer into the settings of this application. Blocking. Raises ServiceError; then nothing changed."""
    SettingsFiles().change(("branchSummary", "answer"), answer)
