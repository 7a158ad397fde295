"""The language of the window: which one is wanted, and the translator for it, installed before any text is shown.

English is the language of the source; every other one is a compiled file `resources/translations/branchwork_XX.qm`.
How one is made is told in docs/translating.md.
"""

from __future__ import annotations

from importlib.resources import as_file, files

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

SOURCE_LANGUAGE = "en"
PREFIX, SUFFIX = "branchwork_", ".qm"


def languages() -> list[str]:
    """Return the codes of all languages that the window speaks, English first."""
    names = (each.name for each in files("resources").joinpath("translations").iterdir())
    found = sorted(name[len(PREFIX) : -len(SUFFIX)] for name in names if name.endswith(SUFFIX))
    return [SOURCE_LANGUAGE, *found]


def system_language() -> str:
    """Return the first of the user's languages that the window speaks, else English."""
    spoken = languages()
    wanted = (code.replace("_", "-").split("-")[0] for code in QLocale.system().uiLanguages())
    return next((code for code in wanted if code in spoken), SOURCE_LANGUAGE)


def install_translation(application: QCoreApplication, language: str | None = None) -> str:
    """Make `application` speak `language` (a code; None or "": the system's); return the language that it speaks now.

    To be called before the first widget is made: texts that are shown already do not change. A language that was
    chosen also decides how numbers and dates are written, unless the system's locale is of that language anyway.
    A language that is not there falls back to English.
    """
    chosen = language or system_language()
    system = QLocale.system()
    if chosen not in languages():
        chosen = SOURCE_LANGUAGE
    if language or system.language() == QLocale.Language.C:  # "C" writes long numbers without separators
        locale = QLocale(chosen)
        QLocale.setDefault(system if locale.language() == system.language() else locale)
    if chosen != SOURCE_LANGUAGE:
        _install(application, chosen)
    return chosen


def _install(application: QCoreApplication, language: str) -> None:
    of_qt = QTranslator(application)  # the words of Qt's own dialogs and menus
    if of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
    ours = QTranslator(application)
    with as_file(files("resources").joinpath("translations", f"{PREFIX}{language}{SUFFIX}")) as path:
        if ours.load(str(path)):  # which reads it at once
            application.installTranslator(ours)
