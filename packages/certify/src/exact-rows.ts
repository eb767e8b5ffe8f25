/** @throws RangeError where a certificate or its rows are not as they must be. */
export function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new RangeError(otherwise);
}

/** Returns the whole number of a string of digits. Each number has only one valid string. */
export function whole(text: string): bigint {
  demand(typeof text === 'string' && /^(0|-?[1-9]\d*)$/.test(text), `expected a whole number; got ${text}`);
  return BigInt(text);
}

/** A row as whole numbers: its label, and S times its nonzero features. */
export interface ExactRow {
  readonly y: bigint;
  readonly features: readonly (readonly [j: number, x: bigint])[];
}

/**
 * Canonical rows as whole numbers X = S·x; rows count from 1.
 *
 * Canonical rows are lines such as `+1 0:3 2:-25e-1 7:5p-3`: the label, then the nonzero features with rising numbers
 * from 0. A number is a whole number, a decimal (25e-1 is 25/10¹) or a binary fraction (5p-3 is 5/2³). One unit
 * 1/S = 1/(10^a·2^b) serves all numbers of the text.
 */
export class ExactRows {
  /** The most places after the point, decimal and binary. */
  readonly places = { e: 0, p: 0 };
  /** S = 10^e·2^p. */
  readonly one: bigint;
  readonly lines: readonly string[];
  readonly count: number;
  readonly dimension: number;
  readonly #known = new Map<string, bigint>();

  /**
   * @param before rows before those of the text.
   * @throws RangeError for a text without a newline at its end or with too many places, and for no such dimension.
   */
  constructor(bytes: Uint8Array, dimension: number, before: ExactRows | null = null) {
    demand(Number.isSafeInteger(dimension) && dimension >= 0, `expected a number of features; got ${dimension}`);
    const text = new TextDecoder().decode(bytes);
    demand(text === '' || text.endsWith('\n'), 'expected rows that end with a newline');
    if (before !== null) this.places = { ...before.places };
    for (const [, base, digits] of text.matchAll(/([ep])-(\d+)/g))
      if (Number(digits) > this.places[base as 'e' | 'p']) this.places[base as 'e' | 'p'] = Number(digits);
    demand(this.places.e <= 1100 && this.places.p <= 1100, 'expected at most 1,100 places after the point');
    this.one = 10n ** BigInt(this.places.e) * 2n ** BigInt(this.places.p);
    this.lines = [...(before?.lines ?? []), ...text.split('\n').slice(0, -1)];
    this.count = this.lines.length;
    this.dimension = dimension;
  }

  /** @throws RangeError for a line of another form. */
  row(i: number): ExactRow {
    const [label, ...cells] = this.lines[i - 1]!.split(' ');
    demand(label === '+1' || label === '-1', `row ${i}: expected the label +1 or -1`);
    let before = -1;
    const features = cells.map((cell) => {
      const [, digits, number] = /^(0|[1-9]\d*):(\S+)$/.exec(cell) ?? [];
      const j = Number(digits);
      demand(j > before && j < this.dimension, `row ${i}: expected rising features below ${this.dimension}`);
      before = j;
      return [j, this.#value(number!)] as const;
    });
    return { y: label === '+1' ? 1n : -1n, features };
  }

  /** Returns S times the number in a text. Numbers that occur often are read once. */
  #value(text: string): bigint {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const [, digits, base, places = '0'] = /^(-?[1-9]\d*)(?:([ep])-([1-9]\d*))?$/.exec(text) ?? [];
    demand(digits !== undefined, `expected a number such as 3, -25e-1 or 5p-3; got ${text}`);
    const value = (BigInt(digits) * this.one) / (base === 'e' ? 10n : 2n) ** BigInt(places);
    if (this.#known.size < 65_536) this.#known.set(text, value);
    return value;
  }
}
