import { encodeDuals } from './file.ts';
import type { DualModel } from './model.ts';

/** Returns the members that only dual models have in a file. */
export function encode({ tie, functions }: DualModel): object {
  return { tie, ...encodeDuals(functions) };
}
