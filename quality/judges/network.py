"""How is a judge behind a network asked? Within its bounds: calls at once, time, retries, and what may be spent.

Retried are rate limits (429) and server errors (5xx), nothing else: after a timeout or a lost connection the service
may have done, and billed, the work. A parameter that the model does not take is left out once and for all.
"""

import asyncio
import random
import threading
import time
import weakref
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from importlib import import_module

from quality.errors import QualityError
from quality.judges import loop
from quality.judges.backoff import wait_before
from quality.judges.endpoint import Endpoint
from quality.judges.service import Answer, CallFailed, Service
from quality.judges.spending import FREE, Budget, Spent, cost, most, price_of
from quality.judging import TRUNCATED, Backend, FailureCode, JudgeFailure, JudgeReply, JudgeRequest
from quality.settings import JudgeSettings

SERVICES: dict[str, tuple[str, str]] = {
    "anthropic": ("quality.judges.anthropic", "AnthropicService"),
    "openai": ("quality.judges.openai", "OpenAIService"),
}
"""Backend → module and class; loaded when first asked, for the libraries take a second."""
GOODBYE_SECONDS = 2.0
"""How long closing waits for connections to end."""


class NetworkJudge:
    """One model of one backend."""

    def __init__(
        self,
        backend: Backend,
        model: str,
        settings: JudgeSettings,
        budget: Budget,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self.backend, self.model = backend, model
        self._settings, self._budget = settings, budget
        self._endpoint = Endpoint.of(backend)
        priced = price_of(model, settings)
        self._price = priced or (FREE if self._endpoint.local else settings.unknown_price)
        self._price_known = priced is not None or self._endpoint.local
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._changed: set[str] = set()
        self._sleep, self._draw = sleep, draw
        self._lock = threading.Lock()
        self._service: Service | None = None
        self._under_way: set = set()
        self._closed = False

    def __repr__(self) -> str:
        return f"NetworkJudge({self.backend!r}, {self.model!r})"

    def ask(self, request: JudgeRequest) -> JudgeReply | JudgeFailure:
        """One answer, within `total_seconds` of its turn.

        Raises:
            QualityError: the judge was closed.
        """
        if self._endpoint.problem:
            code = "no_key" if self._endpoint.key is None and "no key" in self._endpoint.problem else "bad_request"
            return self._failure(code, self._endpoint.problem)
        service = self._opened()
        future = loop.submit(self._answer(service, _encodable(request)))
        self._under_way.add(future)
        try:
            return future.result()
        except CancelledError:
            raise QualityError("the judge was closed while it was asked: open another") from None
        finally:
            future.cancel()
            self._under_way.discard(future)

    def close(self) -> None:
        """Give up what is under way and let go of connections. A closed judge answers no more."""
        self._closed = True
        for future in list(self._under_way):
            future.cancel()
        with self._lock:
            service, self._service = self._service, None
        if service:
            self._goodbye()

    def __enter__(self) -> "NetworkJudge":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self) -> Service:
        with self._lock:
            if self._closed:
                raise QualityError("the judge is closed: open another")
            if self._service is None:
                module, name = SERVICES[self.backend]
                self._service = getattr(import_module(module), name)(self._endpoint, self._settings.timeout_seconds)
                self._goodbye = weakref.finalize(self, _say_goodbye, self._service)
            return self._service

    async def _answer(self, service: Service, request: JudgeRequest) -> JudgeReply | JudgeFailure:
        async with self._slots:
            part = most(self._price, request.system + request.user, request.max_tokens)
            if refusal := await self._budget.set_aside(part):
                return self._failure("spend_limit", refusal)
            used = part  # unless it turns out to be another: what nobody knows counts in full
            try:
                answer, used = await self._tried(service, request, part)
                return answer
            finally:
                await self._budget.settle(part, used)

    async def _tried(
        self, service: Service, request: JudgeRequest, part: Spent
    ) -> tuple[JudgeReply | JudgeFailure, Spent]:
        """The answer after the retries that are allowed, and what it took."""
        start, calls, retries = time.monotonic(), 0, 0
        while True:
            left = start + self._settings.total_seconds - time.monotonic()
            calls += 1
            changed = frozenset(self._changed)
            failure = await self._called(service, request, changed, min(left, self._settings.timeout_seconds))
            elapsed = (time.monotonic() - start) * 1e3
            if isinstance(failure, Answer):
                return self._read(failure, part, calls, elapsed)
            if failure.parameter and failure.parameter not in changed:
                self._changed.add(failure.parameter)
                continue
            wait = None
            if failure.retry and retries < self._settings.retries:
                retries += 1
                wait = wait_before(retries, failure.asked_wait, self._settings, self._draw)
            if wait is None or elapsed / 1e3 + wait >= self._settings.total_seconds:
                message = failure.message if calls == 1 else f"{failure.message} (asked {calls} times)"
                spent = part if failure.perhaps_billed else Spent()
                return self._failure(failure.code, message, calls, elapsed), spent
            await self._sleep(wait)

    async def _called(
        self, service: Service, request: JudgeRequest, changed: frozenset[str], seconds: float
    ) -> Answer | CallFailed:
        try:
            async with asyncio.timeout(seconds):
                return await service.call(self.model, request, changed)
        except TimeoutError:
            late = f"{self._endpoint.masked_address} did not answer in {seconds:.3g} s"
            words = f"{late}: ask again, or raise judges.timeout_seconds"
            return CallFailed("timeout", words, perhaps_billed=True)
        except CallFailed as failure:
            return failure

    def _read(self, answer: Answer, part: Spent, calls: int, elapsed: float) -> tuple[JudgeReply | JudgeFailure, Spent]:
        known = answer.input_tokens is not None and answer.output_tokens is not None
        used = part
        if known:
            usd = cost(self._price, answer.input_tokens, answer.output_tokens)
            used = Spent(answer.input_tokens, answer.output_tokens, usd)
        if answer.refusal:
            said = self._endpoint.mask(answer.refusal)
            return self._failure("refused", f"the model declined to answer ({said}): ask another", calls, elapsed), used
        if not answer.text.strip():
            cut = answer.stop_reason in TRUNCATED
            why = "all tokens went into thinking" if cut else f"stop reason {answer.stop_reason or 'unknown'}"
            remedy = "name a model that thinks less" if cut else "ask again, or another model"
            return self._failure("empty", f"the answer holds no text ({why}): {remedy}", calls, elapsed), used
        reply = JudgeReply(
            text=_whole(answer.text), model=_whole(answer.model or self.model), backend=self.backend,
            input_tokens=answer.input_tokens, output_tokens=answer.output_tokens, latency_ms=elapsed,
            stop_reason=answer.stop_reason, attempts=calls, cost_usd=used.usd if known and self._price_known else None,
            adapted=tuple(sorted(self._changed)),
        )  # fmt: skip
        return reply, used

    def _failure(self, code: FailureCode, message: str, calls: int = 0, elapsed: float | None = None) -> JudgeFailure:
        return JudgeFailure(
            code=code, message=self._endpoint.mask(_whole(message)), backend=self.backend, model=self.model,
            attempts=calls, latency_ms=elapsed,
        )  # fmt: skip


def _say_goodbye(service: Service) -> None:
    try:
        loop.submit(service.close()).result(GOODBYE_SECONDS)
    except (TimeoutError, CancelledError):
        return


def _whole(text: str) -> str:
    """The text with half characters (lone surrogates), which no file or database takes, as �."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _encodable(request: JudgeRequest) -> JudgeRequest:
    return request.model_copy(update={"system": _whole(request.system), "user": _whole(request.user)})
