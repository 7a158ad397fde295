"""Names and explanations of the settings, and how their values are written for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from PySide6.QtCore import QCoreApplication, QLocale


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
        return _tr("none")
    if isinstance(value, bool):
        return _tr("on") if value else _tr("off")
    if isinstance(value, str):
        return text.choices.get(value, _tr("automatic") if value == "auto" else value)
    if isinstance(value, int | float):
        number = number_text(value)
        return f"{number} {text.unit}" if text.unit else number
    if isinstance(value, list | tuple):
        return ", ".join(str(each) for each in value) or _tr("none")
    return str(value)


def number_text(value: float) -> str:
    """Return a number in the user's locale, with group separators."""
    locale = QLocale()
    return locale.toString(int(value)) if float(value).is_integer() else locale.toString(float(value), "g", 6)


def _tr(text: str) -> str:
    return QCoreApplication.translate("settings", text)


def _explained(title: str, explanation: str = "", unit: str = "", **choices: str) -> SettingText:
    return SettingText(title, explanation, unit, {name.replace("_", "-"): text for name, text in choices.items()})


@cache
def _texts() -> dict[str, SettingText]:
    tr = QCoreApplication.translate
    tokens = tr("settings", "tokens")
    milliseconds = tr("settings", "ms")
    seconds = tr("settings", "seconds")
    return {
        "compaction.enabled": _explained(
            tr("settings", "Compact automatically"),
            tr("settings", "When the context is full or over the threshold. You can always compact by hand."),
        ),
        "compaction.reserveTokens": _explained(
            tr("settings", "Reserve for the answer"),
            tr("settings", "Compaction starts when less than this is left of the context window."),
            tokens,
        ),
        "compaction.keepRecentTokens": _explained(
            tr("settings", "Tokens to keep"),
            tr("settings", "The end of the branch that stays word for word."),
            tokens,
        ),
        "compaction.autoContinue": _explained(
            tr("settings", "Continue after an automatic compaction"),
            tr("settings", "Sends a short request to go on with the next steps."),
        ),
        "compaction.strategy": SettingText(
            tr("settings", "Strategy"),
            tr("settings", "Handing over to a new session is not supported; a summary is made instead."),
            choices={
                "context-full": tr("settings", "Summary"),
                "handoff": tr("settings", "Hand over (as summary)"),
                "off": tr("settings", "Never by itself"),
            },
        ),
        "compaction.thresholdPercent": _explained(
            tr("settings", "Threshold in percent"),
            tr("settings", "Above 0: compact at this share of the window instead of by the reserve."),
            "%",
        ),
        "compaction.thresholdTokens": _explained(
            tr("settings", "Threshold in tokens"),
            tr("settings", "Above 0: compact at this size. Wins over the percentage."),
            tokens,
        ),
        "compaction.boundary": SettingText(
            tr("settings", "Where summarising starts after an earlier compaction"),
            tr("settings", "At the first kept entry nothing is lost; behind the compaction is how OMP does it."),
            choices={
                "sinceKept": tr("settings", "At the first kept entry"),
                "sinceCompaction": tr("settings", "Behind the compaction"),
            },
        ),
        "compaction.adaptKeepRecent": _explained(
            tr("settings", "Adapt what is kept to measured usage"),
            tr("settings", "Keeps less where the provider measured more tokens than the estimate."),
        ),
        "compaction.shortSummary": _explained(
            tr("settings", "Short summary as well"),
            tr("settings", "One more request, for two or three sentences to show in lists; never sent as context."),
        ),
        "compaction.includeThinking": _explained(
            tr("settings", "Show the model's thinking to the summariser"),
            tr("settings", "Off: shorter prompts; reasons that were only thought are lost."),
        ),
        "compaction.fileTagLimit": _explained(
            tr("settings", "Most files in a list"),
            tr("settings", "Of the files that are listed under a summary; 0 lists all."),
            tr("settings", "files"),
        ),
        "compaction.modelOverrides": _explained(
            tr("settings", "Values for single models"),
            tr("settings", "Reserve and tokens to keep for one model, named as provider/model."),
        ),
        "compaction.remoteEndpoint": _explained(
            tr("settings", "Remote summariser"),
            tr("settings", "An address that gets the prompts of compactions by POST and answers with a summary."),
        ),
        "compaction.remoteEnabled": _explained(tr("settings", "Use the remote summariser")),
        "compaction.remoteTimeoutSeconds": _explained(
            tr("settings", "Patience with the remote summariser"), "", seconds
        ),
        "branchSummary.enabled": _explained(
            tr("settings", "Ask for a summary when a branch is left"),
            tr("settings", "Off: going somewhere never asks; you can still choose to summarise."),
        ),
        "branchSummary.skipPrompt": _explained(
            tr("settings", "Pi: never ask"), tr("settings", "Pi's own switch for the question above.")
        ),
        "branchSummary.reserveTokens": _explained(
            tr("settings", "Reserve for the summary"),
            tr("settings", "Kept free of the summariser's window; older entries that do not fit are left out."),
            tokens,
        ),
        "branchSummary.replaceInstructions": _explained(
            tr("settings", "Your instructions replace the built-in ones"),
            tr("settings", "Off: they are added to them."),
        ),
        "pruning.enabled": _explained(
            tr("settings", "Prune old tool outputs before compacting"),
            tr("settings", "Rewrites the file; the original is kept as a backup."),
        ),
        "pruning.protectTokens": _explained(
            tr("settings", "Newest tool outputs that stay"),
            tr("settings", "Counted back from the leaf."),
            tokens,
        ),
        "pruning.minimumSavings": _explained(
            tr("settings", "Least savings"), tr("settings", "Less than this is not worth a rewrite."), tokens
        ),
        "pruning.protectedTools": _explained(
            tr("settings", "Tools whose outputs always stay"), tr("settings", "One name a line.")
        ),
        "retry.enabled": _explained(
            tr("settings", "Try again after passing failures"),
            tr("settings", "Too many requests, an overloaded server, a broken connection. Escape ends the wait."),
        ),
        "retry.maxRetries": _explained(tr("settings", "Most retries")),
        "retry.baseDelayMs": _explained(
            tr("settings", "First wait"), tr("settings", "Doubles with each retry."), milliseconds
        ),
        "retry.maxAgentDelayMs": _explained(
            tr("settings", "Longest wait"), tr("settings", "An upper bound of one wait."), milliseconds
        ),
        "model.provider": SettingText(
            tr("settings", "Protocol"),
            tr("settings", "How the server is talked to."),
            choices={
                "openai-compatible": tr("settings", "Chat completions (OpenAI's)"),
                "anthropic": tr("settings", "Messages (Anthropic's)"),
                "google": tr("settings", "Gemini (Google's)"),
            },
        ),
        "model.baseUrl": _explained(
            tr("settings", "Address"), tr("settings", "Where requests are sent, and only there.")
        ),
        "model.modelId": _explained(
            tr("settings", "Model"), tr("settings", "Its id, as the provider writes it. The list is the server's own.")
        ),
        "model.contextWindow": _explained(
            tr("settings", "Context window"), tr("settings", "A larger request is refused before it is sent."), tokens
        ),
        "model.maxOutputTokens": _explained(
            tr("settings", "Output limit"), tr("settings", "The longest answer that the model can give."), tokens
        ),
        "model.apiKeyEnv": _explained(
            tr("settings", "Environment variable with the key"),
            tr("settings", "Empty: the provider's usual one, else the system keyring."),
        ),
        "model.plainHttpHosts": _explained(
            tr("settings", "Hosts reached without encryption"),
            tr("settings", "One host:port a line. Anybody on the way can read what is sent there."),
        ),
        "session.defaultDialect": _explained(
            tr("settings", "When a file does not tell its agent"),
            tr("settings", "Also for new sessions."),
            pi="Pi",
            omp="OMP",
        ),
        "sessions.folders": _explained(
            tr("settings", "Further folders with sessions"),
            tr("settings", "Besides the folders of both agents. One a line."),
        ),
        "sessionDir": _explained(
            tr("settings", "Pi's session folder"),
            tr("settings", "Where Pi keeps its sessions, if not in its usual place."),
        ),
        "treeFilterMode": SettingText(
            tr("settings", "Filter of the tree at the start"),
            tr("settings", "Until you choose another one in the window."),
            choices={
                "default": tr("settings", "Default: no settings, no labels"),
                "no-tools": tr("settings", "No tools"),
                "user-only": tr("settings", "User messages only"),
                "labeled-only": tr("settings", "Labelled only"),
                "all": tr("settings", "All entries"),
            },
        ),
        "modelRoles": _explained(
            tr("settings", "Model roles of OMP"),
            tr("settings", "Which provider/model OMP uses for what; candidates for automatic compaction."),
        ),
        "extensions": _explained(
            tr("settings", "Further extensions"),
            tr("settings", "Files or module names, one a line. They are loaded at the next start."),
        ),
    }
