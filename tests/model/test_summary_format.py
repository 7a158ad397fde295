import pytest
from hypothesis import given

from model.summary_format import tidy_prompt
from tests.model.strategies import TEXTS

pytestmark = pytest.mark.spec("CB-8")


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("", ""),
        ("a  \nb\t", "a\nb"),
        ("a\n\n\n\nb", "a\n\nb"),
        ("\n\na\n\n", "a"),
        ("a\n\n- one\n\n* two\n\n3. three\n\n4.no item", "a\n- one\n* two\n3. three\n\n4.no item"),
        ("a\n\n\n- one", "a\n\n- one"),
        ("<files>\n\na.ts\n\n\n</files>\n\nb", "<files>\na.ts\n</files>\n\nb"),
        ('<file path="x">\n\na', '<file path="x">\na'),
        ("<Files>\n\na", "<Files>\n\na"),
        ("<a>\n  </a>", "<a>\n</a>"),
        ("<a>\n<b>\n  </a>", "<a>\n<b>\n  </a>"),
        ("  <a>\n  </a>", "  <a>\n  </a>"),
        ("<a/>\n  </a>", "<a/>\n  </a>"),
        ("| a |  b |\n|:--|---:|:-:|---|\n  | c|d |", "|a|b|\n|:---|---:|:---:|---|\n  |c|d|"),
        ("|---|\n| |", "|---|\n||"),
        ("```sh\na  \n\n\n- b\n<x>\n\n```\n\n\nc", "```sh\na\n\n\n- b\n<x>\n\n```\n\nc"),
        ("use {{name}}", "use {{name}}"),
    ],
)
def test_superfluous_white_space_goes(text: str, tidy: str) -> None:
    assert tidy_prompt(text) == tidy


@given(TEXTS)
def test_any_text_can_be_tidied(text: str) -> None:
    assert tidy_prompt(f"{text}\n\n\n{text}").count("\n\n\n") == 0
