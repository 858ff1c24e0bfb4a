"""A server on this machine that speaks the interfaces of Anthropic and OpenAI, and says what a test tells it to say.

Each call takes the next of `answers`; when there are none, it is a good one. What was asked is kept in `calls`.
"""

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "served-model"
ANTHROPIC, OPENAI = "/v1/messages", "/v1/chat/completions"
STOPPED = {"good": ("end_turn", "stop"), "cut": ("max_tokens", "length"), "declined": ("refusal", "content_filter")}
"""How an answer ended → the two interfaces' words for it."""


@dataclass(frozen=True)
class Answer:
    """What one call gets. The text in the form of the interface, unless `body` says it word for word."""

    text: str | None = "fine"
    stopped: str = "good"
    status: int = 200
    error: str | None = None
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: bool = False
    """A blank every 20 ms instead of the answer, for ever."""
    usage: tuple[int, int] | None = (11, 7)


@dataclass(frozen=True)
class Call:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class JudgeServer:
    """Use it as a context; `address` is without a path."""

    def __init__(self, delay: float = 0.0, port: int = 0, text: str = "fine") -> None:
        self.answers: list[Answer] = []
        self.calls: list[Call] = []
        self.delay, self.text = delay, text
        self.most_at_once = self.at_once = 0
        self.busy_seconds = 0.0
        """The time spent on each call, summed."""
        self.lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self.stopping = threading.Event()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "JudgeServer":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()


def _handler(server: JudgeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            start = time.perf_counter()
            content = self.rfile.read(int(self.headers["Content-Length"]))
            if not content:  # the caller went away
                self.close_connection = True
                return
            body = json.loads(content)
            with server.lock:
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.calls.append(Call(self.path, headers, body))
                answer = server.answers.pop(0) if server.answers else Answer(server.text, delay=server.delay)
                server.at_once += 1
                server.most_at_once = max(server.most_at_once, server.at_once)
            try:
                server.stopping.wait(answer.delay)
                self._say(answer)
            except ConnectionError:
                self.close_connection = True
            finally:
                with server.lock:
                    server.at_once -= 1
                    server.busy_seconds += time.perf_counter() - start

        def _say(self, answer: Answer) -> None:
            content = content_of(self.path, answer)
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(1_000_000 if answer.drip else len(content)))
            self.end_headers()
            while answer.drip and not server.stopping.wait(0.02):
                self.wfile.write(b" ")
                self.wfile.flush()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    return Handler


def content_of(path: str, answer: Answer) -> bytes:
    """The body in the interface of the path."""
    if answer.body is not None:
        return answer.body
    anthropic = path == ANTHROPIC
    if answer.error is not None:
        error = {"type": "an_error", "message": answer.error}
        return json.dumps({"type": "error", "error": error} if anthropic else {"error": error}).encode()
    stop = STOPPED[answer.stopped][0 if anthropic else 1]
    used = dict(
        zip(
            ("input_tokens", "output_tokens") if anthropic else ("prompt_tokens", "completion_tokens"),
            answer.usage or (),
        )
    )
    if anthropic:
        content = [] if answer.text is None else [{"type": "text", "text": answer.text}]
        said = {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
        }
    else:
        message = {"role": "assistant", "content": answer.text, "refusal": None}
        choices = [{"index": 0, "message": message, "finish_reason": stop, "logprobs": None}]
        said = {"id": "c", "object": "chat.completion", "created": 1, "choices": choices}
    return json.dumps({**said, "model": MODEL, **({"usage": used} if answer.usage else {})}).encode()
