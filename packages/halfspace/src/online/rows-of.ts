import { eachFeature } from '../features/bag.ts';
import { fieldsOf } from '../features/record.ts';
import { LoadedRow, type PlainRow } from '../kernels/plain-row.ts';
import { otherFieldsWith, unknownNames } from '../model/unknown-fields.ts';
import { EncodedRows, type EncodedRowsState } from './encoded-rows.ts';
import { isNumbers } from './given.ts';
import { largestValue, tooLarge } from './largest-value.ts';
import { NumberRows, type NumberRowsState } from './number-rows.ts';
import { type OnlinePlan, readAsOf } from './options.ts';
import { RecordRows, type RecordRowsState } from './record-rows.ts';
import type { OnlineRows, RowsSnapshot, RowsState } from './rows.ts';
import { bytesOfNames, type Growth, nameBytes } from './size.ts';
import type { HeldReading } from './undecided-column.ts';

interface BagRowsState extends RowsState {
  readonly form: 'bags';
  /** In the order in which they came. */
  readonly names: readonly string[];
}

/**
 * Rows as bags of features: an absent feature is 0. A row takes time by its own features, however many are known.
 * Features join in the order in which they come, up to a bound; later ones are ignored.
 */
class BagRows implements OnlineRows {
  readonly cells = null;
  readonly columns: [] = [];
  bytes: number;
  readonly #label: string;
  readonly #most: number;
  readonly #names: string[];
  readonly #positions = new Map<string, number>();
  /** The features that are new in the row that was asked about. */
  readonly #arrivals = new Map<string, number>();
  /** Fields of features that have other names. */
  readonly #fields = new Set<string>();
  readonly #asked = new LoadedRow();
  readonly #learned = new LoadedRow();
  /** By position: where the row that was read last has its value, plus one; 0: it has none. */
  readonly #places: number[] = [];

  /**
   * @param label name of the label's field, which is no feature.
   * @param most largest number of features.
   */
  constructor(label: string, most: number, state?: BagRowsState) {
    this.#label = label;
    this.#most = most;
    this.#names = [...(state?.names ?? [])];
    this.bytes = bytesOfNames(this.#names);
    for (const [j, name] of this.#names.entries()) this.#know(name, j);
  }

  get dimension(): number {
    return this.#names.length;
  }

  ask(row: unknown, importance: number): PlainRow {
    const fields = fieldsOf(row);
    const [asked, learned, known] = [this.#asked, this.#learned, this.dimension];
    asked.count = 0;
    for (let k = 0; k < learned.count; k++) this.#places[learned.indices[k]!] = 0;
    learned.count = 0;
    this.#arrivals.clear();
    const put = (name: string, value: number) => {
      const position = this.#positionOf(name, importance);
      if (position < 0) return;
      if (importance > 0 && !(Math.abs(value) <= largestValue)) throw tooLarge(value, name);
      const place = this.#places[position] ?? 0;
      if (place > 0) learned.values[place - 1]! += value;
      else {
        learned.add(position, value);
        this.#places[position] = learned.count;
      }
    };
    for (const name of Object.keys(fields)) if (name !== this.#label) eachFeature(name, fields[name], put);
    for (let k = 0; k < learned.count; k++)
      if (learned.indices[k]! < known) asked.add(learned.indices[k]!, learned.values[k]!);
    return asked;
  }

  unknown(row: unknown): string[] {
    return unknownNames(row, (name) => this.#positions.has(name) || this.#fields.has(name) || name === this.#label);
  }

  join(): PlainRow {
    for (const [name, position] of this.#arrivals) {
      this.#know(name, position);
      this.#names.push(name);
      this.bytes += nameBytes(name);
    }
    this.#arrivals.clear();
    return this.#learned;
  }

  #know(name: string, position: number): void {
    this.#positions.set(name, position);
    for (const field of otherFieldsWith(name)) this.#fields.add(field);
  }

  growInto(growth: Growth): void {
    growth.features += this.#arrivals.size;
    growth.bytes += bytesOfNames(this.#arrivals.keys());
  }

  /** Returns the position of a feature; of a new one, if it may join, the one that it will have; else −1. */
  #positionOf(name: string, importance: number): number {
    const known = this.#positions.get(name) ?? this.#arrivals.get(name);
    if (known !== undefined) return known;
    const next = this.dimension + this.#arrivals.size;
    if (importance === 0 || next >= this.#most) return -1;
    this.#arrivals.set(name, next);
    return next;
  }

  snapshot(): RowsSnapshot {
    return { features: { kind: 'named', names: [...this.#names] }, positions: null };
  }

  state(): BagRowsState {
    return { form: 'bags', names: [...this.#names] };
  }
}

/** Creates the reader of rows like the first one. */
export function rowsFor(plan: OnlinePlan, row: unknown): OnlineRows {
  return rowsOf(plan, { form: isNumbers(row) ? 'numbers' : plan.columns === 'bag' ? 'bags' : 'records' });
}

/** Creates the reader of rows of a state. @param held how fields are read until they are released. */
export function rowsOf(
  { label, columns, scale, maxFeatures, maxFields }: OnlinePlan,
  state: RowsState,
  held?: ReadonlyMap<string, HeldReading>,
): OnlineRows {
  if (state.form === 'encoded') return new EncodedRows(state as EncodedRowsState);
  if (state.form === 'numbers')
    return new NumberRows(maxFeatures, 'dimension' in state ? (state as NumberRowsState) : undefined);
  if (columns === 'bag') return new BagRows(label, maxFeatures, 'names' in state ? (state as BagRowsState) : undefined);
  const kinds = new Map(Object.entries(columns).map(([name, kind]) => [name, readAsOf(kind)]));
  return new RecordRows(
    { label, kinds, scale, maxFeatures, maxFields },
    'columns' in state ? (state as RecordRowsState) : undefined,
    held,
  );
}
