"""Where do calls to judges run? On one event loop in one thread of the process, so that a bound on time is exact.

A blocking call can only bound each read; a server that sends a byte now and then would hold it for ever.
"""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def submit(work: Coroutine[Any, Any, Any]) -> Future:
    """Start the work; the future gives its result to any thread. Started when first needed, ends with the process."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="judges", daemon=True).start()
    return asyncio.run_coroutine_threadsafe(work, _loop)
