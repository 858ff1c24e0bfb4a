"""Is a command's key its own, and does it grow with time?"""

import time
from uuid import RFC_4122, UUID

from quality.command_base import new_key


def test_keys_are_their_own_and_grow_with_time():
    """UUIDs of version 7: the first 48 bits are milliseconds, so that a later key is a greater text."""
    before = time.time_ns() // 10**6
    keys = [new_key() for _ in range(1_000)]
    after = time.time_ns() // 10**6
    assert len(set(keys)) == len(keys)
    for key in keys:
        parsed = UUID(key)
        assert (parsed.version, parsed.variant) == (7, RFC_4122)
        assert before <= parsed.int >> 80 <= after
    time.sleep(0.002)
    assert new_key() > max(keys)
