import type { TreeModel } from './model.ts';

/** Returns the members that only trees have in a file. The tree's columns and classes are elsewhere in it. */
export function encode({ tree: { settings, nodes } }: TreeModel): object {
  return { tree: { settings, nodes } };
}
