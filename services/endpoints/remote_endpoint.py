"""The remote summarisation endpoint of CP-15: a POST of `{systemPrompt, prompt}`, answered by `{summary}`."""

from model.json_text import JsonObject
from model.sentences import Sentence
from services.endpoints.exchange import EndpointError, ModelInfo, ModelReply, ModelRequest, OnText
from services.endpoints.http_exchange import HttpTarget, Limits, read_json


class RemoteEndpoint:
    """`compaction.remoteEndpoint`. No credentials are added; branch summaries don't go there."""

    def __init__(self, url: str, timeout_s: float, *, allow_plain_http: bool = False) -> None:
        limits = Limits(connect_s=min(15.0, timeout_s), idle_s=timeout_s, total_s=timeout_s)
        self._target = HttpTarget(url, {"accept": "application/json"}, limits, allow_plain_http)

    @property
    def name(self) -> str:
        """Name for the user."""
        return Sentence("Remote endpoint ({0})", self.host)

    @property
    def host(self) -> str:
        """Host of the endpoint."""
        return self._target.host

    async def send(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        """Return the endpoint's summary. Raises EndpointError when the answer has no string `summary`."""
        prompt = "".join(part for turn in request.turns for part in turn.parts if isinstance(part, str))
        body: JsonObject = {"systemPrompt": request.system_prompt, "prompt": prompt}
        async with self._target.answer("", body) as response:
            answer = await read_json(response, self.host)
        if not isinstance(answer, dict) or not isinstance(answer.get("summary"), str):
            raise EndpointError(Sentence("{0} answered without a summary.", self.host), status=200)
        on_text(answer["summary"])
        short = answer.get("shortSummary")
        return ModelReply(answer["summary"], "stop", extra={"shortSummary": short} if isinstance(short, str) else {})

    async def list_models(self) -> list[ModelInfo]:
        """Return nothing: the endpoint chooses its model itself."""
        return []
