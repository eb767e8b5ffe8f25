import type { ExactClaims } from '../claim.ts';
import { Fraction } from '../fraction.ts';

export const foda: ExactClaims = {
  'What is to be minimised': {
    'In the middle of a run': {
      'The mean 0–1 loss counts the wrong points': ({ run, step }) => [[run.wrong(step).length, '=', 2]],
      'Some are wrong at this moment': ({ run, step }) => [[run.wrong(step).length, '>=', 1]],
    },
  },
  'Three simplifications': {
    'Scaled by the longest point': {
      'The longest $(1, x_i)$ has length 1 after scaling': ({ run }) => [[run.radius, '=', 1]],
      'A perfect $w$ exists': ({ run }) => [[run.separable, '=', 1]],
    },
  },
  'The algorithm': {
    'The start': {
      '$w$ is the first point itself, so its score is $\\|x\\|^2$': ({ run }) => [
        [run.score(0, 0).by(run.scale), '=', run.norm(0).by(run.scale)],
      ],
    },
    'From one point to a unit vector': {
      'A whole round without a mistake ended it': ({ run }) => [[run.quiet, '>=', run.examples.length]],
      'Every point is right': ({ run, step }) => [[run.wrong(step).length, '=', 0]],
    },
  },
  'The margin': {
    "The perceptron's margin, and the best": {
      'It has a margin': ({ run, step }) => [
        [run.wrong(step).length, '=', 0],
        [run.marginOf(step), '>', 0],
      ],
      'The best is larger': ({ run, step }) => [[run.marginOf(step), '<', run.margin]],
    },
  },
  'Why it works': {
    'Both sides of the proof': {
      '(a) $\\|w\\|^2 \\le t$ at the end': ({ run, step }) => [[run.length(step), '<=', run.updates.length + 1]],
      '… because no step added more than 1': ({ run }) => [[run.mostGrowth, '<=', 1]],
      '(b) $\\langle w, w^*\\rangle \\ge t\\gamma^*$': ({ run, step }) => {
        const terms = new Fraction(BigInt(run.updates.length + 1));
        return [[run.along(run.weights(step)), '>=', { square: terms.times(terms).times(run.margin.square) }]];
      },
      '… because every step added at least $\\gamma^*$': ({ run }) => [[run.leastProgress, '>=', run.margin]],
      'At most $(1/\\gamma^*)^2$ steps, including the start': ({ run }) => [[run.updates.length + 1, '<=', run.bound]],
      '$(1/0.1)^2 = 100$. Half the margin allows four times as many steps.': () => {
        const margin = Fraction.of('0.1');
        const allowed = new Fraction(1n).by(margin.times(margin));
        const half = margin.by(Fraction.of(2));
        return [
          [allowed, '=', 100],
          [new Fraction(1n).by(half.times(half)), '=', allowed.times(Fraction.of(4))],
        ];
      },
    },
  },
};
