import type { Random } from 'halfspace/internal';

/** A reader of untrusted bytes. */
export interface Target {
  readonly name: string;
  /** Valid inputs to start from. */
  seeds(): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Keywords of the format. */
  readonly words: readonly string[];
  /** Mutates an input with knowledge of the format; null if that is not possible for this input. */
  readonly mutate?: (bytes: Uint8Array, random: Random) => Uint8Array | null;
  /**
   * Reads an input. It may return or throw a HalfspaceError; everything else is a finding.
   * @param choice a number in [0, 2³²) for other choices (chunks, kernels), equal for equal bytes.
   */
  run(bytes: Uint8Array, choice: number): void | Promise<void>;
}

/** Two results that must agree differ, or a promise is broken. */
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

/** A result of JSON.parse. */
// biome-ignore lint/suspicious/noExplicitAny: whatever is in the text
export type Json = any;

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
