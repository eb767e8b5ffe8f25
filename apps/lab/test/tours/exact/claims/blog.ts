import type { ExactClaims } from '../claim.ts';
import { Fraction } from '../fraction.ts';

export const blog: ExactClaims = {
  'A linear classifier': {
    'θ = (−1, 1), θ₀ = 0': {
      '$\\theta = (-1, 1)$': ({ run, step }) => [
        [run.weights(step)[0]!, '=', -1],
        [run.weights(step)[1]!, '=', 1],
      ],
      '$\\theta_0 = 0$': ({ run, step }) => [[run.weights(step)[2]!, '=', 0]],
      'All points are right': ({ run, step }) => [[run.wrong(step).length, '=', 0]],
    },
    'The same points, another order': {
      'Another $\\theta$': ({ run, step, other }) => {
        const first = other('θ = (−1, 1), θ₀ = 0');
        return [[run.weights(step)[0]!, '!=', first.weights(first.last)[0]!]];
      },
      'All points are right here, too': ({ run, step }) => [[run.wrong(step).length, '=', 0]],
    },
  },
  'The algorithm': {
    'Until a clean pass': {
      'Whole passes, over points and not features': ({ run }) => [[run.last, '=', run.passes * run.examples.length]],
      'All points are right': ({ run, step }) => [
        [Number(run.isEnded), '=', 1],
        [run.wrong(step).length, '=', 0],
      ],
    },
  },
  'What a correction does': {
    'One correction': {
      'The product rises': ({ run, step }) => [[run.at(step).after, '>', run.at(step).before]],
    },
  },
  'Before the proof: the lift': {
    '(x, 1)': {
      'Without the 1 no line through the origin separates': ({ run }) => [[run.throughOrigin, '=', 0]],
      'With it, one does': ({ run }) => [[run.separable, '=', 1]],
    },
  },
  'Signed distance, margin, R': {
    'Distances to a known line': {
      'All signed distances are positive, and so is the margin': ({ run, step }) => [[run.marginOf(step), '>', 0]],
      'The first point is at most $R$ long': ({ run }) => [[run.norm(0), '<=', run.longest]],
      '$(-1\\cdot 1 + 1\\cdot 2)/\\sqrt{2} = 1/\\sqrt2 \\approx 0.71$.': ({ run, step }) => {
        const [u, v] = run.weights(step) as [Fraction, Fraction];
        const score = run.score(step, 0);
        const squared = score.times(score).by(u.times(u).plus(v.times(v)));
        return [
          [score, '=', 1],
          [squared, '=', new Fraction(1n, 2n)],
          [{ square: squared }, '≈', '0.71'],
        ];
      },
    },
  },
  'The proof: a cosine': {
    'The cosine and its lower bound': {
      'Each mistake adds at least $\\gamma$ along $\\theta^*$': ({ run }) => [[run.leastProgress, '>=', run.margin]],
      'None adds more than $R^2$ to $|\\theta|^2$': ({ run }) => [[run.mostGrowth, '<=', run.longest]],
      'The squared cosine is at least $k\\gamma^2/R^2$': ({ run, step }) => [
        [run.along(run.weights(step)).square.by(run.length(step)), '>=', Fraction.of(run.updates.length).by(run.bound)],
      ],
      'The cosine is at most 1': ({ run, step }) => [
        [{ square: run.along(run.weights(step)).square.by(run.length(step)) }, '<=', 1],
      ],
      'So there are at most $(R/\\gamma)^2$ mistakes': ({ run }) => [[run.updates.length, '<=', run.bound.floor]],
    },
  },
  'Does the bound make sense?': {
    'Without the far point': {
      'A moderate bound': ({ run }) => [[run.bound.floor, '<', 50]],
    },
    'With it': {
      'The margin is the same': ({ run, other }) => [[run.margin, '=', other('Without the far point').margin]],
      'The bound is more than twenty times as large': ({ run, other }) => [
        [Fraction.of(run.bound.floor).by(Fraction.of(other('Without the far point').bound.floor)), '>', 20],
      ],
      'The run needs no more updates': ({ run, other }) => [
        [run.updates.length, '=', other('Without the far point').updates.length],
      ],
    },
  },
};
