"""The language of the window: which one is wanted, and the translator for it, installed before any text is shown.

English is the language of the source; every other one is a compiled file `resources/translations/branchwork_XX.qm`.
How one is made is told in docs/translating.md.
"""

from __future__ import annotations

from importlib.resources import as_file, files

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLibraryInfo, QLocale, QTranslator

from model.sentences import Sentence, Value

SOURCE_LANGUAGE = "en"
SENTENCES = "Sentences"  # the context of what model and services say
PREFIX, SUFFIX = "branchwork_", ".qm"

# Texts of Qt, here for translations to say what is printed on the keys; Qt's own translations are free inventions.
KEY_NAMES = (
    QT_TRANSLATE_NOOP("QShortcut", "Alt"),
    QT_TRANSLATE_NOOP("QShortcut", "Ctrl"),
    QT_TRANSLATE_NOOP("QShortcut", "Del"),
    QT_TRANSLATE_NOOP("QShortcut", "Down"),
    QT_TRANSLATE_NOOP("QShortcut", "End"),
    QT_TRANSLATE_NOOP("QShortcut", "Esc"),
    QT_TRANSLATE_NOOP("QShortcut", "Home"),
    QT_TRANSLATE_NOOP("QShortcut", "Left"),
    QT_TRANSLATE_NOOP("QShortcut", "PgDown"),
    QT_TRANSLATE_NOOP("QShortcut", "PgUp"),
    QT_TRANSLATE_NOOP("QShortcut", "Return"),
    QT_TRANSLATE_NOOP("QShortcut", "Right"),
    QT_TRANSLATE_NOOP("QShortcut", "Shift"),
    QT_TRANSLATE_NOOP("QShortcut", "Tab"),
    QT_TRANSLATE_NOOP("QShortcut", "Up"),
)


def languages() -> list[str]:
    """Return the codes of all languages that the window speaks, English first."""
    names = (each.name for each in files("resources").joinpath("translations").iterdir())
    found = sorted(name[len(PREFIX) : -len(SUFFIX)] for name in names if name.endswith(SUFFIX))
    return [SOURCE_LANGUAGE, *found]


def own_name(language: str) -> str:
    """Return what a language calls itself."""
    return "English" if language == SOURCE_LANGUAGE else QLocale(language).nativeLanguageName()


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


def shown(text: str) -> str:
    """Return a text of model or services in the window's language; one that is no `Sentence` as it is."""
    if not isinstance(text, Sentence):
        return text
    translated = QCoreApplication.translate(SENTENCES, text.template)
    if not text.values:
        return translated
    return translated.format(*map(_shown_value, text.values))


def _shown_value(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(shown, value))
    return QLocale().toString(value) if isinstance(value, int) else shown(value)


def _install(application: QCoreApplication, language: str) -> None:
    of_qt = QTranslator(application)  # the words of Qt's own dialogs and menus
    if of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
    ours = QTranslator(application)
    with as_file(files("resources").joinpath("translations", f"{PREFIX}{language}{SUFFIX}")) as path:
        if ours.load(str(path)):  # which reads it at once
            application.installTranslator(ours)
