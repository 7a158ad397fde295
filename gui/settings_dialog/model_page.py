"""The page *Summaries*: who writes them. A provider is set up here in a few steps and tried at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.choice_box import ChoiceBox
from gui.fuzzy import folded
from gui.latest_job import LatestJob
from gui.settings_dialog.consent_box import ConsentBox
from gui.settings_dialog.key_row import KeyRow
from gui.settings_dialog.model_editor import ModelEditor
from gui.settings_dialog.page import Section, SettingsPage, fixed_keys
from gui.settings_dialog.setting_row import SettingRow, titled_row
from gui.settings_dialog.setting_texts import number_text
from gui.side_by_side import SideBySide
from gui.stop_key import StopKey
from gui.widgets import label, laid_out_once
from model.settings import ModelSettings
from services.configured_model import (
    ModelTrial,
    base_url_of,
    known_size,
    models_of,
    provider_of,
    trial_of,
)
from services.endpoints.discovery import LocalServer, find_local_servers
from services.endpoints.exchange import ModelInfo
from services.keys import KeyStore
from services.model_catalog import host_of, model_catalog

if TYPE_CHECKING:
    from services.settings_survey import SettingsSurvey

NO_PROVIDER, OTHER_SERVER = "", "other"
MODEL_KEYS = ("provider", "baseUrl", "modelId", "contextWindow", "maxOutputTokens", "apiKeyEnv")
OWN_ADDRESS = ("anthropic", "openai", "google")  # what an empty address means, by protocol


class SummariesPage(SettingsPage):
    """Signals: `said` (sentence) for the status line."""

    said = Signal(str)

    def __init__(self, keys: KeyStore, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Summaries"),
            self.tr(
                "Who writes summaries. Without a model it is the offline digest, which needs no key and no network."
            ),
            [],
            parent,
        )
        self._keys = keys
        self._model = ModelSettings()
        self._wants_other = False
        self._lists = LatestJob(self)
        self._trials = LatestJob(self)
        self._discoveries = LatestJob(self)
        self._stop_key = StopKey(lambda: self.is_asking, self.stop, self)
        self._has_looked_around = False
        self._offered = LocalServer("", "", ())
        self.offer_box, self.offer_text = QWidget(), label(wrap=True)
        self._details: list[QWidget] = []
        self._own_parts: list[QWidget] = []
        for step in (
            self._make_offer,
            self._make_provider_row,
            self._make_key_row,
            self._make_model_row,
            self._make_trial_row,
        ):
            self.plan(step)
        details = ("model.baseUrl", "model.provider", "model.contextWindow", "model.maxOutputTokens")
        self.add_section(
            Section(self.tr("DETAILS OF THE MODEL"), (*details, "model.apiKeyEnv", "model.plainHttpHosts"))
        )
        remote = ("compaction.remoteEndpoint", "compaction.remoteEnabled", "compaction.remoteTimeoutSeconds")
        self.add_section(Section(self.tr("REMOTE SUMMARISER"), remote))
        self.plan(self._make_remote_consent)
        self.end()
        self.plan(self._collect_parts)

    # Shown

    def show_all(self, survey: SettingsSurvey) -> None:
        super().show_all(survey)
        self._model = survey.values.model
        provider = provider_of(self._model)
        if self._model.provider is not None and provider is None:
            chosen = OTHER_SERVER
        elif self._model.provider is None:
            chosen = OTHER_SERVER if self._wants_other else NO_PROVIDER
        else:
            chosen = provider.name if provider is not None else NO_PROVIDER
        self.provider.setCurrentIndex(self.provider.findData(chosen))
        self._show_availability(chosen)
        self._show_sizes()
        hosts = self._model.plain_http_hosts
        self.consent.show_address(base_url_of(self._model) if self._model.provider else None, hosts)
        self.remote_consent.show_address(survey.values.compaction.remote_endpoint, hosts)
        self.key.show_model(self._model)
        if not self._has_looked_around and self._model.model_id is None:
            self._has_looked_around = True
            self._discoveries.run(lambda _token: find_local_servers(), self.show_local_servers)

    def show_local_servers(self, servers: list[LocalServer]) -> None:
        """Offer a model server that was found on this machine."""
        if not servers or self._model.model_id is not None:
            return
        server = servers[0]
        first = server.models[0].id
        more = len(server.models) - 1
        text = self.tr("{0} runs on this machine and offers {1}.").format(server.name, first)
        if more:
            text = self.tr("{0} runs on this machine and offers {1} and {2} more.").format(server.name, first, more)
        self.offer_text.setText(text)
        self._offered = server
        self.offer_box.show()

    def keep_matching(self, words: str) -> int:
        if not self.is_built:
            return 0
        with laid_out_once(self.body):
            count = super().keep_matching(words)
            if not words:
                for part in self._own_parts:
                    part.setVisible(part is not self.offer_box)
                self._show_availability(self.provider.currentData())
                return count
            about = folded(" ".join([self.tr("Provider Key Test connection"), *self._titles()]))
            is_about_provider = all(word in about for word in words.split())
            for part in self._own_parts:
                part.setVisible(is_about_provider and part in (self.provider_box, self.key, self.trial_box))
            return count + int(is_about_provider)

    @property
    def is_asking(self) -> bool:
        """Whether an answer of the server is waited for."""
        return self._trials.running or self._lists.running

    def close_page(self) -> None:
        for jobs in (self._lists, self._trials, self._discoveries):
            jobs.close()
        if self.is_built:
            self.key.close_row()
        self._stop_key.watch()

    # What a person does

    def choose_provider(self, name: str) -> None:
        """Set up for a provider by its name in the catalog, another server ("other"), or none ("")."""
        self._wants_other = name == OTHER_SERVER
        values: dict[str, Any] = dict.fromkeys(MODEL_KEYS)
        if name == OTHER_SERVER:
            self.provider.setCurrentIndex(self.provider.findData(name))
            self._show_availability(name)
            address = self.rows["model.baseUrl"].editor.field()
            self.ensureWidgetVisible(address)
            address.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if name == NO_PROVIDER:
            self._write(values, self.tr("Summaries are written by the offline digest now."))
            return
        known = model_catalog().providers[name]
        values["provider"] = known.api
        values["baseUrl"] = None if name in OWN_ADDRESS else known.base_url
        self.model_editor.offer(())
        self._write(values, self.tr("The provider is {0} now. Next: its key and a model.").format(known.title))
        first = self.key.line if known.key_variables else self.model_editor.field()
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def use_local_server(self) -> None:
        """Set up for the server that was found, with its first model."""
        server = self._offered
        model = server.models[0]
        self.offer_box.hide()
        self.model_editor.offer(server.models)
        values: dict[str, Any] = dict.fromkeys(MODEL_KEYS)
        values |= {"provider": "openai-compatible", "baseUrl": server.base_url, "modelId": model.id}
        self._write(values | _sizes(model), self.tr("Summaries are written by {0} now.").format(model.id))

    def ask_for_list(self) -> None:
        """Ask the endpoint which models it offers."""
        model, key = self._model, self.key.keep_typed()
        self._lists.run(lambda _token: models_of(model, self._keys, key), self._show_list, self._end_asking)
        self._begin_asking(self.tr("Asking {0} for its models…").format(host_of(base_url_of(model))))

    def try_connection(self) -> None:
        """Send a short request to the model."""
        model, key = self._model, self.key.keep_typed()
        self._trials.run(lambda _token: trial_of(model, self._keys, key), self._show_trial, self._end_asking)
        self._begin_asking(self.tr("Waiting for {0}…").format(host_of(base_url_of(model))))

    def stop(self) -> None:
        """Stop waiting for the server; the connection is closed."""
        self._trials.drop()
        self._lists.drop()
        self._show_asking("")
        self._show_outcome(self.tr("Stopped."), good=True)
        self._stop_key.watch()

    # Parts

    def _make_offer(self) -> None:
        self.offer_box.setObjectName("server_offer")
        self.offer_box.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.use_offer = QPushButton(self.tr("Use it"))
        self.use_offer.setAutoDefault(False)
        self.use_offer.clicked.connect(self.use_local_server)
        row = QHBoxLayout(self.offer_box)
        row.addWidget(self.offer_text, 1)
        row.addWidget(self.use_offer)
        self.column.addWidget(self.offer_box)
        self.offer_box.hide()

    def _make_provider_row(self) -> None:
        self.provider = ChoiceBox()
        self.provider.addItem(self.tr("None: the offline digest"), NO_PROVIDER)
        for known in model_catalog().providers.values():
            self.provider.addItem(known.title, known.name)
        self.provider.addItem(self.tr("Another server…"), OTHER_SERVER)
        self.provider.setMaxVisibleItems(self.provider.count())
        self.provider.activated.connect(lambda number: self.choose_provider(self.provider.itemData(number)))
        self.provider_box = QWidget()
        explanation = self.tr("Prompts are sent there, and nowhere else, when you ask for a summary.")
        titled_row(self.tr("Provider"), explanation, self.provider, self.provider_box, [self.provider])
        self.column.addWidget(self.provider_box)

    def _make_key_row(self) -> None:
        self.key = KeyRow(self._keys)
        self.key.said.connect(self.said)
        self.column.addWidget(self.key)

    def _make_model_row(self) -> None:
        self.model_editor = ModelEditor(fixed_keys()["model.modelId"])
        self.model_editor.list_wanted.connect(self.ask_for_list)
        self.add_row(SettingRow(fixed_keys()["model.modelId"], self.model_editor))

    def _collect_parts(self) -> None:
        own = [*MODEL_KEYS, "plainHttpHosts"]
        self._details = [heading for heading, names in self._headings if "model.baseUrl" in names]
        self._details += [self.rows[f"model.{name}"] for name in own if name != "modelId"]
        self._own_parts = [self.about, self.offer_box, self.provider_box, self.key, self.trial_box]
        self._show_asking("")

    def _make_trial_row(self) -> None:
        self.try_button = QPushButton(self.tr("Test connection"))
        self.try_button.setAutoDefault(False)
        self.try_button.clicked.connect(self.try_connection)
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.setAutoDefault(False)
        self.stop_button.clicked.connect(self.stop)
        self.outcome = label(wrap=True)
        self.consent = ConsentBox()
        self.consent.hosts_changed.connect(self._take_consent)
        buttons, outcome = QHBoxLayout(), QVBoxLayout()
        buttons.addWidget(self.try_button)
        buttons.addWidget(self.stop_button)
        buttons.addStretch(1)
        outcome.addWidget(self.outcome)
        self.trial_box = QWidget()
        column = QVBoxLayout(self.trial_box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.consent)
        column.addLayout(SideBySide(buttons, outcome, share=0.6, gap=10))
        self.column.addWidget(self.trial_box)

    # Inside

    def _titles(self) -> list[str]:
        return [known.title for known in model_catalog().providers.values()]

    def _show_availability(self, chosen: str) -> None:
        """Show what is useful for the chosen provider only."""
        has_provider = self._model.provider is not None
        known = model_catalog().providers.get(chosen)
        with laid_out_once(self.body):
            self.key.setVisible(has_provider and (known is None or bool(known.key_variables)))
            self.rows["model.modelId"].setVisible(has_provider)
            self.trial_box.setVisible(has_provider)
            for part in self._details:
                part.setVisible(has_provider or chosen == OTHER_SERVER)
        self.try_button.setEnabled(self._model.model_id is not None)

    def _show_sizes(self) -> None:
        size = known_size(self._model.model_id)
        for name, known in (("contextWindow", size.context_window), ("maxOutputTokens", size.max_output)):
            row = self.rows[f"model.{name}"]
            field = row.editor.field()
            assert isinstance(field, QLineEdit)
            field.setPlaceholderText(number_text(known) if known else self.tr("unknown"))
            if row.state is not None and row.state.value is None:
                row.origin.setText(self.tr("As known for this model") if known else self.tr("Not known"))

    def _make_remote_consent(self) -> None:
        self.remote_consent = ConsentBox()
        self.remote_consent.hosts_changed.connect(self._take_consent)
        self.column.addWidget(self.remote_consent)

    def _take_consent(self, hosts: list[str] | None, sentence: str) -> None:
        self.changed.emit({("model", "plainHttpHosts"): hosts}, sentence)

    def _change(self, row: SettingRow, value: object) -> None:
        """A model brings its sizes with it, an address its protocol."""
        if row.key.name == "model.modelId":
            values: dict[str, Any] = {"modelId": value, "contextWindow": None, "maxOutputTokens": None}
            info = self.model_editor.info(str(value))
            self._write(
                values | (_sizes(info) if info is not None else {}),
                self.tr("Summaries are written by {0} now.").format(value)
                if value
                else self.tr("No model is chosen, so summaries are written by the offline digest."),
            )
        elif row.key.name == "model.baseUrl" and value and self._model.provider is None:
            self._write(
                {"baseUrl": value, "provider": "openai-compatible"},
                self.tr("The provider is {0} now. Next: its key and a model.").format(host_of(str(value))),
            )
        else:
            super()._change(row, value)

    def _write(self, values: dict[str, Any], sentence: str) -> None:
        self._wants_other = False
        self.changed.emit({("model", name): value for name, value in values.items()}, sentence)

    def _begin_asking(self, text: str) -> None:
        self._show_asking(text)
        self._stop_key.watch()
        self.stop_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _end_asking(self, failure: str = "") -> None:
        self._show_asking("")
        self._stop_key.watch()
        self.try_button.setFocus(Qt.FocusReason.OtherFocusReason)
        if failure:
            self._show_outcome(failure, good=False)

    def _show_asking(self, text: str) -> None:
        is_asking = bool(text)
        self.try_button.setVisible(not is_asking)
        self.stop_button.setVisible(is_asking)
        self.model_editor.ask.setEnabled(not is_asking)
        self._show_outcome(self.tr("{0} Esc stops.").format(text) if is_asking else "", good=True)

    def _show_outcome(self, text: str, *, good: bool) -> None:
        self.outcome.setText(text if good or not text else f"⚠ {text}")
        self.outcome.setProperty("problem", not good)
        self.outcome.style().unpolish(self.outcome)
        self.outcome.style().polish(self.outcome)
        self.outcome.setAccessibleName(text)

    def _show_list(self, models: list[ModelInfo]) -> None:
        self._end_asking()
        self.model_editor.offer(models)
        if not models:
            self._show_outcome(self.tr("The server lists no models; write the id yourself."), good=True)
            return
        offered = self.tr("{0} models are offered.").format(number_text(len(models)))
        self._show_outcome(self.tr("1 model is offered.") if len(models) == 1 else offered, good=True)
        self.model_editor.combo.setFocus(Qt.FocusReason.OtherFocusReason)
        self.model_editor.combo.showPopup()

    def _show_trial(self, trial: ModelTrial) -> None:
        self._end_asking()
        text = self.tr("✓ {0} at {1} answered in {2} s.").format(
            trial.model_id, trial.host, self.locale().toString(trial.seconds, "f", 1)
        )
        self._show_outcome(text, good=True)


def _sizes(model: ModelInfo) -> dict[str, int | None]:
    """The sizes that an endpoint states where the catalog does not know the same."""
    known = known_size(model.id)
    return {
        "contextWindow": model.context_window if model.context_window != known.context_window else None,
        "maxOutputTokens": model.max_output if model.max_output != known.max_output else None,
    }
