import { dimensionOf } from '../features/dimension.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { flatFields, noKnownField } from '../features/record.ts';
import { LoadedRow, type PlainRow } from '../kernels/plain-row.ts';
import { featureReaders } from '../model/feature-readers.ts';
import { FeatureList, type FeatureReader, type RawRow, rawFeatures } from '../model/raw-features.ts';
import { unknownFieldsBy } from '../model/unknown-fields.ts';
import { largestValue, tooLarge } from './largest-value.ts';
import type { OnlineField, OnlineRows, RowsSnapshot, RowsState } from './rows.ts';
import { nameBytes } from './size.ts';

export interface EncodedRowsState extends RowsState {
  readonly form: 'encoded';
  readonly features: FeatureEncoding;
}

/** Rows by the encoding of a model, which stays as it is: no field, level or word joins. */
export class EncodedRows implements OnlineRows {
  readonly cells = null;
  readonly dimension: number;
  readonly columns: OnlineField[];
  readonly #features: FeatureEncoding;
  readonly #read: FeatureReader;
  readonly #list = new FeatureList();
  readonly #row = new LoadedRow();
  #bytes = 0;
  /** Made when it is first asked. */
  #unknown: ((row: RawRow) => string[]) | null = null;

  /** @throws HalfspaceError `option-invalid` for hashed text. */
  constructor({ features }: EncodedRowsState) {
    this.#features = features;
    this.#read = rawFeatures(features, featureReaders);
    this.dimension = dimensionOf(features);
    this.columns =
      features.kind === 'table' ? features.columns.map(({ name, kind }) => ({ name, kind, decided: true })) : [];
  }

  ask(row: unknown, importance: number): PlainRow {
    const list = this.#list;
    list.count = 0;
    this.#read(row as RawRow, list);
    if (importance > 0 && this.#features.kind === 'table') {
      const fields = flatFields(row);
      if (this.unknown(row).length === Object.keys(fields).length) throw noKnownField(fields);
    }
    const read = this.#row;
    read.count = 0;
    for (let k = 0; k < list.count; k++) {
      const [index, value] = [list.indices[k]!, list.values[k]!];
      if (index < 0) continue;
      if (importance > 0 && !(Math.abs(value) <= largestValue)) throw tooLarge(value, index);
      read.add(index, value);
    }
    return read;
  }

  unknown(row: unknown): string[] {
    this.#unknown ??= unknownFieldsBy(this.#features);
    return this.#unknown(row as RawRow);
  }

  join(): PlainRow {
    return this.#row;
  }

  get bytes(): number {
    if (this.#bytes === 0) this.#bytes = nameBytes(JSON.stringify(this.#features));
    return this.#bytes;
  }

  growInto(): void {}

  snapshot(): RowsSnapshot {
    return { features: this.#features, positions: null };
  }

  state(): EncodedRowsState {
    return { form: 'encoded', features: this.#features };
  }
}
