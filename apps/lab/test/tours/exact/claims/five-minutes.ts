import type { ExactClaims } from '../claim.ts';

export const fiveMinutes: ExactClaims = {
  'Two clouds, one line': {
    'Two clouds': {
      'It stops by itself': ({ run }) => [[Number(run.isEnded), '=', 1]],
      'After no more than ten updates': ({ run }) => [[run.updates.length, '<=', 10]],
      'No point is on the wrong side': ({ run }) => [[run.wrong(run.last).length, '=', 0]],
      'One update already sorts most of them.': ({ run }) => [
        [run.wrong(run.updates[0]!).length, '=', 4],
        [2 * run.wrong(run.updates[0]!).length, '<', run.examples.length],
      ],
    },
  },
  'Now yours': {
    'Points to play with': {
      'A line fits: every point is on its side': ({ run }) => [[run.wrong(run.last).length, '=', 0]],
      'It took no more updates than the theorem allows': ({ run }) => [[run.updates.length, '<=', run.bound.floor]],
    },
  },
  'XOR: no line fits': {
    XOR: {
      'No line separates, and that is proved': ({ run }) => [[run.separable, '=', 0]],
      'It stops only because its passes are used up': ({ run }) => [
        [Number(run.isEnded), '=', 0],
        [run.passes, '=', 50],
      ],
      'Some points are still wrong': ({ run }) => [[run.wrong(run.last).length, '>=', 1]],
      'The last pass still had updates': ({ run }) => [
        [run.updates.filter((step) => step > run.last - run.examples.length).length, '>=', 1],
      ],
    },
  },
  'Your own table': {
    'A small table': {
      'The run learns from three features; two of them are drawn': ({ run }) => [
        [run.examples[0]!.z.length - 1, '=', 3],
      ],
      'Every animal gets its own class': ({ run }) => [[run.wrong(run.last).length, '=', 0]],
    },
  },
};
