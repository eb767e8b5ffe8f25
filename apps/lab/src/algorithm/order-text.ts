import type { Algorithm } from './algorithm.ts';

/** In which order examples are shown, after “each example”. */
export const orderText: Readonly<Record<NonNullable<Algorithm['order']>, string>> = {
  cyclic: 'in turn',
  shuffled: 'shuffled anew every pass',
  'shuffled-once': 'shuffled once',
  random: 'drawn at random',
};
