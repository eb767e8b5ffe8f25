import { t } from '../words/words.ts';
import type { Algorithm } from './algorithm.ts';

/** Orders of examples in words that follow “each example”. */
export const orderText: Readonly<Record<NonNullable<Algorithm['order']>, string>> = {
  cyclic: t`in turn`,
  shuffled: t`shuffled anew every pass`,
  'shuffled-once': t`shuffled once`,
  random: t`drawn at random`,
};
