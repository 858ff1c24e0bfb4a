"""How is Anthropic's library asked, and what do its answers and errors mean?"""

import anthropic

from quality.judges.endpoint import NO_KEY, Endpoint
from quality.judges.service import Answer, CallFailed, calling, count, word
from quality.judging import JudgeRequest

HIGHEST_TEMPERATURE = 1.0
"""A request may name up to 2, as the other interface does; more than 1 is not taken here."""


class AnthropicService:
    """`POST /v1/messages` at the endpoint."""

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._endpoint = endpoint
        # One kind of credential is always given: otherwise the library looks for profiles and tokens elsewhere.
        by_token = endpoint.key_name == "ANTHROPIC_AUTH_TOKEN"
        credential = {"auth_token" if by_token else "api_key": endpoint.key or NO_KEY}
        # The library gives a key as a bearer; servers that learned this interface before look for it in x-api-key.
        named_too = {} if by_token or endpoint.own or not endpoint.key else {"x-api-key": endpoint.key}
        self._client = anthropic.AsyncAnthropic(
            **credential, base_url=endpoint.address, max_retries=0, timeout=timeout, default_headers=named_too,
            http_client=anthropic.DefaultAsyncHttpxClient(follow_redirects=False, timeout=timeout),
        )  # fmt: skip

    async def call(self, model: str, request: JudgeRequest, changed: frozenset[str]) -> Answer:
        temperature = {} if "temperature" in changed else {"temperature": min(request.temperature, HIGHEST_TEMPERATURE)}
        with calling(anthropic, self._endpoint, set(temperature)):
            message = await self._client.messages.create(
                model=model, system=request.system, messages=[{"role": "user", "content": request.user}],
                max_tokens=request.max_tokens, extra_body=temperature,
            )  # fmt: skip
            if not isinstance(message, anthropic.types.Message) or not isinstance(message.content, list):
                raise CallFailed("bad_reply", "its body is no message", perhaps_billed=True)
            return Answer(
                text="".join(word(part.text) or "" for part in message.content if part.type == "text"),
                model=word(message.model),
                stop_reason=word(message.stop_reason),
                input_tokens=_input_tokens(message.usage),
                output_tokens=count(getattr(message.usage, "output_tokens", None)),
                refusal="refusal" if message.stop_reason == "refusal" else None,
            )

    async def close(self) -> None:
        await self._client.close()


def _input_tokens(usage: object) -> int | None:
    """Those read from and written to the cache are counted apart there."""
    parts = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    known = [value for name in parts if (value := count(getattr(usage, name, None))) is not None]
    return sum(known) if known else None
