"""What is wrong with a value that a person typed, in words for that person."""

from __future__ import annotations

import re
from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import QCoreApplication, QLocale

from gui.settings_dialog.setting_texts import number_text
from gui.translation import shown
from model.settings_levels import SettingKey, reason_of

translate = QCoreApplication.translate

_GROUPING = re.compile("[\u0020\u00a0\u2009\u202f'’_]")


class NotANumberError(ValueError):
    """The text is no number. The message is a sentence for the user."""


def check(key: SettingKey, value: Any) -> str:
    """Return what is wrong with `value` for `key`, as a sentence; empty when it is valid."""
    try:
        key.adapter.validate_python(value)
    except ValidationError as error:
        return " ".join(dict.fromkeys(_sentence(details) for details in _worth_telling(error)))
    return ""


def read_number(text: str) -> int | float:
    """Return the number that a person wrote, with or without group separators. Raises NotANumberError."""
    locale = QLocale()
    plain = _GROUPING.sub("", text.strip())
    whole, ok = locale.toLongLong(plain)
    if ok:
        return int(whole)
    number, ok = locale.toDouble(plain)
    if not ok:
        number, ok = QLocale.c().toDouble(plain)
    if not ok:
        raise NotANumberError(translate("settings", "Write a number, such as {0}.").format(locale.toString(20_000)))
    return int(number) if float(number).is_integer() else float(number)


def _worth_telling(error: ValidationError) -> list[Any]:
    """The failures of the alternative that was meant: "is not auto" helps nobody who wrote a number."""
    failures = error.errors()
    return [each for each in failures if each["type"] != "literal_error"] or failures


def _sentence(failure: Any) -> str:
    kind, context = failure["type"], failure.get("ctx", {})
    if kind == "greater_than_equal":
        return translate("settings", "At least {0}.").format(number_text(context["ge"]))
    if kind == "less_than_equal":
        return translate("settings", "At most {0}.").format(number_text(context["le"]))
    if kind in ("int_type", "int_from_float", "int_parsing"):
        return translate("settings", "A whole number, please.")
    if "http or https address" in failure["msg"]:
        return translate("settings", "An address starts with https:// or http:// and a host name.")
    if kind in ("string_too_short", "string_type"):
        return translate("settings", "This must not be empty.")
    return shown(reason_of(failure)) + "."
