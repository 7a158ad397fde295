"""Names and explanations of the settings, and how their values are written for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from PySide6.QtCore import QCoreApplication, QLocale

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class SettingText:
    """What a setting is called, what it does, its unit, and the names of its choices."""

    title: str
    help: str = ""
    unit: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)


def setting_text(name: str) -> SettingText:
    """Return the texts of the key with that dotted name; a key without texts shows its name."""
    return _texts().get(name) or SettingText(name)


def has_text(name: str) -> bool:
    """Whether a key has a title of its own."""
    return name in _texts()


def value_text(name: str, value: Any) -> str:
    """Return a value as it is written in a sentence."""
    text = setting_text(name)
    if value is None or value == "" or value == []:
        return translate("settings", "none")
    if isinstance(value, bool):
        return translate("settings", "on") if value else translate("settings", "off")
    if isinstance(value, str):
        return text.choices.get(value, translate("settings", "automatic") if value == "auto" else value)
    if isinstance(value, int | float):
        number = number_text(value)
        return f"{number} {text.unit}" if text.unit else number
    if isinstance(value, list | tuple):
        return ", ".join(str(each) for each in value) or translate("settings", "none")
    return str(value)


def number_text(value: float) -> str:
    """Return a number in the user's locale, with group separators."""
    locale = QLocale()
    return locale.toString(int(value)) if float(value).is_integer() else locale.toString(float(value), "g", 6)


def _explained(title: str, explanation: str = "", unit: str = "", **choices: str) -> SettingText:
    return SettingText(title, explanation, unit, {name.replace("_", "-"): text for name, text in choices.items()})


@cache
def _texts() -> dict[str, SettingText]:
    tokens = translate("settings", "tokens")
    milliseconds = translate("settings", "ms")
    seconds = translate("settings", "seconds")
    return {
        "compaction.enabled": _explained(
            translate("settings", "Compact automatically"),
            translate("settings", "When the context is full or over the threshold. You can always compact by hand."),
        ),
        "compaction.reserveTokens": _explained(
            translate("settings", "Reserve for the answer"),
            translate("settings", "Compaction starts when less than this is left of the context window."),
            tokens,
        ),
        "compaction.keepRecentTokens": _explained(
            translate("settings", "Tokens to keep"),
            translate("settings", "The end of the branch that stays word for word."),
            tokens,
        ),
        "compaction.autoContinue": _explained(
            translate("settings", "Continue after an automatic compaction"),
            translate("settings", "Sends a short request to go on with the next steps."),
        ),
        "compaction.strategy": SettingText(
            translate("settings", "Strategy"),
            translate("settings", "Handing over to a new session is not supported; a summary is made instead."),
            choices={
                "context-full": translate("settings", "Summary"),
                "handoff": translate("settings", "Hand over (as summary)"),
                "off": translate("settings", "Never by itself"),
            },
        ),
        "compaction.thresholdPercent": _explained(
            translate("settings", "Threshold in percent"),
            translate("settings", "Above 0: compact at this share of the window instead of by the reserve."),
            "%",
        ),
        "compaction.thresholdTokens": _explained(
            translate("settings", "Threshold in tokens"),
            translate("settings", "Above 0: compact at this size. Wins over the percentage."),
            tokens,
        ),
        "compaction.boundary": SettingText(
            translate("settings", "Where summarising starts after an earlier compaction"),
            translate("settings", "At the first kept entry nothing is lost; behind the compaction is how OMP does it."),
            choices={
                "sinceKept": translate("settings", "At the first kept entry"),
                "sinceCompaction": translate("settings", "Behind the compaction"),
            },
        ),
        "compaction.adaptKeepRecent": _explained(
            translate("settings", "Adapt what is kept to measured usage"),
            translate("settings", "Keeps less where the provider measured more tokens than the estimate."),
        ),
        "compaction.shortSummary": _explained(
            translate("settings", "Short summary as well"),
            translate(
                "settings", "One more request, for two or three sentences to show in lists; never sent as context."
            ),
        ),
        "compaction.includeThinking": _explained(
            translate("settings", "Show the model's thinking to the summariser"),
            translate("settings", "Off: shorter prompts; reasons that were only thought are lost."),
        ),
        "compaction.fileTagLimit": _explained(
            translate("settings", "Most files in a list"),
            translate("settings", "Of the files that are listed under a summary; 0 lists all."),
            translate("settings", "files"),
        ),
        "compaction.modelOverrides": _explained(
            translate("settings", "Values for single models"),
            translate("settings", "Reserve and tokens to keep for one model, named as provider/model."),
        ),
        "compaction.remoteEndpoint": _explained(
            translate("settings", "Remote summariser"),
            translate(
                "settings", "An address that gets the prompts of compactions by POST and answers with a summary."
            ),
        ),
        "compaction.remoteEnabled": _explained(translate("settings", "Use the remote summariser")),
        "compaction.remoteTimeoutSeconds": _explained(
            translate("settings", "Patience with the remote summariser"), "", seconds
        ),
        "branchSummary.answer": _explained(
            translate("settings", "When you leave a branch"),
            translate(
                "settings",
                "Automatic: as the two switches below say. The command “Navigate to the selected entry…” always asks.",
            ),
            ask=translate("settings", "Ask how to go"),
            go=translate("settings", "Just go there"),
            summarise=translate("settings", "Summarise, then go"),
        ),
        "branchSummary.enabled": _explained(
            translate("settings", "Ask for a summary when a branch is left"),
            translate("settings", "Off: going somewhere does not ask. Counts while the answer above is automatic."),
        ),
        "branchSummary.skipPrompt": _explained(
            translate("settings", "Pi: never ask"), translate("settings", "Pi's own switch for the question above.")
        ),
        "branchSummary.reserveTokens": _explained(
            translate("settings", "Reserve for the summary"),
            translate("settings", "Kept free of the summariser's window; older entries that do not fit are left out."),
            tokens,
        ),
        "branchSummary.replaceInstructions": _explained(
            translate("settings", "Your instructions replace the built-in ones"),
            translate("settings", "Off: they are added to them."),
        ),
        "pruning.enabled": _explained(
            translate("settings", "Prune old tool outputs before compacting"),
            translate("settings", "Rewrites the file; the original is kept as a backup."),
        ),
        "pruning.protectTokens": _explained(
            translate("settings", "Newest tool outputs that stay"),
            translate("settings", "Counted back from the leaf."),
            tokens,
        ),
        "pruning.minimumSavings": _explained(
            translate("settings", "Least savings"),
            translate("settings", "Less than this is not worth a rewrite."),
            tokens,
        ),
        "pruning.protectedTools": _explained(
            translate("settings", "Tools whose outputs always stay"), translate("settings", "One name a line.")
        ),
        "retry.enabled": _explained(
            translate("settings", "Try again after passing failures"),
            translate(
                "settings", "Too many requests, an overloaded server, a broken connection. Escape ends the wait."
            ),
        ),
        "retry.maxRetries": _explained(translate("settings", "Most retries")),
        "retry.baseDelayMs": _explained(
            translate("settings", "First wait"), translate("settings", "Doubles with each retry."), milliseconds
        ),
        "retry.maxAgentDelayMs": _explained(
            translate("settings", "Longest wait"), translate("settings", "An upper bound of one wait."), milliseconds
        ),
        "model.provider": SettingText(
            translate("settings", "Protocol"),
            translate("settings", "How the server is talked to."),
            choices={
                "openai-compatible": translate("settings", "Chat completions (OpenAI's)"),
                "anthropic": translate("settings", "Messages (Anthropic's)"),
                "google": translate("settings", "Gemini (Google's)"),
            },
        ),
        "model.baseUrl": _explained(
            translate("settings", "Address"), translate("settings", "Where requests are sent, and only there.")
        ),
        "model.modelId": _explained(
            translate("settings", "Model"),
            translate("settings", "Its id, as the provider writes it. The list is the server's own."),
        ),
        "model.contextWindow": _explained(
            translate("settings", "Context window"),
            translate("settings", "A larger request is refused before it is sent."),
            tokens,
        ),
        "model.maxOutputTokens": _explained(
            translate("settings", "Output limit"),
            translate("settings", "The longest answer that the model can give."),
            tokens,
        ),
        "model.apiKeyEnv": _explained(
            translate("settings", "Environment variable with the key"),
            translate("settings", "Empty: the provider's usual one, else the system keyring."),
        ),
        "model.plainHttpHosts": _explained(
            translate("settings", "Hosts reached without encryption"),
            translate("settings", "One host:port a line. Anybody on the way can read what is sent there."),
        ),
        "session.defaultDialect": _explained(
            translate("settings", "When a file does not tell its agent"),
            translate("settings", "Also for new sessions."),
            pi="Pi",
            omp="OMP",
        ),
        "sessions.folders": _explained(
            translate("settings", "Further folders with sessions"),
            translate("settings", "Besides the folders of both agents. One a line."),
        ),
        "sessionDir": _explained(
            translate("settings", "Pi's session folder"),
            translate("settings", "Where Pi keeps its sessions, if not in its usual place."),
        ),
        "treeFilterMode": SettingText(
            translate("settings", "Filter of the tree at the start"),
            translate("settings", "Until you choose another one in the window."),
            choices={
                "default": translate("settings", "Default: no settings, no labels"),
                "no-tools": translate("settings", "No tools"),
                "user-only": translate("settings", "User messages only"),
                "labeled-only": translate("settings", "Labelled only"),
                "all": translate("settings", "All entries"),
            },
        ),
        "modelRoles": _explained(
            translate("settings", "Model roles of OMP"),
            translate("settings", "Which provider/model OMP uses for what; candidates for automatic compaction."),
        ),
        "extensions": _explained(
            translate("settings", "Further extensions"),
            translate("settings", "Files or module names, one a line. They are loaded at the next start."),
        ),
    }
