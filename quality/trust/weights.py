"""How much does a reviewed run speak for the ones nobody reviewed? Reviews by lot with unequal chances are weighted back."""

import numpy as np

from quality.trust.runs import Floats, Runs


def review_weights(runs: Runs) -> Floats:
    """A weight > 0 for each reviewed run, in the order of `runs.reviewed_rows`; 1 = speaks for as many runs as any other.

    - Drawn with probability q among `pool` unreviewed runs of its model (the queue): with N runs of the model, M of them
      reviewed, 1 + (N − M)/(pool − 1) · (1/(pool·q) − 1). Draws without replacement whose chances may depend on all that
      was known before then give an unbiased mean (Farquhar, Gal and Rainforth, arXiv 2101.11665, formula 7; the idea
      of 1/p for a judge: Zrnic and Candès, arXiv 2403.03208).
    - With the chance p of being in the sample at all: 1/p, scaled so that these runs of a model weigh 1 on average.
    - Reviewed at random with no chance stated, or by choice: 1. For a choice this is an assumption: that it is typical.

    Drawn in a pool of 4 with chance 1/2, where every one of the 4 had 1/4 coming, it speaks for half as many:

    >>> runs = Runs.of([0] * 4, auto=[5] * 4, human=[5, None, None, None], probability=[.5, None, None, None], pool=[4] * 4)
    >>> review_weights(runs).tolist()
    [0.5]
    """
    rows = runs.reviewed_rows
    model, chance, pool = runs.model[rows], runs.probability[rows], runs.pool[rows]
    weight = np.ones(rows.size)
    stated = ~np.isnan(chance)
    drawn = stated & ~np.isnan(pool)
    total = np.bincount(runs.model, minlength=runs.n_models)[model[drawn]]
    seen = np.bincount(model, minlength=runs.n_models)[model[drawn]]
    # Runs that came after the draw make the rest larger than its pool was: then each draw is as if with replacement.
    rest = np.minimum((total - seen) / np.maximum(pool[drawn] - 1, 1), 1)
    weight[drawn] = 1 + rest * (1 / (pool[drawn] * chance[drawn]) - 1)
    sampled = stated & ~drawn
    inverse = 1 / chance[sampled]
    n = np.bincount(model[sampled], minlength=runs.n_models)
    mean = np.bincount(model[sampled], inverse, runs.n_models) / np.maximum(n, 1)
    weight[sampled] = inverse / mean[model[sampled]]
    return weight
