import type { Random } from 'halfspace';

/** Something that reads bytes from strangers. */
export interface Target {
  readonly name: string;
  /** Valid inputs to begin with. */
  seeds(): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Pieces of text that mean something to the format. */
  readonly words: readonly string[];
  /** Changes an input as one who knows the format would; null: this input cannot be changed so. */
  readonly mutate?: (bytes: Uint8Array, random: Random) => Uint8Array | null;
  /**
   * Reads an input. It may return, or throw a HalfspaceError; everything else is a finding.
   * @param choice one number in [0, 2³²), for what else there is to choose (chunks, kernels): the same for the same bytes.
   */
  run(bytes: Uint8Array, choice: number): void | Promise<void>;
}

/** Two ways that must agree did not, or a promise was not kept. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

export function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Disagreement(otherwise);
}

export function same(what: string, a: unknown, b: unknown): void {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  if (left === right) return;
  let at = 0;
  while (left?.[at] === right?.[at]) at++;
  const near = (text: string | undefined) => text?.slice(Math.max(0, at - 40), at + 80);
  throw new Disagreement(`${what}: ${near(left)} … against ${near(right)}`);
}

/** What JSON.parse gives. */
// biome-ignore lint/suspicious/noExplicitAny: whatever is in the text
export type Json = any;

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
