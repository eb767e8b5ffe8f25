import type { SparseBatch } from '../batch.ts';
import { classLabels } from '../data/class-labels.ts';
import type { Label } from '../data/label.ts';
import type { ExampleSource, OpenSourceOptions } from '../data/source.ts';
import { otherKind } from '../data/text-sources.ts';
import { HalfspaceError } from '../errors.ts';
import { eachFeature } from '../features/bag.ts';
import type { NamedEncoding } from '../features/encoding.ts';
import { plainValue } from '../features/plain-value.ts';
import { UnknownTally } from '../features/unknown.ts';
import { labelByName } from './columns.ts';
import type { RowPiece } from './kept-rows.ts';
import { listed } from './listed.ts';
import type { Row } from './object-table.ts';

/** Rows whose fields are features. */
export interface Bags {
  /** Name for messages. */
  readonly name: string;
  /** Name of the label's field; undefined: label, class, target or y. Not used if pieces have labels. */
  readonly label: string | undefined;
  readonly positive: Label | undefined;
  readonly notes: readonly string[];
  /** Begins a reading of the rows, which are objects. */
  pieces(): Iterable<RowPiece>;
}

/** Rows of a batch. */
const batchRows = 1024;

/**
 * Opens bags of features: reads all rows, for the classes and for the names of the features, in the order in which they
 * come.
 *
 * @throws HalfspaceError with the row: `label-missing`, `label-classes`, `number-invalid`, `row-malformed`.
 */
export function openBags(bags: Bags, { encoding, classes: known, grows = false }: OpenSourceOptions): ExampleSource {
  const { name, positive } = bags;
  if (encoding !== undefined && encoding.kind !== 'named') throw otherKind(encoding, 'bags of features', name);
  const positions = new Map((encoding?.names ?? []).map((feature, j) => [feature, j]));
  const given: Label[] = [];
  const joins = encoding === undefined || grows;
  for (const { row, label } of rowsOf(bags)) {
    given.push(plainValue(label) as Label);
    if (joins)
      eachFeatureOf(bags, row, given.length, (feature) => {
        if (!positions.has(feature)) positions.set(feature, positions.size);
      });
  }
  const { classes, labels, labelType } = classLabels(given, { classes: known, positive, source: name });
  const features: NamedEncoding = { kind: 'named', names: [...positions.keys()] };
  let unknown = new UnknownTally();
  return {
    name,
    classes,
    labelType,
    encoding: () => features,
    get unknown() {
      return joins ? null : unknown;
    },
    get notes() {
      const note = unknown.note('features');
      return note === null ? bags.notes : [...bags.notes, note];
    },
    async *batches() {
      unknown = new UnknownTally();
      const batch = new BagBatch(positions, unknown);
      let first = 0;
      for (const { row } of rowsOf(bags)) {
        batch.begin();
        eachFeatureOf(bags, row, first + batch.rows, (feature, value) => batch.add(feature, value));
        if (batch.rows < batchRows) continue;
        yield batch.taken(labels.subarray(first, first + batchRows));
        first += batchRows;
      }
      if (batch.rows > 0) yield batch.taken(labels.subarray(first));
    },
  };
}

/** Yields rows without their labels. */
function* rowsOf(
  bags: Bags,
): Generator<{ readonly row: Iterable<readonly [string, unknown]>; readonly label: unknown }> {
  let name = bags.label;
  for (const { rows, labels } of bags.pieces())
    for (const [i, row] of rows.entries()) {
      const fields = Object.entries(row);
      if (labels !== null) {
        yield { row: fields, label: labels[i] };
        continue;
      }
      name ??= labelOf(row, bags.name);
      yield { row: fields.filter(([field]) => field !== name), label: Object.hasOwn(row, name) ? row[name] : null };
    }
}

function labelOf(row: Row, source: string): string {
  const names = Object.keys(row);
  const found = labelByName(names);
  if (found !== null) return found;
  throw new HalfspaceError(
    'column-unknown',
    `expected a field label, class, target or y in the first row, or the option label; got ${names.length === 0 ? 'none' : listed(names, 5)}`,
    { source, row: 1 },
  );
}

/** Passes the features of a row to `put`. @param number of the row, from 1. */
function eachFeatureOf(
  { name }: Bags,
  row: Iterable<readonly [string, unknown]>,
  number: number,
  put: (feature: string, value: number) => void,
): void {
  try {
    for (const [field, value] of row) eachFeature(field, value, put);
  } catch (error) {
    if (!(error instanceof HalfspaceError) || error.where.row !== undefined) throw error;
    throw error.at({ source: name, row: number });
  }
}

/** Rows of bags as a batch, whose arrays are reused. */
class BagBatch {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #unknown: UnknownTally;
  readonly #offsets = new Uint32Array(batchRows + 1);
  #indices = new Uint32Array(1024);
  #values = new Float64Array(1024);
  /** By feature: the number of the last row that has it, from 1, and the place of its value. */
  readonly #lastOf: Float64Array;
  readonly #placeOf: Uint32Array;
  #begun = 0;
  rows = 0;

  constructor(positions: ReadonlyMap<string, number>, unknown: UnknownTally) {
    this.#positions = positions;
    this.#unknown = unknown;
    this.#lastOf = new Float64Array(positions.size);
    this.#placeOf = new Uint32Array(positions.size);
  }

  begin(): void {
    this.rows++;
    this.#begun++;
    this.#offsets[this.rows] = this.#offsets[this.rows - 1]!;
  }

  /** Adds a feature to the row, or a value to that of the same feature. */
  add(feature: string, value: number): void {
    this.#unknown.values++;
    const position = this.#positions.get(feature);
    if (position === undefined) {
      this.#unknown.unknown++;
      this.#unknown.meet(feature);
      return;
    }
    if (this.#lastOf[position] === this.#begun) {
      this.#values[this.#placeOf[position]!]! += value;
      return;
    }
    this.#lastOf[position] = this.#begun;
    const at = this.#offsets[this.rows]!++;
    if (at === this.#indices.length) this.#grow();
    this.#indices[at] = position;
    this.#values[at] = value;
    this.#placeOf[position] = at;
  }

  /** Returns the rows as a batch, and begins the next one. */
  taken(labels: Float64Array): SparseBatch {
    const { rows } = this;
    this.rows = 0;
    return {
      kind: 'sparse',
      rows,
      dimension: this.#positions.size,
      labels: labels.slice(0, rows),
      importance: null,
      offsets: this.#offsets,
      indices: this.#indices,
      values: this.#values,
    };
  }

  #grow(): void {
    const [indices, values] = [this.#indices, this.#values];
    this.#indices = new Uint32Array(2 * indices.length);
    this.#values = new Float64Array(2 * values.length);
    this.#indices.set(indices);
    this.#values.set(values);
  }
}

/** Numbers of rows that decide, and of names, from which rows may be bags; the most names of a row, as a share. */
const evidentRows = 1000;
const fewestNames = 100;
const largestShare = 1 / 20;

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

  add(row: Row): void {
    if (this.#rows === evidentRows || !this.#isNumeric) return;
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

  /** Returns the note on rows that are read as bags; null: they are a table. */
  note(source: string): string | null {
    const { size } = this.#names;
    const mean = this.#members / this.#rows;
    if (!this.#isNumeric || size < fewestNames || mean > size * largestShare) return null;
    return `${source} is read as bags of features: a row has ${mean.toPrecision(2)} of ${size} names or more, and an absent one is 0 (features: {} reads columns, where an absent value is missing)`;
  }
}
