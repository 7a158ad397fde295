"""The pages that are made from the schema alone: compaction, branch summaries, pruning, retries, sessions."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gui.settings_dialog.page import Section, SettingsPage
from gui.settings_dialog.table_setting import TableSetting

translate = QCoreApplication.translate


def compaction_page() -> SettingsPage:
    """When a branch is compacted, where it is cut, and what its summary holds."""
    page = SettingsPage(
        translate("settings", "Compaction"),
        translate("settings", "Old history becomes a summary when the context fills up, or when you say so."),
        [
            Section("", _keys("compaction", "enabled", "reserveTokens", "keepRecentTokens", "strategy")),
            Section(
                translate("settings", "WHEN, MORE EXACTLY"),
                _keys("compaction", "thresholdPercent", "thresholdTokens", "autoContinue"),
            ),
            Section(translate("settings", "WHERE IT CUTS"), _keys("compaction", "boundary", "adaptKeepRecent")),
            Section(
                translate("settings", "WHAT THE SUMMARY HOLDS"),
                _keys("compaction", "includeThinking", "shortSummary", "fileTagLimit"),
            ),
        ],
    )
    headers = [translate("settings", "Reserve"), translate("settings", "Keep")]
    page.add_table(lambda: TableSetting("compaction.modelOverrides", translate("settings", "Provider/model"), headers))
    page.end()
    return page


def branches_page() -> SettingsPage:
    """Summaries of branches that are left."""
    return _page(
        translate("settings", "Branch summaries"),
        translate("settings", "When you go to another branch, what you leave can be summarised for it."),
        _keys("branchSummary", "answer", "enabled", "skipPrompt", "reserveTokens", "replaceInstructions"),
    )


def pruning_page() -> SettingsPage:
    """Cutting old tool outputs short."""
    return _page(
        translate("settings", "Pruning"),
        translate("settings", "Old tool outputs are cut short before anything is summarised. OMP does it, Pi not."),
        _keys("pruning", "enabled", "protectTokens", "minimumSavings", "protectedTools"),
    )


def retries_page() -> SettingsPage:
    """Requests that fail for a passing reason, and the other models that may be asked then."""
    page = SettingsPage(
        translate("settings", "Retries"),
        translate("settings", "What happens when a request for a summary fails for a reason that passes."),
        [Section("", _keys("retry", "enabled", "maxRetries", "baseDelayMs", "maxAgentDelayMs"))],
    )
    headers = [translate("settings", "Provider/model")]
    page.add_table(lambda: TableSetting("modelRoles", translate("settings", "Role"), headers))
    page.end()
    return page


def sessions_page() -> SettingsPage:
    """Where sessions are looked for."""
    return _page(translate("settings", "Sessions"), "", ("sessions.folders", "sessionDir", "session.defaultDialect"))


def _keys(group: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{group}.{name}" for name in names)


def _page(title: str, about: str, names: tuple[str, ...]) -> SettingsPage:
    page = SettingsPage(title, about, [Section("", names)])
    page.end()
    return page
