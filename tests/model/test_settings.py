"""The settings: keys, defaults, bounds, levels and their origins (ST-1 … ST-4)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from model.dialects import Dialect
from model.settings import CompactionSettings, Settings, default_settings, effective
from model.settings_levels import (
    LEVELS,
    ResolvedSettings,
    SettingOrigin,
    SettingsProblem,
    known_key_names,
    resolve_settings,
)
from tests.model.strategies import json_values

DEFAULTS = {
    "compaction.enabled": True,
    "compaction.reserveTokens": 16384,
    "compaction.keepRecentTokens": 20000,
    "compaction.autoContinue": "auto",
    "compaction.remoteEndpoint": None,
    "compaction.strategy": "context-full",
    "compaction.thresholdPercent": -1,
    "compaction.thresholdTokens": -1,
    "compaction.remoteEnabled": True,
    "compaction.boundary": "auto",
    "compaction.adaptKeepRecent": "auto",
    "compaction.shortSummary": "auto",
    "compaction.includeThinking": True,
    "compaction.fileTagLimit": "auto",
    "compaction.remoteTimeoutSeconds": 120,
    "branchSummary.answer": "auto",
    "branchSummary.enabled": "auto",
    "branchSummary.skipPrompt": False,
    "branchSummary.reserveTokens": 16384,
    "branchSummary.replaceInstructions": "auto",
    "pruning.enabled": "auto",
    "pruning.protectTokens": 40000,
    "pruning.minimumSavings": 20000,
    "pruning.protectedTools": ("skill", "read"),
    "retry.enabled": True,
    "retry.maxRetries": 3,
    "retry.baseDelayMs": 2000,
    "retry.maxAgentDelayMs": 60000,
    "model.provider": None,
    "model.baseUrl": None,
    "model.modelId": None,
    "model.contextWindow": None,
    "model.maxOutputTokens": None,
    "model.apiKeyEnv": None,
    "model.plainHttpHosts": (),
    "session.defaultDialect": "pi",
    "sessions.folders": (),
    "treeFilterMode": "default",
    "sessionDir": None,
    "extensions": (),
}


def nested(name: str, value: Any) -> dict[str, Any]:
    for part in reversed(name.split(".")):
        value = {part: value}
    return value  # type: ignore[no-any-return]


def resolve(dialect: Dialect = "pi", **levels: Any) -> ResolvedSettings:
    return resolve_settings(levels, dialect)  # type: ignore[arg-type]


def with_value(name: str, value: Any, level: str = "application", dialect: Dialect = "pi") -> ResolvedSettings:
    return resolve(dialect, **{level: nested(name, value)})


class TestDefaults:
    @pytest.mark.spec("O-186", "O-187", "O-188", "O-189", "O-190", "O-191", "O-192", "O-193", "P-017", "P-023")
    @pytest.mark.spec("P-181", "P-182", "P-183")
    def test_every_key_has_its_default(self) -> None:
        origins = resolve().origins
        assert {name: origin.value for name, origin in origins.items()} == DEFAULTS
        assert {origin.level for origin in origins.values()} == {"defaults"}
        assert known_key_names() == list(DEFAULTS)

    @pytest.mark.parametrize(
        ("name", "pi", "omp"),
        [
            ("compaction.autoContinue", False, True),
            ("compaction.boundary", "sinceKept", "sinceCompaction"),
            ("compaction.adaptKeepRecent", False, True),
            ("compaction.shortSummary", False, True),
            ("compaction.fileTagLimit", 0, 20),
            ("branchSummary.answer", "ask", "go"),
            ("branchSummary.enabled", True, False),
            ("branchSummary.replaceInstructions", False, True),
            ("pruning.enabled", False, True),
        ],
    )
    def test_auto_depends_on_the_dialect(self, name: str, pi: Any, omp: Any) -> None:
        assert resolve("pi").origins[name] == SettingOrigin("auto", pi, "defaults")
        assert resolve("omp").origins[name] == SettingOrigin("auto", omp, "defaults")

    def test_a_value_stands_in_either_dialect(self) -> None:
        for dialect in ("pi", "omp"):
            values = effective(
                Settings.model_validate({"compaction": {"boundary": "sinceKept", "shortSummary": True}}), dialect
            )
            assert (values.compaction.boundary, values.compaction.short_summary) == ("sinceKept", True)

    def test_without_files_a_session_has_the_defaults(self) -> None:
        assert default_settings("omp") == resolve("omp").values

    def test_a_default_continue_prompt_is_off_for_pi_unless_the_key_is_there(self) -> None:
        assert not resolve("pi").values.compaction.auto_continue
        assert with_value("compaction.autoContinue", True, "user").values.compaction.auto_continue
        assert not with_value("compaction.autoContinue", False, "user", "omp").values.compaction.auto_continue


class TestLevels:
    @pytest.mark.spec("P-018", "P-024", "P-180")
    def test_a_higher_level_wins_key_by_key(self) -> None:
        found = resolve(
            user={"compaction": {"reserveTokens": 1, "keepRecentTokens": 1, "enabled": False}},
            project={"compaction": {"reserveTokens": 2, "keepRecentTokens": 2}},
            application={"compaction": {"reserveTokens": 3}},
            session={"compaction": {"boundary": "sinceCompaction"}},
        )
        compaction = found.values.compaction
        assert (compaction.reserve_tokens, compaction.keep_recent_tokens, compaction.enabled) == (3, 2, False)
        levels = {name: found.origins[f"compaction.{name}"].level for name in ("reserveTokens", "keepRecentTokens")}
        assert levels == {"reserveTokens": "application", "keepRecentTokens": "project"}
        assert found.origins["compaction.enabled"].level == "user"
        assert found.origins["compaction.boundary"] == SettingOrigin("sinceCompaction", "sinceCompaction", "session")
        assert found.problems == ()

    @pytest.mark.parametrize("level", ["user", "project"])
    def test_our_own_keys_are_not_read_from_the_agents_files(self, level: str) -> None:
        given = {
            "extensions": ["agent-extension.ts"],
            "model": {"provider": "anthropic"},
            "pruning": {"enabled": True},
            "compaction": {"boundary": "sinceCompaction"},
        }
        found = resolve(**{level: given})
        assert found.values == default_settings("pi")
        assert found.problems == ()

    @pytest.mark.parametrize(
        ("name", "value", "owner"),
        [
            ("compaction.thresholdPercent", 80, "omp"),
            ("compaction.strategy", "off", "omp"),
            ("branchSummary.enabled", True, "omp"),
            ("modelRoles.smol", "a/b", "omp"),
            ("branchSummary.skipPrompt", True, "pi"),
            ("sessionDir", "/s", "pi"),
            ("retry.maxAgentDelayMs", 5, "pi"),
        ],
    )
    def test_a_key_of_one_agent_is_not_read_from_the_others_files(self, name: str, value: Any, owner: Dialect) -> None:
        for dialect in ("pi", "omp"):
            origin = with_value(name, value, "user", dialect).origins.get(name)
            assert (origin is not None and origin.level == "user") == (dialect == owner)
            assert with_value(name, value, "application", dialect).origins[name].level == "application"

    def test_the_offer_of_a_branch_summary_follows_the_dialect_and_our_own_file(self) -> None:
        def offered(dialect: Dialect, **levels: Any) -> bool:
            return resolve(dialect, **levels).values.branch_summary.enabled

        skip = {"branchSummary": {"skipPrompt": True}}
        enabled = {"branchSummary": {"enabled": True}}
        assert offered("pi")
        assert not offered("pi", user=skip)
        assert offered("pi", user=skip, application=enabled)
        assert not offered("omp")
        assert offered("omp", user=enabled)
        assert not offered("omp", user=enabled, application={"branchSummary": {"enabled": False}})

    def test_the_answer_follows_the_switches_of_the_agents_until_there_is_one(self) -> None:
        def answer(dialect: Dialect, **levels: Any) -> str:
            return resolve(dialect, **levels).values.branch_summary.answer

        skip = {"branchSummary": {"skipPrompt": True}}
        kept = {"branchSummary": {"answer": "summarise"}}
        assert answer("pi", user=skip) == "go"
        assert answer("pi", user=skip, application={"branchSummary": {"enabled": True}}) == "ask"
        assert answer("pi", user=skip, application=kept) == "summarise"
        assert answer("omp", user={"branchSummary": {"enabled": True}}) == "ask"
        assert answer("omp", application={"branchSummary": {"answer": "ask"}}) == "ask"
        assert answer("pi", user=kept) == "ask", "it is a setting of ours, not of an agent"

    def test_levels_are_in_their_order(self) -> None:
        assert LEVELS == ("defaults", "user", "project", "application", "session")


class TestTables:
    def test_overrides_for_a_model_fall_back_separately(self) -> None:
        found = resolve(
            user={"compaction": {"modelOverrides": {"a/b.1": {"reserveTokens": 5}, "x": {}}}},
            application={"compaction": {"modelOverrides": {"a/b.1": {"keepRecentTokens": 7}}}},
        )
        compaction = found.values.compaction
        changed = compaction.for_model("a/b.1")
        assert (changed.reserve_tokens, changed.keep_recent_tokens) == (5, 7)
        assert compaction.for_model("A/B.1") is compaction
        assert compaction.for_model(None) is compaction
        assert compaction.for_model("x") == compaction
        origin = found.origins['compaction.modelOverrides."a/b.1".reserveTokens']
        assert origin == SettingOrigin(5, 5, "user")
        half = resolve(application={"compaction": {"modelOverrides": {"m": {"reserveTokens": 1}}}}).values.compaction
        assert half.for_model("m").keep_recent_tokens == 20000

    def test_roles_are_merged_by_name(self) -> None:
        found = resolve(
            "omp", user={"modelRoles": {"default": "a/b", "smol": "c/d"}}, application={"modelRoles": {"smol": "e/f"}}
        )
        assert found.values.model_roles == {"default": "a/b", "smol": "e/f"}
        assert found.origins["modelRoles.smol"].level == "application"

    def test_what_is_wrong_in_a_table_is_reported(self) -> None:
        found = resolve(
            application={
                "modelRoles": {"default": 5, "smol": ""},
                "compaction": {"modelOverrides": {"m": 5, "n": {"reserveTokens": -1}}},
            }
        )
        assert {problem.key for problem in found.problems} == {
            "modelRoles.default",
            "modelRoles.smol",
            'compaction.modelOverrides."m"',
            "compaction.modelOverrides.n.reserveTokens",
        }
        assert found.values == default_settings("pi")
        assert resolve(application={"modelRoles": 5}).problems[0].key == "modelRoles"


class TestValidation:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("compaction.reserveTokens", True),
            ("compaction.reserveTokens", -1),
            ("compaction.reserveTokens", 1.5),
            ("compaction.reserveTokens", "16384"),
            ("compaction.reserveTokens", None),
            ("compaction.reserveTokens", 10**30),
            ("compaction.reserveTokens", float("inf")),
            ("compaction.keepRecentTokens", {}),
            ("compaction.enabled", 1),
            ("compaction.enabled", "true"),
            ("compaction.autoContinue", "yes"),
            ("compaction.strategy", "none"),
            ("compaction.boundary", "since"),
            ("compaction.thresholdPercent", "80"),
            ("compaction.thresholdPercent", True),
            ("compaction.thresholdPercent", float("nan")),
            ("compaction.remoteTimeoutSeconds", -1),
            ("compaction.remoteEndpoint", "ftp://host/"),
            ("compaction.remoteEndpoint", "http://"),
            ("compaction.remoteEndpoint", "host/path"),
            ("compaction.remoteEndpoint", "http://[bad"),
            ("compaction.remoteEndpoint", 5),
            ("compaction.fileTagLimit", -1),
            ("pruning.protectedTools", "read"),
            ("pruning.protectedTools", [1]),
            ("retry.maxRetries", 101),
            ("retry.baseDelayMs", -1),
            ("model.provider", "acme"),
            ("model.contextWindow", 0),
            ("model.maxOutputTokens", 0),
            ("model.baseUrl", "host"),
            ("session.defaultDialect", "other"),
            ("treeFilterMode", "some"),
            ("extensions", [""]),
            ("sessionDir", ""),
        ],
    )
    def test_an_invalid_value_does_not_count(self, name: str, value: Any) -> None:
        for level, is_error in (("application", True), ("session", True)):
            found = with_value(name, value, level)
            assert found.origins[name].value == DEFAULTS[name]
            (problem,) = found.problems
            assert (problem.level, problem.key, problem.kind, problem.is_error) == (level, name, "invalid", is_error)
            assert problem.message.endswith(".")

    def test_the_next_lower_valid_value_counts(self) -> None:
        found = resolve(
            user={"compaction": {"reserveTokens": 5}},
            project={"compaction": {"reserveTokens": -5}},
            application={"compaction": {"reserveTokens": "x"}},
        )
        assert found.origins["compaction.reserveTokens"] == SettingOrigin(5, 5, "user")
        assert [(problem.level, problem.is_error) for problem in found.problems] == [
            ("application", True),
            ("project", False),
        ]

    @pytest.mark.parametrize(
        ("name", "value", "read"),
        [
            ("compaction.reserveTokens", 16384.0, 16384),
            ("compaction.reserveTokens", 0, 0),
            ("compaction.thresholdPercent", 66.6, 66.6),
            ("compaction.fileTagLimit", 0, 0),
            ("compaction.remoteEndpoint", "http://localhost:8080/x?y", "http://localhost:8080/x?y"),
            ("compaction.remoteEndpoint", "HTTPS://host", "HTTPS://host"),
            ("pruning.protectedTools", [], ()),
            ("retry.maxRetries", 0, 0),
            ("model.provider", "google", "google"),
            ("model.contextWindow", 1, 1),
            ("model.baseUrl", "", None),
            ("session.defaultDialect", "omp", "omp"),
        ],
    )
    def test_a_valid_value_counts(self, name: str, value: Any, read: Any) -> None:
        found = with_value(name, value)
        assert found.problems == ()
        assert found.origins[name].value == read
        assert type(found.origins[name].value) is type(read)

    @pytest.mark.spec("O-191")
    @pytest.mark.parametrize("unset", [None, ""])
    def test_no_endpoint_can_be_said_in_two_ways(self, unset: Any) -> None:
        lower = {"compaction": {"remoteEndpoint": "http://lower"}}
        found = resolve(user=lower, application={"compaction": {"remoteEndpoint": unset}})
        assert found.values.compaction.remote_endpoint is None
        assert found.problems == ()

    def test_an_endpoint_can_be_switched_off(self) -> None:
        given = {"compaction": {"remoteEndpoint": "http://host"}}
        assert resolve(user=given).values.compaction.active_endpoint == "http://host"
        off = resolve(user=given, application={"compaction": {"remoteEnabled": False}}).values.compaction
        assert off.active_endpoint is None

    def test_the_reasons_of_a_union_are_told_together(self) -> None:
        (problem,) = with_value("compaction.shortSummary", 5).problems
        assert problem.message == "Input should be true or false; or: Input should be 'auto'."

    @pytest.mark.parametrize("value", [None, 5, [], "x"])
    def test_a_level_or_group_of_another_shape_is_reported(self, value: Any) -> None:
        assert resolve(application=value).problems == (
            SettingsProblem("application", "", "The settings should be an object."),
        )
        assert resolve(session={"retry": value}).problems == (
            SettingsProblem("session", "retry", "Input should be an object."),
        )
        assert resolve(user={"model": value}).problems == ()

    def test_unknown_keys_are_reported_in_our_own_levels(self) -> None:
        given = {"compaction": {"reserve": 1}, "theme": {"dark": {"x": {"y": {"z": 1}}}}}
        names = [problem.key for problem in resolve(application=given).problems]
        assert names == ["compaction.reserve", "theme.dark.x.y"]
        assert {problem.kind for problem in resolve(session=given).problems} == {"unknown"}
        assert not any(problem.is_error for problem in resolve(session=given).problems)
        assert resolve(user=given).problems == ()

    def test_unsupported_keys_are_listed(self) -> None:
        given = {"compaction": {"idleMinutes": 5, "handoffSaveToDisk": True}, "contextPromotion": {"enabled": True}}
        for level in ("user", "application"):
            problems = resolve("omp", **{level: given}).problems
            assert [problem.kind for problem in problems] == ["unsupported"] * 3

    def test_the_handoff_strategy_is_noticed(self) -> None:
        assert resolve().notices == ()
        found = with_value("compaction.strategy", "handoff", "user", "omp")
        assert found.values.compaction.is_automatic
        assert len(found.notices) == 1

    @pytest.mark.spec("P-184", "P-185")
    def test_automatic_compaction_can_be_switched_off(self) -> None:
        assert resolve().values.compaction.is_automatic
        assert not with_value("compaction.enabled", False).values.compaction.is_automatic
        assert not with_value("compaction.strategy", "off").values.compaction.is_automatic

    @given(st.dictionaries(st.sampled_from(LEVELS), json_values), st.sampled_from(["pi", "omp"]))
    def test_any_json_gives_settings(self, levels: dict[Any, Any], dialect: Dialect) -> None:
        resolve_settings(levels, dialect)

    @given(st.sampled_from(list(DEFAULTS)), json_values)
    def test_any_value_counts_or_is_reported(self, name: str, value: Any) -> None:
        found = with_value(name, value)
        assert (found.origins[name].level == "application") == (not found.problems)


class TestImmutability:
    def test_settings_do_not_change(self) -> None:
        settings = CompactionSettings()
        with pytest.raises(ValidationError):
            settings.enabled = False  # type: ignore[misc]

    def test_a_changed_copy_is_checked(self) -> None:
        settings = default_settings("pi").compaction
        assert settings.replaced(keep_recent_tokens=5).keep_recent_tokens == 5
        assert settings.keep_recent_tokens == 20000
        with pytest.raises(ValidationError):
            settings.replaced(keep_recent_tokens=-5)
        with pytest.raises(ValidationError):
            settings.replaced(boundary="auto")
