import type { ExactClaims } from '../claim.ts';

export const lecture9: ExactClaims = {
  '9.1 A plane that decides': {
    'Before the first update': {
      'So exactly the negative points are wrong': ({ run, step }) => [
        [run.wrong(step).length, '=', run.examples.filter(({ label }) => label < 0).length],
      ],
    },
    'The plane that it finds': {
      'All points are on the side of their class': ({ run, step }) => [[run.wrong(step).length, '=', 0]],
    },
  },
  '9.2 Algorithm 1: one point at random': {
    'One seed': {
      'It ends after 74 draws in a row without an update': ({ run }) => [[run.quiet, '=', 74]],
      'Every point is right': ({ run, step }) => [[run.wrong(step).length, '=', 0]],
    },
    'Another seed': {
      'Other draws give another number of updates': ({ run, other }) => [
        [run.updates.length, '!=', other('One seed').updates.length],
      ],
      'It is another plane, and also right': ({ run, step, other }) => [
        [run.wrong(step).length, '=', 0],
        [run.weights(step)[0]!, '!=', other('One seed').weights(other('One seed').last)[0]!],
      ],
    },
  },
  '9.2 Algorithm 2: without a branch': {
    'Algorithm 1': {
      'The point drawn is positive and scores 0': ({ run, step }) => [
        [run.at(step).label, '=', 1],
        [run.at(step).before, '=', 0],
      ],
      'It makes an update': ({ run, step }) => [[run.updates[0]!, '=', step]],
    },
    'Algorithm 2': {
      'The same point, the same score': ({ run, step, other }) => [
        [run.at(step).row, '=', other('Algorithm 1').at(step).row],
        [run.at(step).before, '=', 0],
      ],
      'No update': ({ run, step }) => [[run.updates[0]!, '>', step]],
    },
  },
  '9.2.1 An update that corrects its point': {
    'The update and its tilt': {
      'A positive point was wrong': ({ run, step }) => [
        [run.at(step).label, '=', 1],
        [run.at(step).before, '<', 0],
      ],
      'The update makes it right': ({ run, step }) => [[run.at(step).after, '>', 0]],
      'Two were wrong before, none is now': ({ run, step }) => [
        [run.wrong(step - 1).length, '=', 2],
        [run.wrong(step).length, '=', 0],
      ],
    },
  },
  '9.2.1 An update that does not': {
    'Still wrong, and one more': {
      'Another point becomes wrong': ({ run, step }) => [[run.broken(step).length, '=', 1]],
      'Still, its score moved in the right direction': ({ run, step }) => [
        [run.at(step).after, '>', run.at(step).before],
      ],
      'At least one point is wrong at the end, too': ({ run }) => [[run.wrong(run.last).length, '>=', 1]],
      'It is proved that no plane separates these data': ({ run }) => [[run.separable, '=', 0]],
    },
  },
  '9.2.1 The score grows by ‖x‖²': {
    'Before and after': {
      'The gain is $\\|\\mathbf x_i\\|^2$ exactly': ({ run, step }) => [
        [run.at(step).after.minus(run.at(step).before), '=', run.norm(run.at(step).row)],
      ],
      'It was not enough': ({ run, step }) => [[run.at(step).after, '<=', 0]],
      '$\\|\\mathbf x\\|^2 = 1 + 4 + 1 = 6$, the constant included, and $-6.5 + 6 = -0.5$: still wrong, but only just.':
        ({ run, step }) => [
          [run.norm(run.at(step).row), '=', 6],
          [run.at(step).before, '=', -6.5],
          [run.at(step).after, '=', -0.5],
        ],
    },
  },
  '9.3 Why it must stop': {
    'The two blades': {
      'Claim 1: every update adds at least $\\gamma$ to $\\mathbf w^\\top\\mathbf w^*$': ({ run }) => [
        [run.leastProgress, '>=', run.margin],
      ],
      'Claim 2: no update adds more than $R^2$ to $\\|\\mathbf w\\|^2$': ({ run }) => [
        [run.mostGrowth, '<=', run.longest],
      ],
      'So there are at most $(R/\\gamma)^2$ updates': ({ run }) => [[run.updates.length, '<=', run.bound.floor]],
      'In this scene $R = 6.10$ and $\\gamma = 0.36$, rounded.': ({ run }) => [
        [run.radius, '≈', '6.10'],
        [run.margin, '≈', '0.36'],
      ],
      '$(R/\\gamma)^2$ is about 287. The run needed far fewer: the bound is a limit, not a prediction.': ({ run }) => [
        [run.bound.floor, '=', 287],
        [2 * run.updates.length, '<', run.bound],
      ],
    },
  },
};
