"""The command run in this process, and what it printed."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gui.main import main
from services.app_folders import config_folder
from tests.services.sessions import copy_of


@dataclass(frozen=True)
class Ended:
    """How the command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    def failed(self, code: int) -> str:
        """What it says on one line about the failure with that exit code; nothing is on the standard output."""
        assert (self.code, self.out) == (code, ""), self
        lines = [line for line in self.err.splitlines() if not line.startswith("branchwork: warning: ")]
        assert len(lines) == 1, self.err
        assert lines[0].startswith("branchwork: ")
        return lines[0]


Cli = Callable[..., Ended]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run the command with some arguments; lines are as long as they like."""
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(*arguments: object) -> Ended:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ended(code, out, err)

    return run


@pytest.fixture(params=["real-v3-branched.jsonl", "omp-branched.jsonl", "real-v1-large.jsonl"])
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a real session of each kind."""
    return copy_of(request.param, tmp_path)


def write_settings(value: Any) -> None:
    """Write the application's own settings."""
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "settings.json").write_text(json.dumps(value), encoding="utf-8")


def with_model(url: str) -> None:
    """Set up a model behind an OpenAI-compatible server."""
    model = {"provider": "openai-compatible", "baseUrl": url, "modelId": "acme-1", "contextWindow": 1_000_000}
    write_settings({"model": model, "retry": {"maxRetries": 0}})
