"""How is OpenAI's library asked, and what do its answers and errors mean? Also for servers with the same interface."""

import openai
from openai.types.chat import ChatCompletion

from quality.judges.endpoint import NO_KEY, Endpoint
from quality.judges.service import Answer, CallFailed, calling, count, word
from quality.judging import JudgeRequest


class OpenAIService:
    """`POST /chat/completions` at the endpoint: the one call that every compatible server has."""

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._endpoint = endpoint
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or NO_KEY, base_url=endpoint.address, max_retries=0, timeout=timeout,
            http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False, timeout=timeout),
        )  # fmt: skip

    async def call(self, model: str, request: JudgeRequest, changed: frozenset[str]) -> Answer:
        sent = {"max_tokens": request.max_tokens, "temperature": request.temperature}
        kept = {name: value for name, value in sent.items() if name not in changed}
        if "max_tokens" in changed:
            kept["max_completion_tokens"] = request.max_tokens
        messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}]
        with calling(openai, self._endpoint, set(kept)):
            # `chat.completions.create` walks through every part of the question: a third of a call's own time.
            completion = await self._client.post(
                "/chat/completions", cast_to=ChatCompletion, body={"model": model, "messages": messages, **kept}
            )
            if not isinstance(completion, ChatCompletion) or not completion.choices:
                raise CallFailed("bad_reply", "its body is no completion", perhaps_billed=True)
            choice = completion.choices[0]
            filtered = choice.finish_reason == "content_filter"
            return Answer(
                text=word(choice.message.content) or "",
                model=word(completion.model),
                stop_reason=word(choice.finish_reason),
                input_tokens=count(getattr(completion.usage, "prompt_tokens", None)),
                output_tokens=count(getattr(completion.usage, "completion_tokens", None)),
                refusal=word(choice.message.refusal) or ("content_filter" if filtered else None),
            )

    async def close(self) -> None:
        await self._client.close()
