"""How does a CI job send its reports to a dashboard? By a token made once, and one request after the tests.

The commands are shown where a ledger is still empty, to be copied as they are; a test runs them.
"""

TOKEN = "python -m quality token new ci --scope ingest"  # noqa: S105
"""Once, where the ledger is: prints the token, and the lines for quality.toml that let it in."""
UPLOAD = """\
curl --silent --show-error --fail --header "Authorization: Bearer $QUALITY_TOKEN" \\
  --form "command={\\"path\\": \\"junit.xml\\", \\"story_id\\": \\"$STORY_ID\\"}" \\
  --form artifact=@junit.xml \\
  {address}/api/v1/commands/import_artifact"""
INGEST = "python -m quality ingest PATH…"
SYNLYNK = "python -m quality ingest .synlynk/state.db"


def upload_command(address: str) -> str:
    """What a job runs after its tests: it sends `junit.xml` for the story `$STORY_ID`, and fails where it is refused.

    >>> print(upload_command("https://quality.example.org/").splitlines()[-1])
      https://quality.example.org/api/v1/commands/import_artifact

    Args:
        address: where people reach the dashboard.
    """
    return UPLOAD.replace("{address}", address.rstrip("/"))
