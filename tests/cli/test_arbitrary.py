"""Whatever stands in a file: it is shown, exported and repaired, or refused with a sentence, and never changed."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gui.main import main
from model.json_text import JsonObject, stringify
from tests.cli.conftest import Ended
from tests.model.strategies import messy_entries
from tests.services.sessions import figure

LINES = st.lists(messy_entries.map(stringify) | st.sampled_from(["", "5", "{torn", "\0\0", "[]", "{}{}"]), max_size=8)


@contextmanager
def captured() -> Iterator[tuple[TextIOWrapper, StringIO]]:
    out, err = TextIOWrapper(BytesIO(), encoding="utf-8"), StringIO()
    with patch("sys.stdout", out), patch("sys.stderr", err):
        yield out, err


def ended(*arguments: object) -> Ended:
    with captured() as (out, err):
        code = main([str(argument) for argument in arguments])
    out.seek(0)
    return Ended(code, out.read(), err.getvalue())


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(LINES, st.booleans())
def test_nothing_fails_unexpectedly(lines: list[str], with_header: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder, "s.jsonl"), Path(folder, "out")
        header: list[JsonObject] = figure()[:1] if with_header else []
        text = "\n".join([*map(stringify, header), *lines])
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        before = path.read_bytes()
        for arguments in [
            ("check", path, "--json"),
            ("check", path),
            ("tree", path, "--json"),
            ("tree", path, "--filter", "all"),
            ("context", path, "--json"),
            ("context", path, "--full"),
            ("preview", path, "--keep", 1, "--json"),
            ("preview", path, "--keep", 1, "--rules", "omp-13.19", "--prompts"),
            ("prune", path, "--dry-run"),
            ("export", path, "--format", "html", "--secrets", "mask", "--out", "-"),
            ("export", path, "--format", "md", "--secrets", "mask", "--out", "-"),
            ("export", path, "--format", "json", "--secrets", "mask", "--out", "-"),
        ]:
            result = ended(*arguments)
            assert result.code in (0, 3), result
            assert "unexpectedly" not in result.err
        assert path.read_bytes() == before
        result = ended("repair", path, "--out", out)
        assert result.code in (0, 3), result
        if result.code == 0:
            left = json.loads(ended("check", out, "--json").out)["problems"]
            assert {problem["kind"] for problem in left} <= {"mixed dialects"}
