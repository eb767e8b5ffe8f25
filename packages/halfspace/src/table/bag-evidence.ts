import { parseThreshold } from '../features/label-threshold.ts';
import { plainValue } from '../features/plain-value.ts';
import { labelByName } from './columns.ts';
import type { Row } from './object-table.ts';
import type { TableSourceOptions } from './source-options.ts';

/** Tests if options need a table: bags of features have no columns, weights or missing values. */
export function needsTable(options: Omit<TableSourceOptions, 'features' | 'name'> & { readonly features?: unknown }) {
  const { features, weight, missing, joinLabels, scale, positive } = options;
  const isThreshold = positive !== undefined && parseThreshold(String(positive)) !== null;
  return (features ?? weight ?? missing) !== undefined || joinLabels === true || scale === 'standard' || isThreshold;
}

/** Numbers of rows that decide, and of names, from which rows may be bags; the most names of a row, as a share. */
const evidentRows = 1000;
const fewestNames = 100;
const largestShare = 1 / 20;

/** Tests if rows with this number of fields, of so many names, may be bags. */
export function areFew(members: number, names: number): boolean {
  return names >= fewestNames && members <= names * largestShare;
}

/** Collects from the first rows if they are bags: each has few of many names, and their values are numbers. */
export class BagEvidence {
  readonly #names = new Set<string>();
  #label: string | null | undefined;
  #rows = 0;
  #members = 0;
  #isNumeric = true;

  /**
   * @param label name of the label's field, whose value may be any; null: there is none; undefined: label, class,
   *   target or y.
   */
  constructor(label: string | null | undefined) {
    this.#label = label;
  }

  /** True if further rows decide nothing. */
  get isComplete(): boolean {
    return this.#rows === evidentRows || !this.#isNumeric;
  }

  add(row: Row): void {
    if (this.isComplete) return;
    this.#rows++;
    const names = Object.keys(row);
    if (this.#label === undefined) {
      this.#label = labelByName(names);
      this.#isNumeric = this.#label !== null;
    }
    for (const name of names) {
      if (name === this.#label) continue;
      const value = plainValue(row[name]);
      this.#isNumeric = ['number', 'bigint', 'boolean'].includes(typeof value);
      if (!this.#isNumeric) return;
      this.#members++;
      this.#names.add(name);
    }
  }

  /** True if the rows so far are bags. */
  get areBags(): boolean {
    const { size } = this.#names;
    return this.#isNumeric && areFew(this.#members / this.#rows, size);
  }

  /** Returns the reason why rows are bags: `a row has 3.1 of 450 names or more`. */
  get reason(): string {
    return `a row has ${(this.#members / this.#rows).toPrecision(2)} of ${this.#names.size} names or more`;
  }

  /** Returns the note on rows that are read as bags; null: they are a table. */
  note(source: string): string | null {
    if (!this.areBags) return null;
    return `${source} is read as bags of features: ${this.reason}, and an absent one is 0 (features: {}, in the command --column or --features, reads columns, where an absent value is missing)`;
  }
}
