import { encodeModel, type Row, rows, train } from 'halfspace';

/** A table with all that HTTP must carry: numbers, names, missing cells, words that JSON escapes. */
export const flowers: readonly Row[] = Array.from({ length: 60 }, (_, i) => ({
  size: i % 7 === 3 ? null : 1 + ((i * 37) % 50) / 10 + (i % 2),
  colour: ['red', 'blue "sky"', 'grün'][(i * 5) % 3]!,
  kind: i % 2 === 0 ? 'lily' : 'rose',
}));

/** Returns a flower without its class. */
export const unlabelled = ({ kind: _, ...row }: Row): Row => row;

/** Returns the text of a model file that tells lilies from roses, with probabilities. */
export async function flowerModel(): Promise<string> {
  const { model } = await train(rows(flowers, { label: 'kind' }), { rule: 'averaged', passes: 5, calibrate: 'platt' });
  return encodeModel(model);
}
