import type { KeptBytes } from '../data/kept-bytes.ts';
import { isNested, isStructure, plainValue } from '../features/plain-value.ts';
import { deepestStructure } from '../features/record.ts';
import { listItems } from '../features/set/list.ts';

/** Plain values of fields by name. */
type Fields = Readonly<Record<string, unknown>>;

/** Some rows, and their derived labels if there are any. */
export interface RowPiece {
  readonly rows: readonly Fields[];
  readonly labels: readonly unknown[] | null;
}

/** Rows, and length of their text, in characters, after which a piece is written. */
const pieceRows = 2048;
const pieceText = 256 * 1024;

/**
 * Keeps rows that can be read only once, as JSON. What JSON lacks is a list: `['d', time]` of a date, `['b', digits]`
 * of a bigint, `['n', name]` of NaN, an infinity and −0, `['s', fields]` of a structure, and `[]` of any other value,
 * which no column holds.
 */
export class KeptRows {
  readonly #bytes: KeptBytes;
  readonly #encoder = new TextEncoder();
  #rows: string[] = [];
  #labels: unknown[] = [];
  #text = 0;

  constructor(bytes: KeptBytes) {
    this.#bytes = bytes;
  }

  /** Appends a copy of a row. @param label its derived label; undefined: it has none. */
  append(row: Fields, label: unknown): void {
    const text = JSON.stringify(packedFields(row, (value) => packed(value)));
    this.#rows.push(text);
    if (label !== undefined) this.#labels.push(packed(plainValue(label)));
    this.#text += text.length;
    if (this.#rows.length >= pieceRows || this.#text >= pieceText) this.#flush();
  }

  /** Yields all rows in order. */
  *pieces(): Generator<RowPiece> {
    this.#flush();
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for (const bytes of this.#bytes.pieces()) {
      const { rows, labels } = JSON.parse(decoder.decode(bytes)) as {
        rows: Record<string, unknown>[];
        labels: unknown[];
      };
      for (const row of rows)
        for (const name in row) if (typeof row[name] === 'object') row[name] = unpacked(row[name]);
      yield { rows, labels: labels.length === 0 ? null : labels.map(unpacked) };
    }
  }

  #flush(): void {
    if (this.#rows.length === 0) return;
    const text = `{"rows":[${this.#rows.join(',')}],"labels":${JSON.stringify(this.#labels)}}`;
    this.#bytes.append(this.#encoder.encode(text));
    this.#rows = [];
    this.#labels = [];
    this.#text = 0;
  }
}

function packedFields(fields: Fields, pack: (value: unknown) => unknown): Fields {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = plainValue(fields[name]);
    // Assigning this name would set the prototype.
    if (name === '__proto__') Object.defineProperty(kept, name, { value: pack(value), enumerable: true });
    else if (value !== undefined) kept[name] = pack(value);
  }
  return kept;
}

function packed(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ['n', Object.is(value, -0) ? '-0' : String(value)];
    case 'bigint':
      return ['b', String(value)];
    case 'symbol':
      return [];
    default:
      if (value instanceof Date) return ['d', value.getTime()];
      if (!isNested(value)) return value ?? null;
      if (listItems(value) !== null) return ['l', (value as unknown[]).map((each) => packed(plainValue(each)))];
      return isStructure(value) && depth < deepestStructure
        ? ['s', packedFields(value, (each) => packed(each, depth + 1))]
        : [];
  }
}

function unpacked(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const [type, text] = value as [type?: string, text?: unknown];
  if (type === 's')
    return Object.fromEntries(Object.entries(text as object).map(([name, each]) => [name, unpacked(each)]));
  if (type === 'l') return (text as unknown[]).map(unpacked);
  if (type === 'd') return new Date(text === null ? Number.NaN : (text as number));
  if (type === 'b') return BigInt(text as string);
  return type === 'n' ? Number(text) : value;
}
