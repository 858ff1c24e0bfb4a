"""What does a file of `go test -json` say? As in a log, and how many lines between the events are none."""

from collections.abc import Iterator

from quality.observations import Batch
from quality.readers.base import Artifact, Target
from quality.readers.console.go_json import EVENT
from quality.readers.console.runner import said
from quality.readers.console_log import ConsoleLog, is_log_text
from quality.readers.log_lines import head_lines, log_lines


class GoJsonReader(ConsoleLog):
    """One JSON object a line; the program's own prints may stand between them."""

    format = "go test -json"

    def recognises(self, artifact: Artifact) -> bool:
        return is_log_text(artifact.head) and any(
            EVENT.match(line.text) and '"Action":' in line.text for line in head_lines(artifact.head)
        )

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        strays: list[int] = []
        count = 0
        with artifact.path.open("rb") as file:
            for line in log_lines(file):
                if line.text and not EVENT.match(line.text):
                    count += 1
                    strays = strays or [line.number]
        for batch in super().read(artifact, target):
            if count:
                batch.warnings.append(
                    f"{said(count, 'line')} between the events (first: line {strays[0]}) is no JSON event: skipped"
                )
            yield batch
