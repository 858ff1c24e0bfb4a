"""Flag, environment, `quality.toml`, default, in this order; a mistake is named."""

import pytest

from quality.errors import QualityError
from quality.settings import ScoringSettings, load_settings
from quality.signals import SIGNALS

TESTS = "scoring.auto.weights.test_pass_rate"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder, text):
    path = folder / "quality.toml"
    path.write_text(text)
    return path


def test_the_defaults_are_models_md_s(folder):
    loaded = load_settings()
    weights = loaded.values.scoring.auto.weights
    assert list(dict(weights).values()) == [30, 25, 15, 15, 15, 10]
    tiers = loaded.values.scoring.tiers
    assert (tiers.auto, tiers.verifier, tiers.human, tiers.accepted_quality) == (0.6, 0.85, 1.0, 7.0)
    assert loaded.values.scoring.routing.weekly_decay == 0.85
    assert set(loaded.origins.values()) == {"default"}


def test_the_file_beside_the_ledger_is_read_and_the_environment_wins(folder, monkeypatch):
    path = write(folder, "[scoring.auto.weights]\ntest_pass_rate = 40\nbuild_success = 5\n")
    monkeypatch.setenv("QUALITY_SCORING__AUTO__WEIGHTS__TEST_PASS_RATE", "50")
    loaded = load_settings(folder / "l.duckdb")
    weights = loaded.values.scoring.auto.weights
    assert (weights.test_pass_rate, weights.build_success, weights.rework_count) == (50, 5, 15)
    assert loaded.origins[TESTS] == "environment QUALITY_SCORING__AUTO__WEIGHTS__TEST_PASS_RATE"
    assert loaded.origins["scoring.auto.weights.build_success"] == str(path)
    assert loaded.origins["scoring.auto.weights.rework_count"] == "default"


def test_a_file_named_by_flag_must_exist(folder):
    with pytest.raises(QualityError, match=r"nowhere\.toml: no such settings file"):
        load_settings(config=folder / "nowhere.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[scoring.auto.wieghts]\nx = 1\n", r"quality\.toml: no such setting 'scoring\.auto\.wieghts'\. Did you mean"),
        (
            "[scoring.auto.weights]\ntest_pass_rate = -1\n",
            rf"quality\.toml: {TESTS} = -1: .*greater than or equal to 0",
        ),
        ("[scoring.auto.weights]\ntest_pass_rate = nan\n", rf"quality\.toml: {TESTS} = nan"),
        ("[scoring.auto.weights]\ntest_pass_rate = 'much'\n", rf"quality\.toml: {TESTS} = 'much': .*valid number"),
        ("[scoring.tiers]\nhuman = 1.5\n", r"scoring\.tiers\.human = 1\.5: .*less than or equal to 1"),
        ("[scoring.auto\n", r"quality\.toml: not TOML"),
        (
            "[scoring.auto.weights]\n" + "".join(f"{name} = 0\n" for name in SIGNALS),
            "the weights sum to 0",
        ),
    ],
)
def test_a_mistake_in_the_file_names_file_key_value_and_what_is_allowed(folder, text, message):
    write(folder, text)
    with pytest.raises(QualityError, match=message):
        load_settings()


def test_an_unknown_environment_name_is_an_error_with_the_nearest_one(folder, monkeypatch):
    monkeypatch.setenv("QUALITY_SCORING__AUTO__WEIGHTS__TEST_PASS_RAET", "1")
    with pytest.raises(QualityError, match=r"no such setting.*TEST_PASS_RATE"):
        load_settings()


def test_a_bad_value_in_the_environment_is_named(folder, monkeypatch):
    monkeypatch.setenv("QUALITY_SCORING__TIERS__AUTO", "most")
    with pytest.raises(QualityError, match=r"environment QUALITY_SCORING__TIERS__AUTO: scoring\.tiers\.auto = 'most'"):
        load_settings()


def test_the_hash_follows_the_values_and_nothing_else():
    same = ScoringSettings()
    other = ScoringSettings.model_validate({"tiers": {"auto": 0.5}})
    assert ScoringSettings().hash == same.hash != other.hash
    assert ScoringSettings.model_validate_json(other.canonical()).hash == other.hash
