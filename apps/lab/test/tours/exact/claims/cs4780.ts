import type { ExactClaims } from '../claim.ts';
import { Fraction } from '../fraction.ts';

export const cs4780: ExactClaims = {
  'Two assumptions and a classifier': {
    'A side for each class': {
      'Some hyperplane separates these data': ({ run }) => [[run.separable, '=', 1]],
      'And the run finds one': ({ run, step }) => [
        [Number(run.isEnded), '=', 1],
        [run.wrong(step).length, '=', 0],
      ],
    },
  },
  'Absorbing the bias': {
    'One dimension, and after': {
      'Through the origin, nothing separates them': ({ run }) => [[run.throughOrigin, '=', 0]],
      'With the constant 1, something does': ({ run, step }) => [
        [run.separable, '=', 1],
        [run.wrong(step).length, '=', 0],
      ],
    },
    'Two dimensions, and after': {
      'No line through the origin separates them': ({ run }) => [[run.throughOrigin, '=', 0]],
      'With a third component, a plane through the origin does': ({ run }) => [[run.separable, '=', 1]],
    },
  },
  'Right means positive': {
    'The product of one point': {
      'This negative point has a negative score, so the product is positive': ({ run, step }) => [
        [run.examples[3]!.label, '=', -1],
        [run.score(step, 3).by(run.scale), '>', 0],
      ],
      'So it is for all of them': ({ run, step }) => [
        [run.wrong(step).length, '=', 0],
        [run.marginOf(step), '>', 0],
      ],
    },
  },
  'One update, illustrated': {
    'The last update': {
      'Two points were wrong before': ({ run, step }) => [[run.wrong(step - 1).length, '=', 2]],
      'A negative one is used': ({ run, step }) => [[run.at(step).label, '=', -1]],
      'All points are right after': ({ run, step }) => [
        [run.wrong(step).length, '=', 0],
        [run.updates.length, '=', 3],
      ],
    },
  },
  'Quiz: one point, again and again': {
    'From large weights': {
      'The square is far on the wrong side': ({ run, step }) => [[run.score(step, 1), '=', -8]],
      'It takes as many updates as the formula says': ({ run, step }) => [
        [run.mistakes(1), '=', run.score(step, 1).times(Fraction.of(-1)).by(run.norm(1)).floor + 1],
      ],
      'The disc stays right throughout': ({ run }) => [[run.mistakes(0), '=', 1]],
      '$\\|\\mathbf x\\|^2 = 1 + 1 + 1 = 3$, the constant included; $\\lfloor 8/3\\rfloor + 1 = 3$: the products are $-8, -5, -2, 1$.':
        ({ run, step }) => [
          [run.norm(1), '=', 3],
          [new Fraction(8n, 3n).floor + 1, '=', 3],
          ...run.updates.slice(0, 4).map((update, k) => [run.score(update, 1), '=', [-8, -5, -2, 1][k]!] as const),
          [run.updates.length, '=', 4],
          [step, '=', 1],
        ],
    },
  },
  'Convergence, inside the unit ball': {
    'The proof on these data': {
      'The longest point has length 1': ({ run }) => [[run.radius, '=', 1]],
      'Every update adds at least $\\gamma$ to $\\mathbf w^\\top\\mathbf w^*$': ({ run }) => [
        [run.leastProgress, '>=', run.margin],
      ],
      '$\\mathbf w^\\top\\mathbf w$ never grows by more than 1': ({ run }) => [[run.mostGrowth, '<=', 1]],
      'No more than $1/\\gamma^2$ updates': ({ run }) => [[run.updates.length, '<=', run.bound]],
    },
  },
  'History: XOR': {
    XOR: {
      'No hyperplane separates them, proved exactly': ({ run }) => [[run.separable, '=', 0]],
      'It used up a thousand passes': ({ run }) => [
        [run.passes, '=', 1000],
        [Number(run.isEnded), '=', 0],
      ],
      'Points are still wrong': ({ run }) => [[run.wrong(run.last).length, '>=', 1]],
    },
  },
};
