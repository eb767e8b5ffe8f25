/** Values of a source that its model does not know, and therefore ignores. */
export interface UnknownValues {
  /**
   * Number of values that were read: features of text; cells of a model's columns that are not missing, where each word
   * of a text is one.
   */
  readonly values: number;
  /** Number of values that the model does not know: features, categories or words that training did not have. */
  readonly unknown: number;
  /** Number of different features, categories and words among them; null: more than 65,536. */
  readonly different: number | null;
}

/** Largest number of different names that are counted, so that memory is bounded. */
const mostDifferent = 1 << 16;
/** Number of names that a note lists. */
const mostListed = 5;

/** Counts values that a model does not know. */
export class UnknownTally implements UnknownValues {
  values: number;
  unknown = 0;
  readonly #names = new Set<string | number>();
  #isFull = false;

  constructor(values = 0) {
    this.values = values;
  }

  /** Tells the name of an unknown value; names may come again. */
  meet(name: string | number): void {
    if (this.#isFull || this.#names.has(name)) return;
    if (this.#names.size === mostDifferent) this.#isFull = true;
    else this.#names.add(name);
  }

  /** Returns the same tally; without unknown values as long as all of them may be one of so many rare levels. */
  beyond(rareLevels: number): UnknownTally {
    return this.#isFull || this.#names.size > rareLevels ? this : new UnknownTally(this.values);
  }

  get different(): number | null {
    return this.#isFull ? null : this.#names.size;
  }

  /** Share of unknown values, in [0, 1]. */
  get share(): number {
    return this.values === 0 ? 0 : this.unknown / this.values;
  }

  /** Returns the first names that were met, at most `most`. */
  some(most: number): (string | number)[] {
    return [...this.#names].slice(0, most);
  }

  /**
   * Returns `the model does not know 622 of 1,244 features (50 %), 1 different: qty`; null if it knows all values.
   *
   * @param what names the values: `features`.
   * @param cause the likely cause. Default: none is known.
   */
  note(what: string, cause: string | null = null): string | null {
    if (this.unknown === 0) return null;
    const { different } = this;
    const some = this.some(mostListed).map((name) => cut(String(name)));
    const more = different === null || different > some.length ? ', …' : '';
    const amount = different === null ? `more than ${counted(mostDifferent)}` : counted(different);
    const share = `${counted(this.unknown)} of ${counted(this.values)} ${what} (${percent(this.share)})`;
    const because = cause === null ? '' : `; ${cause}`;
    return `the model does not know ${share}, ${amount} different: ${some.join(', ')}${more}${because}`;
  }
}

/** Returns the sum of tallies, as plain data. */
export function allUnknown(tallies: readonly UnknownTally[]): UnknownValues {
  const sum = { values: 0, unknown: 0, different: 0 as number | null };
  for (const { values, unknown, different } of tallies) {
    sum.values += values;
    sum.unknown += unknown;
    sum.different = sum.different === null || different === null ? null : sum.different + different;
  }
  return sum;
}

function cut(name: string): string {
  return name.length > 40 ? `${name.slice(0, 39)}…` : name;
}

function counted(n: number): string {
  return n.toLocaleString('en');
}

/** Returns a share in per cent, never rounded to 0 or 100. */
function percent(share: number): string {
  const whole = share * 100;
  if (share > 0 && whole < 0.1) return 'below 0.1 %';
  return `${share < 1 && whole > 99.9 ? '99.9' : Number(whole.toPrecision(3))} %`;
}
