"""What does a backend's library have to do? Make one call, and say in one set of words how it ended."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from quality.judges.backoff import retry_after
from quality.judges.endpoint import NAMES, Endpoint
from quality.judging import FailureCode, JudgeRequest

AUTH = (401, 403)
NOT_FOUND = 404
RATE_LIMIT = 429
SERVER_ERROR = 500
NO_USE_RETRYING = ("insufficient_quota", "credit balance")
"""Words of a 429 that no waiting helps."""
LONGEST_SAID = 300
"""Characters of a server's own message that are kept."""


@dataclass(frozen=True)
class Answer:
    """What came back from one call."""

    text: str
    model: str | None
    stop_reason: str | None
    input_tokens: int | None
    output_tokens: int | None
    refusal: str | None = None
    """The model or a filter declined: its words, or the reason's name."""


@dataclass
class CallFailed(Exception):
    """Why one call gave no answer."""

    code: FailureCode
    message: str
    retry: bool = False
    asked_wait: float | None = None
    """Seconds, by the server's Retry-After."""
    parameter: str | None = None
    """The parameter that the model does not take: it can be asked again without."""
    perhaps_billed: bool = False
    """The service may have done the work: what it took is not known."""


ADAPTABLE: dict[str, str] = {"max_completion_tokens": "max_tokens", "temperature": "temperature"}
"""Word in a 400 → our parameter. The first takes the place of max_tokens where a model wants that; the second is
left out. The longer word stands first: it is the remedy that the message names."""


class Service(Protocol):
    """A provider's library around one address and key."""

    def __init__(self, endpoint: Endpoint, timeout: float) -> None: ...

    async def call(self, model: str, request: JudgeRequest, changed: frozenset[str]) -> Answer:
        """One call, no retries.

        Raises:
            CallFailed: there is no answer.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


@contextmanager
def calling(library: Any, endpoint: Endpoint, sent: set[str]) -> Iterator[None]:
    """Around one call and the reading of its answer: what the library or the reading raises becomes `CallFailed`.

    `sent` are the parameters given that a model may not take. The two libraries share the names of their errors.
    """
    where = endpoint.masked_address
    try:
        yield
    except CallFailed as failure:
        failure.message = f"{where} answered, but {failure.message}. Is the base URL right?"
        raise
    except library.APITimeoutError as error:
        late = f"{where} did not answer in time: ask again, or raise judges.timeout_seconds"
        raise CallFailed("timeout", late, perhaps_billed=True) from error
    except library.APIStatusError as error:
        said = told(error.body, error.message)
        raise failed_status(error.status_code, said, error.response.headers, endpoint, sent) from error
    except library.APIResponseValidationError as error:
        raise _unreadable(where) from error
    except (library.APIConnectionError, OSError) as error:
        reason = endpoint.mask(str(error.__cause__ or error))[:LONGEST_SAID]
        lost = f"no connection to {where}: {reason}. Check {NAMES[endpoint.backend].address} and the network"
        raise CallFailed("connection", lost, perhaps_billed=True) from error
    except Exception as error:  # whatever a server makes a library or the reading stumble over is its answer
        raise _unreadable(where) from error


def _unreadable(where: str) -> CallFailed:
    return CallFailed(
        "bad_reply",
        f"{where} answered with what is no answer of this interface. Is the base URL right?",
        perhaps_billed=True,
    )


def failed_status(status: int, said: str, headers: Mapping[str, str], endpoint: Endpoint, sent: set[str]) -> CallFailed:
    """How an answer with an HTTP error status counts. `said` is the server's message, `sent` the parameters given."""
    said = endpoint.mask(said)[:LONGEST_SAID]
    words = f"{endpoint.masked_address} answered {status}: {said}"
    if status in AUTH:
        return CallFailed("auth", f"{words}. Check {endpoint.key_name}")
    if status == RATE_LIMIT:
        retry = not any(sign in said.lower() for sign in NO_USE_RETRYING)
        remedy = (
            "Ask again later, or lower judges.concurrency" if retry else f"Top up the account of {endpoint.key_name}"
        )
        return CallFailed("rate_limit", f"{words}. {remedy}", retry, retry_after(headers.get("retry-after")))
    if status >= SERVER_ERROR:
        return CallFailed("server_error", f"{words}. Ask again later", True, retry_after(headers.get("retry-after")))
    parameter = next((ours for word, ours in ADAPTABLE.items() if word in said and ours in sent), None)
    checked = f"the model's name (--model, judges.models.{endpoint.backend}) and {NAMES[endpoint.backend].address}"
    remedy = (
        f"Check {checked}" if status == NOT_FOUND else "Check the model, and whether what is sent is too long for it"
    )
    return CallFailed("bad_request", f"{words}. {remedy}", parameter=parameter if status in (400, 422) else None)


def told(body: object, text: str) -> str:
    """The message in an error body, else the body's text."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        parts = (error.get("message"), error.get("code"), error.get("type"))
        error = " ".join(str(part) for part in parts if part)
    return str(error or text)


def count(value: Any) -> int | None:
    """A number of tokens, `None` if it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def word(value: Any) -> str | None:
    """A text, `None` if it is none or empty."""
    return value if isinstance(value, str) and value else None
