/** The number of lists that are kept. */
const mostLists = 32;

/** Longest JSON of a list of names, in UTF-16 units. A row with more names is recorded whole. */
export const longestNames = 2 ** 16;

/** The names of a record's fields in order, and an object that takes its values. */
interface NamesOfRow {
  readonly names: readonly string[];
  readonly row: Record<string, string | number | boolean | null>;
}

/** Plain data of {@link RowNames}. */
export interface RowNamesState {
  readonly lists: readonly (readonly string[])[];
  /** Place of the next list. */
  readonly next: number;
}

/**
 * The latest lists of field names, so that the record of a row repeats no names: it has the number of their list. A
 * list that is added takes the place of the oldest one. What is kept follows from the records in order.
 */
export class RowNames {
  readonly #lists: NamesOfRow[] = [];
  readonly #numbers = new Map<string, number>();
  #next = 0;

  /** Returns the number of a list of names as JSON; undefined if it is not kept. */
  numberOf(json: string): number | undefined {
    return this.#numbers.get(json);
  }

  /** Keeps a list that is not kept. */
  add(names: readonly string[]): void {
    const before = this.#lists[this.#next];
    if (before !== undefined) this.#numbers.delete(JSON.stringify(before.names));
    this.#lists[this.#next] = { names, row: emptyRow(names) };
    this.#numbers.set(JSON.stringify(names), this.#next);
    this.#next = (this.#next + 1) % mostLists;
  }

  /**
   * Returns the row with the names of a list and values in their order; null if there is no such list.
   *
   * @param values its `count` values, from `from` on.
   * @param isLong true: the values are not to be kept until the next row with these names.
   * @returns an object that the next call may change.
   */
  rowOf(
    number: number,
    values: readonly unknown[],
    from: number,
    count: number,
    isLong: boolean,
  ): Readonly<Record<string, string | number | boolean | null>> | null {
    const list = this.#lists[number];
    if (list === undefined || list.names.length !== count) return null;
    const { names } = list;
    const row = isLong ? emptyRow(names) : list.row;
    for (let k = 0; k < count; k++) row[names[k]!] = values[from + k] as string | number | boolean | null;
    return row;
  }

  copy(): RowNames {
    return RowNames.from(this.state());
  }

  state(): RowNamesState {
    return { lists: this.#lists.map(({ names }) => names), next: this.#next };
  }

  static from({ lists, next }: RowNamesState): RowNames {
    const names = new RowNames();
    for (const list of lists) names.add(list);
    names.#next = next;
    return names;
  }
}

/** Makes all fields at once: an object that gets many of them one by one is slow to read. */
function emptyRow(names: readonly string[]): Record<string, null> {
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`);
}
