"""Which numbers can a team set, and where did each value in force come from?

Flag, then environment (`QUALITY_…`, nested names joined by `__`), then `quality.toml`, then the default.
An unknown key or a value out of range is an error that names the key and what is allowed.
"""

import hashlib
import json
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict

from quality.errors import QualityError, did_you_mean
from quality.response_settings import ResponseSettings
from quality.server_settings import RoleSettings as RoleSettings
from quality.server_settings import ServerSettings as ServerSettings
from quality.setting_types import Finite, Positive, Rating, Section, Share, Weight

ENV_PREFIX = "QUALITY_"
CONFIG_NAME = "quality.toml"
ENV_ONLY = {"QUALITY_LEDGER", "QUALITY_CONFIG", "QUALITY_REVIEWER"}
"""Environment names that are options of the command line, not settings."""


class AutoWeights(Section):
    """Weight of each signal in `quality_auto`; only their ratio matters.

    The first five are the weights synlynk uses (MODEL.md, Tier 1); the sixth is the seed's.
    """

    test_pass_rate: Weight = 30.0
    build_success: Weight = 25.0
    verified_by_ci: Weight = 15.0
    rework_count: Weight = 15.0
    pr_review_cycles: Weight = 15.0
    duration_vs_estimate: Weight = 10.0

    @model_validator(mode="after")
    def _some_weight(self) -> "AutoWeights":
        if not sum(dict(self).values()) > 0:
            raise ValueError("the weights sum to 0: at least one must be > 0")
        return self


class AutoSettings(Section):
    """Points and caps of the auto tier (MODEL.md, Tier 1)."""

    weights: AutoWeights = AutoWeights()
    rework_step: Weight = 2.0
    """Points lost a re-dispatch."""
    review_cycle_step: Weight = 2.0
    """Points lost a review round that asked for changes."""
    few_tests: Annotated[int, Field(ge=0)] = 3
    """Fewer tests than this, all passed, cap the score."""
    few_tests_cap: Rating = 5.0
    low_coverage: Share = 0.5
    """Below this share of the auto weight a score carries the caveat `low_coverage`."""


class TierSettings(Section):
    """Tier weights and thresholds (MODEL.md, Resolution)."""

    auto: Share = 0.60
    verifier: Share = 0.85
    human: Share = 1.0
    disagree_points: Rating = 3.0
    """Two raters of one tier, or two tiers, this far apart are a caveat."""
    accepted_quality: Rating = 7.0
    """`accepted` = effective ≥ this and not rework."""


class RoutingSettings(Section):
    """How a routing score ages (MODEL.md, Model scores)."""

    weekly_decay: Annotated[float, Field(gt=0, le=1)] = 0.85


class ModelSettings(Section):
    """Extra rows of the family table and of the aliases (`catalogue.py`), tried before the built-in ones."""

    families: dict[str, str] = Field(default_factory=dict)
    """Regular expression → family."""
    aliases: dict[str, str] = Field(default_factory=dict)
    """Alias → canonical id."""


class ScoringSettings(Section):
    """Everything that a score depends on; each set is stored in the ledger under its hash."""

    auto: AutoSettings = AutoSettings()
    tiers: TierSettings = TierSettings()
    routing: RoutingSettings = RoutingSettings()
    models: ModelSettings = ModelSettings()

    def canonical(self) -> str:
        """The set as JSON with sorted keys: what the hash is taken of."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))

    @property
    def hash(self) -> str:
        """16 hex digits of the SHA-256 of `canonical()`."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()[:16]


class EvaluationSettings(Section):
    """How another tool's score of one name becomes a rating 0–10."""

    worst: Finite = 0.0
    """The score that is a 0; above `best` where less is better."""
    best: Finite = 10.0
    """The score that is a 10."""
    tier: Literal["verifier", "human"] = "verifier"
    """Whose rating it is."""
    labels: dict[str, Rating] = Field(default_factory=dict)
    """Rating of a result that states a label and no score."""

    @model_validator(mode="after")
    def _a_scale(self) -> "EvaluationSettings":
        if self.worst == self.best:
            raise ValueError("worst and best are equal: no scale")
        return self


class ReaderSettings(Section):
    """What readers cannot know from an artifact."""

    evaluations: dict[str, EvaluationSettings] = Field(default_factory=dict)
    """Name of an evaluation, a scorer or an assertion → its scale."""


class LimitSettings(Section):
    """Bounds on input, waiting and what travels to a browser."""

    artifact_bytes: Annotated[int, Field(gt=0)] = 4 * 1024**3
    """A larger artifact is refused (bytes)."""
    request_bytes: Annotated[int, Field(gt=0)] = 4 * 1024**3
    """A larger HTTP request is refused (bytes)."""
    lock_seconds: Positive = 10.0
    """How long a process waits for the ledger before it names the holder."""
    diff_bytes: Annotated[int, Field(gt=0)] = 200_000
    """A longer diff is not sent to a verifier (bytes of UTF-8)."""
    page_rows: Annotated[int, Field(gt=0, le=1000)] = 50
    """Rows of a table on one page of the dashboard."""


class JudgeModels(Section):
    """The model of each backend, unless a call names another."""

    anthropic: Annotated[str, Field(min_length=1)] = "claude-sonnet-4-20250514"
    openai: Annotated[str, Field(min_length=1)] = "gpt-4o-mini"


class Price(Section):
    """US dollars a million tokens."""

    input: Weight
    output: Weight


class JudgeSettings(Section):
    """Which models judge, how long they may take, and what a run of calls may cost."""

    models: JudgeModels = JudgeModels()
    timeout_seconds: Positive = 60.0
    """Bound of one call, from connecting to the last byte."""
    total_seconds: Positive = 180.0
    """Bound of one question with its retries and waits."""
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    """Further calls after a rate limit (429) or a server error (5xx)."""
    first_wait_seconds: Positive = 1.0
    """Longest wait before the first retry; it doubles with each, and each wait is drawn between half of it and all."""
    longest_wait_seconds: Positive = 30.0
    """A server that asks for a longer wait is not waited for."""
    concurrency: Annotated[int, Field(ge=1, le=64)] = 8
    """Questions under way at once."""
    spend_usd: Weight = 5.0
    """US dollars that the calls of one command, batch or action may cost together."""
    spend_tokens: Annotated[int, Field(ge=0)] = 2_000_000
    """Tokens, in and out, that they may take together."""
    prices: dict[str, Price] = Field(default_factory=dict)
    """Pattern of a model id (`*` stands for anything) → its price, tried before the built-in ones."""
    unknown_price: Price = Price(input=15.0, output=75.0)
    """What a model without a price is counted at, so that no model is without a limit."""


class CandidateSettings(Section):
    """How improvement candidates are looked at."""

    protected_paths: tuple[Annotated[str, Field(min_length=1)], ...] = (
        "trading", "gateway", "openclaw-company-orchestration-proposal",
    )  # fmt: skip
    """A target whose path holds one of these, in any case, is protected."""
    root: Path | None = None
    """The folder that evidence may look into; else that of the candidates' file, and the working folder."""


class Settings(BaseSettings):
    """All settings. Build it with `load_settings`."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX,
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        nested_model_default_partial_update=True,
    )

    scoring: ScoringSettings = ScoringSettings()
    readers: ReaderSettings = ReaderSettings()
    limits: LimitSettings = LimitSettings()
    server: ServerSettings = ServerSettings()
    roles: RoleSettings = RoleSettings()
    judges: JudgeSettings = JudgeSettings()
    responses: ResponseSettings = ResponseSettings()
    candidates: CandidateSettings = CandidateSettings()

    @classmethod
    def settings_customise_sources(
        cls, settings_cls, init_settings, env_settings, dotenv_settings, file_secret_settings
    ):
        return init_settings, env_settings


class LoadedSettings(BaseModel):
    """Settings with the origin of each value."""

    model_config = ConfigDict(frozen=True)
    values: Settings
    origins: dict[str, str]
    """Dotted key → "environment QUALITY_…", the file's path, or "default"."""
    config_path: Path | None


def find_config(ledger_path: Path | None, explicit: Path | None = None) -> Path | None:
    """`--config`, else `quality.toml` beside the ledger, else in the working folder, else none."""
    if explicit is not None:
        if not explicit.is_file():
            raise QualityError(f"{explicit}: no such settings file: name an existing one or leave --config out")
        return explicit
    beside = [ledger_path.parent / CONFIG_NAME] if ledger_path else []
    return next((p for p in [*beside, Path(CONFIG_NAME)] if p.is_file()), None)


def load_settings(ledger_path: Path | None = None, config: Path | None = None) -> LoadedSettings:
    """Read the settings in force.

    Raises:
        QualityError: the file is not TOML, a key is unknown, or a value is out of range; the message
            names the source, the key, the value and what is allowed.
    """
    explicit = config or (Path(os.environ["QUALITY_CONFIG"]) if os.environ.get("QUALITY_CONFIG") else None)
    path = find_config(ledger_path, explicit)
    from_file = _read_toml(path) if path else {}
    _refuse_unknown_environment()
    try:
        from_env = EnvSettingsSource(Settings)()
        merged = _merge(from_file, from_env)
        values = Settings(**merged)
    except ValidationError as error:
        raise QualityError(_first_problem(error, path, _flat(from_file))) from error
    except ValueError as error:
        raise QualityError(f"environment: {error}") from error
    file_keys, env_keys = _flat(from_file), _flat(from_env)
    origins = {
        key: f"environment {ENV_PREFIX}{key.replace('.', '__').upper()}"
        if key in env_keys
        else str(path)
        if key in file_keys
        else "default"
        for key in _flat(values.model_dump())
    }
    return LoadedSettings(values=values, origins=origins, config_path=path)


def flat_values(settings: Settings) -> dict[str, Any]:
    """Dotted key → value, in the order of definition."""
    return _flat(settings.model_dump())


def _read_toml(path: Path) -> dict:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise QualityError(f"{path}: not TOML: {error}") from error


def _refuse_unknown_environment() -> None:
    known = {f"{ENV_PREFIX}{key.replace('.', '__').upper()}" for key in _flat(Settings.model_construct().model_dump())}
    whole = {name.rsplit("__", n)[0] for name in known for n in range(1, 4)} | known | ENV_ONLY
    for name in os.environ:
        if name.startswith(ENV_PREFIX) and name.upper() not in whole:
            raise QualityError(f"environment {name}: no such setting.{did_you_mean(name, sorted(whole))}")


def _merge(low: dict, high: dict) -> dict:
    merged = dict(low)
    for key, value in high.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merge(merged[key], value) if both else value
    return merged


def _flat(tree: dict, prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and value:
            flat |= _flat(value, f"{name}.")
        else:
            flat[name] = value
    return flat


def _first_problem(error: ValidationError, path: Path | None, file_keys: dict) -> str:
    problem = error.errors()[0]
    key = ".".join(str(part) for part in problem["loc"])
    in_file = any(k == key or k.startswith(f"{key}.") for k in file_keys)
    source = str(path) if in_file else f"environment {ENV_PREFIX}{key.replace('.', '__').upper()}"
    if problem["type"] == "extra_forbidden":
        return f"{source}: no such setting '{key}'.{did_you_mean(key, list(_flat(Settings.model_construct().model_dump())))}"
    shown = "…" if key.endswith("sha256") else repr(problem.get("input"))  # it may be the token itself
    return f"{source}: {key} = {shown}: {problem['msg'].removeprefix('Value error, ')}"
