import type { ExactClaims } from '../claim.ts';
import { Fraction } from '../fraction.ts';

export const slides: ExactClaims = {
  'A single neuron': {
    'Five inputs': {
      'Five weights are learned': ({ run }) => [[run.examples[0]!.z.length - 1, '=', 5]],
      'At the end it is right on all examples': ({ run }) => [[run.wrong(run.last).length, '=', 0]],
    },
  },
  'The threshold is a bias': {
    'Where it fires': {
      'The bias is not 0, so neither is the threshold': ({ run, step }) => [[run.weights(step)[2]!, '!=', 0]],
      '$\\theta = -b = 11$: the neuron fires where $w_1x_1 + w_2x_2 > 11$.': ({ run, step }) => [
        [run.weights(step)[2]!, '=', -11],
      ],
    },
  },
  'A feature that is always on': {
    'Bias as a weight': {
      'The same weights': ({ run, step, other }) => {
        const separate = other('Bias on its own');
        return [0, 1].map((j) => [run.weights(step)[j]!, '=', separate.weights(separate.last)[j]!] as const);
      },
      'And the same bias': ({ run, step, other }) => {
        const separate = other('Bias on its own');
        return [[run.weights(step)[2]!, '=', separate.weights(separate.last)[2]!]];
      },
      'The same number of updates': ({ run, other }) => [
        [run.updates.length, '=', other('Bias on its own').updates.length],
      ],
    },
  },
  'The training algorithm': {
    'MaxIter passes': {
      'It makes all ten passes': ({ run }) => [
        [run.passes, '=', 10],
        [run.last, '=', run.passes * run.examples.length],
      ],
      'The last pass had no update': ({ run }) => [[run.quiet, '>=', run.examples.length]],
    },
  },
  'Online and error-driven': {
    'Few steps are updates': {
      'Fewer than one step in three is an update': ({ run }) => [
        [Fraction.of(run.last).by(Fraction.of(run.updates.length)), '>', 3],
      ],
    },
  },
  'Why add, why subtract': {
    'A positive one is added': {
      'A positive example was wrong': ({ run, step }) => [
        [run.at(step).label, '=', 1],
        [run.at(step).before, '<=', 0],
      ],
      'Its score is higher now': ({ run, step }) => [[run.at(step).after, '>', run.at(step).before]],
    },
    'A negative one is subtracted': {
      'A negative example was wrong': ({ run, step }) => [
        [run.at(step).label, '=', -1],
        [run.at(step).before, '<=', 0],
      ],
      'Its score is lower now, so $y\\cdot a$ is higher': ({ run, step }) => [
        [run.at(step).after, '>', run.at(step).before],
      ],
    },
  },
  'By how much': {
    'The activation adjusts': {
      'The gain is $\\sum_i x_i^2 + 1$': ({ run, step }) => [
        [run.at(step).after.minus(run.at(step).before), '=', run.norm(run.at(step).row)],
      ],
      '$1 + 0.25 + 1 = 2.25$, and $-7 + 2.25 = -4.75$: better, but still wrong.': ({ run, step }) => [
        [run.norm(run.at(step).row), '=', 2.25],
        [run.at(step).before, '=', -7],
        [run.at(step).after, '=', -4.75],
      ],
    },
  },
  'Not always enough': {
    'Perceptron: still wrong': {
      'Wrong before and after': ({ run, step }) => [
        [run.at(step).before, '<', 0],
        [run.at(step).after, '<', 0],
      ],
    },
  },
};
