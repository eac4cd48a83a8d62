"""The sets of features that get a component: those asked for, or the most promising.

The most promising explain most of what smaller sets leave, summed over both groups. At most 200
features have a main effect. Of sets that nobody asked for, those are left out whose squares chance
gives to one or more of so many sets of noise: 25 pairs of noise took R2 out of fold from 0.3 to 0
(60 features, 1,000 rows). Triples come with the pairs that they are made of, unless the pairs
were chosen: then they are made of chosen pairs only (strong heredity).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from scipy.special import chdtrc

from arbitree.influence.axes import Axis, functions_of
from arbitree.influence.compared import Compared
from arbitree.influence.gains import pair_gains, single_gains, triple_gains
from arbitree.influence.group_axes import CODES, axes_of_order, codes_on
from arbitree.influence.inputs import Inputs
from arbitree.influence.options import Options
from arbitree.influence.subsets import Subset, asked_pairs, strongest

MOST_FEATURES = 200
MOST_TRIPLES = 40
FEATURES_OF_TRIPLES = 50  # whose triples are ranked: 19,600
ROWS_FOR_GAINS = 100_000
ROWS_OF_A_CELL = 10  # about, of a triple
CODES_OF_TRIPLE = (3, 9)  # of an axis, at least and at most


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """Rows of one group, at most 100,000, and how they turned out."""

    inputs: Inputs
    options: Options
    rows: np.ndarray  # (n,) int64
    outcome: np.ndarray  # (n,) float64, not constant


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chosen:
    """Sets of features that get a component, and by which rows each was chosen."""

    sets: list[Subset]
    allowed: np.ndarray  # (n_folds + 1, n_sets) bool: by all rows, then by those outside each fold


def chosen_sets(
    inputs: Inputs,
    compared: Compared,
    rows: Sequence[np.ndarray],
    folds: Sequence[np.ndarray],
    options: Options,
) -> Chosen:
    """The sets that get a component, the same in both groups.

    Where only some are taken, the rows outside each fold choose for themselves: pairs of noise
    that all rows chose explained 2 to 4 % of the variance of shuffled decisions out of fold.
    """
    whole = sets_of_features(inputs, compared, rows, options)
    without = [whole] * options.cross_fit
    if _looks_at_rows(inputs, options):
        without = [
            sets_of_features(
                inputs, compared, [at[of != fold] for at, of in zip(rows, folds)], options
            )
            for fold in range(options.cross_fit)
        ]
    every = sorted({*whole, *(s for sets in without for s in sets)}, key=lambda s: (len(s), s))
    allowed = [[s in sets for s in every] for sets in map(set, [whole, *without])]
    return Chosen(sets=every, allowed=np.array(allowed, bool))


def _looks_at_rows(inputs: Inputs, options: Options) -> bool:
    """Whether other rows may give other sets."""
    n_features = len(inputs.features)
    if n_features > MOST_FEATURES or options.max_order > 2:
        return True
    asked = asked_pairs(options.pairs, inputs.features) if options.max_order > 1 else []
    return isinstance(asked, int) and asked < comb(n_features, 2)


def sets_of_features(
    inputs: Inputs, compared: Compared, rows: Sequence[np.ndarray], options: Options
) -> list[Subset]:
    """All small sets of features, or the most promising by these rows."""
    samples = [
        Sample(inputs=inputs, options=options, rows=at, outcome=compared.condition.outcome[at])
        for at in map(_thinned, rows)
        if len(at) > 1 and np.ptp(compared.condition.outcome[at]) > 0
    ]
    asked = asked_pairs(options.pairs, inputs.features) if options.max_order > 1 else 0
    singles = _strongest_features(samples, range(len(inputs.features)), MOST_FEATURES)
    if not isinstance(asked, int):
        singles = sorted({*singles, *(j for pair in asked for j in pair)})
    pairs = _pairs(samples, singles, asked, by_number=options.pairs != "auto")
    found: list[Subset] = [*((j,) for j in singles), *pairs]
    if options.max_order < 3:
        return found
    triples = _triples(samples, singles, pairs, chosen=options.pairs not in ("auto", "all"))
    needed = {pair for triple in triples for pair in combinations(triple, 2)}
    return [*found, *sorted(needed - set(pairs)), *triples]


def _thinned(rows: np.ndarray) -> np.ndarray:
    """At most 100,000, at random: every k-th would be a biased part of a sorted table."""
    if len(rows) <= ROWS_FOR_GAINS:
        return rows
    rng = np.random.default_rng(len(rows))
    return np.sort(rng.choice(rows, ROWS_FOR_GAINS, replace=False))


def _strongest_features(samples: Sequence[Sample], among: Sequence[int], most: int) -> list[int]:
    """All features, or as many of those that explain most on their own."""
    if len(among) <= most:
        return list(among)
    alone: list[Subset] = [(j,) for j in among]
    return [j for (j,) in strongest(alone, _gains(samples, alone).share, most)]


def _pairs(
    samples: Sequence[Sample],
    singles: Sequence[int],
    asked: list[Subset] | int,
    *,
    by_number: bool,
) -> list[Subset]:
    """The pairs asked for, or as many of the strongest; `by_number`: the user named how many."""
    if not isinstance(asked, int):
        return asked
    every: list[Subset] = list(combinations(singles, 2)) if asked else []
    if len(every) <= asked:
        return every
    gains = _gains(samples, every)
    found = strongest(every, gains.share, asked)
    return found if by_number else _told_from_noise(found, every, gains)


def _triples(
    samples: Sequence[Sample], singles: Sequence[int], pairs: Sequence[Subset], *, chosen: bool
) -> list[Subset]:
    """The strongest triples, of all features or of pairs that were chosen."""
    if chosen:
        known = set(pairs)
        last = sorted({b for _, b in pairs})
        every: list[Subset] = [
            (a, b, c) for a, b in pairs for c in last if {(a, c), (b, c)} <= known
        ]
    else:
        every = list(combinations(_strongest_features(samples, singles, FEATURES_OF_TRIPLES), 3))
    if len(every) <= MOST_TRIPLES:
        return every
    gains = _gains(samples, every)
    return _told_from_noise(strongest(every, gains.share, MOST_TRIPLES), every, gains)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Summed:
    """Gains of sets of one size, summed over both groups."""

    share: np.ndarray  # (n_sets,) of the variance
    by_chance: np.ndarray  # (n_sets,) probability of such squares without any effect


def _told_from_noise(
    chosen: Sequence[Subset], every: Sequence[Subset], gains: _Summed
) -> list[Subset]:
    """Sets that stand out so far that, of noise alone, fewer than one of all would."""
    rare = {s for s, p in zip(every, gains.by_chance) if p * len(every) < 1}
    return [s for s in chosen if s in rare]


def _gains(samples: Sequence[Sample], sets: Sequence[Subset]) -> _Summed:
    """What sets of one size explain beyond smaller ones."""
    features = sorted({j for subset in sets for j in subset})
    place = {j: k for k, j in enumerate(features)}
    of_axes: list[Subset] = [tuple(place[j] for j in subset) for subset in sets]
    share, squares, free = np.zeros((3, len(sets)))
    for one in samples:
        codes, n_codes, left = _coded(one, features, len(sets[0]))
        if len(sets[0]) == 1:
            found = single_gains(codes, n_codes, left)
        elif len(sets[0]) == 2:
            found = pair_gains(codes, n_codes, left, of_axes, n_threads=one.options.n_threads)
        else:
            found = triple_gains(codes, n_codes, left, of_axes, n_threads=one.options.n_threads)
        share += found.beyond_chance / (one.outcome.var() * len(one.rows))
        squares += found.squares / max(found.noise, 1e-300)
        free += found.free
    return _Summed(share=share, by_chance=chdtrc(np.maximum(free, 1), squares))


def _coded(
    one: Sample, features: Sequence[int], order: int
) -> tuple[np.ndarray, list[int], np.ndarray]:
    """Codes of few values on each axis, how many, and what main effects leave."""
    axes = axes_of_order(one.inputs, one.rows, 3, one.options, CODES[2], features)
    codes = codes_on(axes, one.inputs, one.rows)
    centred = one.outcome - one.outcome.mean()
    left = centred if order == 1 else left_by_mains(axes, codes, centred)
    if order == 3:
        few = int((len(one.rows) / ROWS_OF_A_CELL) ** (1 / 3)) + 1  # one of them is "missing"
        few = int(np.clip(few, *CODES_OF_TRIPLE))
        axes = axes_of_order(one.inputs, one.rows, 3, one.options, few, features)
        codes = codes_on(axes, one.inputs, one.rows)
    return codes, [axis.n_codes for axis in axes], left


def left_by_mains(axes: Sequence[Axis], codes: np.ndarray, centred: np.ndarray) -> np.ndarray:
    """What a ridge regression on all main effects leaves of the outcome.  -> (n,)"""
    columns = [
        functions_of(one, np.bincount(of_rows, minlength=one.n_codes).astype(float)).values[of_rows]
        for one, of_rows in zip(axes, codes)
    ]
    x = np.concatenate(columns, axis=1)
    gram = x.T @ x + np.eye(x.shape[1])
    return np.asarray(centred - x @ np.linalg.solve(gram, x.T @ centred))
