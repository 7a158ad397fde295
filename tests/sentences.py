"""The templates of the sentences that `model` and `services` make, for the tool that collects texts to translate.

python -m tests.sentences FILE      write a source file that lupdate reads
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONTEXT = "Sentences"
MAKER = "Sentence"
OWN_MODULE = ROOT / "model" / "sentences.py"


def sources() -> list[Path]:
    """Return the modules that make sentences."""
    return sorted(
        path for layer in ("model", "services") for path in (ROOT / layer).rglob("*.py") if path != OWN_MODULE
    )


def made_sentences(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield each call that makes a sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == MAKER:
            yield node


def templates() -> list[str]:
    """Return all templates that have words, sorted. Raises ValueError for one that no tool could find."""
    found: set[str] = set()
    for path in sources():
        for call in made_sentences(ast.parse(path.read_text("utf-8"))):
            template = call.args[0] if call.args else None
            if not isinstance(template, ast.Constant) or not isinstance(template.value, str):
                raise ValueError(f"{path.relative_to(ROOT)}:{call.lineno}: the template is no literal")
            found.add(template.value)
    return sorted(text for text in found if any(letter.isalpha() for letter in text))


def collection() -> str:
    """Return Python source that marks all templates for translation."""
    marked = (f"QT_TRANSLATE_NOOP({CONTEXT!r}, {text!r})\n" for text in templates())
    return "from PySide6.QtCore import QT_TRANSLATE_NOOP\n" + "".join(marked)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(collection(), "utf-8")
