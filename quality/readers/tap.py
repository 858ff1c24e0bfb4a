"""Is a file TAP? By its version line, or by a plan with its points; it is read as in a log."""

from quality.readers.base import Artifact
from quality.readers.console.tap import PLAN, POINT, VERSION
from quality.readers.console_log import ConsoleLog, is_log_text
from quality.readers.log_lines import head_lines


class TapReader(ConsoleLog):
    """TAP 12 … 14."""

    format = "tap"

    def recognises(self, artifact: Artifact) -> bool:
        if not is_log_text(artifact.head):
            return False
        lines = [line.text for line in head_lines(artifact.head) if line.text]
        first = lines[0] if lines else ""
        if any(VERSION.match(text) for text in lines):
            return True
        is_planned = any(PLAN.match(text) for text in lines)
        return is_planned and bool(PLAN.match(first) or POINT.match(first))
