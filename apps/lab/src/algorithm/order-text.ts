import type { Algorithm } from './algorithm.ts';

/** Orders of examples in words that follow “each example”. */
export const orderText: Readonly<Record<NonNullable<Algorithm['order']>, string>> = {
  cyclic: 'in turn',
  shuffled: 'shuffled anew every pass',
  'shuffled-once': 'shuffled once',
  random: 'drawn at random',
};
