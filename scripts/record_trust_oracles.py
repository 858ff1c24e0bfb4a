"""What do ppi-python and evalstats answer? Records it for the tests, which then need neither library.

    python -m venv ORACLES && ORACLES/bin/pip install ppi-python==0.2.3 evalstats==0.3.3
    ORACLES/bin/python scripts/record_trust_oracles.py tests/assets/trust/oracles.json

Both are MIT, and bring numba, scikit-learn, statsmodels and matplotlib along: too much for every developer's environment.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

SIZES = ((8, 40), (25, 600), (60, 3000), (12, 2000))
"""Reviewed and unreviewed rows of a case."""


def cases() -> list[dict]:
    rng = np.random.default_rng(2311)
    made = []
    for reviewed, rest in SIZES:
        truth = rng.normal(6.5, 1.5, reviewed + rest)
        guess = 0.5 + 0.9 * truth + rng.normal(0, 1.2, truth.size)
        human = truth[:reviewed] + rng.normal(0, 0.5, reviewed)
        made.append({"human": human, "predicted": guess[:reviewed], "rest": guess[reviewed:]})
    return [{name: np.round(values, 3) for name, values in case.items()} for case in made]


def main(path: Path) -> None:
    import evalstats
    from ppi_py import ppi_mean_pointestimate

    rng = np.random.default_rng(3208)
    by_ppi, by_evalstats = [], []
    for number, case in enumerate(cases()):
        human, predicted, rest = case.values()
        weight = np.round(rng.uniform(0.2, 3, human.size), 3)
        listed = {name: values.tolist() for name, values in case.items()}
        for name, lam, used in (("own", None, None), ("0.6", 0.6, None), ("weighted", 0.6, weight)):
            # Weighted, the mean prediction is over all rows: the reviewed ones alone no longer make up for the rest.
            others = rest if used is None else np.concatenate([predicted, rest])
            estimate = float(np.squeeze(ppi_mean_pointestimate(human, predicted, others, lam=lam, w=used)))
            by_ppi.append({"name": f"{number}-{name}", **listed, "lam": lam, "estimate": estimate,
                           "weight": None if used is None else used.tolist()})  # fmt: skip
        if human.size <= 0.05 * (human.size + rest.size):
            given = {"Y_lab": human, "Y_hat_lab": predicted, "Y_hat_unlab": rest}
            found = evalstats.ppi.correct(np.mean, **given, power_tune=False, backend="analytic")
            numbers = {"estimate": found.estimate, "low": found.ci_low, "high": found.ci_high}
            by_evalstats.append({"name": str(number), **listed, **numbers})
    versions = {name: version(name) for name in ("ppi-python", "evalstats", "numpy", "scipy")}
    path.write_text(json.dumps({"versions": versions, "ppi_python": by_ppi, "evalstats": by_evalstats}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
