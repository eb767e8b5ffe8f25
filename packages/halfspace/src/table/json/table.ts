import { HalfspaceError } from '../../errors.ts';
import { isNested, isStructure, plainValue } from '../../features/plain-value.ts';
import { fieldAt, structuresIn } from '../../features/record.ts';
import { cellText } from '../../features/table-cell.ts';
import type { BagEvidence } from '../bag-evidence.ts';
import type { BytePieces } from '../byte-text.ts';
import { headText, type TableHead } from '../head.ts';
import { listed } from '../listed.ts';
import type { Row as Fields } from '../object-table.ts';
import { absentNote, type KnownNames, unknownColumns } from '../open.ts';
import { type Row, type RowPieces, type RowTable, scanRows } from '../row-scan.ts';
import { type SourceColumn, type SourceType, typeOfBoth, typeOfItems } from '../table.ts';
import { documentRows, oneObject } from './document.ts';
import { nested, parsed, withoutNaN } from './object.ts';
import { type JsonColumns, type JsonLayout, jsonRows, knownColumns } from './rows.ts';

/** Facts that a caller knows about the text of a table of JSON. */
interface JsonTableOptions {
  /** `ndjson`: an object per line; `json`: also a list of objects, or objects one after the other. */
  readonly format: 'json' | 'ndjson';
  /** True: bad rows are allowed. */
  readonly tolerant: boolean;
  /**
   * Columns of a model. Default: all keys of all objects, in the order of their first occurrence, found by a scan of
   * the whole text; a column with a list in any row is then nested.
   */
  readonly known?: KnownNames | undefined;
  /** Collects if the rows are bags of features. The scan for the keys ends once it is complete and says so. */
  readonly evidence?: BagEvidence | undefined;
}

/**
 * Opens JSON as a table. Values are read like the cells of a text table: "7" and 7 are equal, and "NA" is a missing
 * number.
 *
 * @param open starts a scan of the whole text.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openJsonTable(
  name: string,
  head: TableHead,
  open: () => BytePieces,
  { format, tolerant, known, evidence }: JsonTableOptions,
): Promise<RowTable> {
  const layout = layoutOf(head, format, name, true, known?.features);
  return known === undefined
    ? discoveredTable(name, layout, open, tolerant, evidence)
    : knownTable(name, layout, open, known);
}

/**
 * Returns a table of JSON whose columns are known, so that one scan is enough.
 *
 * @param options `prompt`: rows are delivered as soon as they arrive; `several`: a lone object is refused.
 */
export function knownTable(
  name: string,
  layout: JsonLayout,
  open: () => BytePieces,
  { features, label, sets = [], carried = [] }: KnownNames,
  { prompt = false, several = false }: { readonly prompt?: boolean; readonly several?: boolean } = {},
): RowTable {
  const seen = new SeenColumns(features);
  let document: string | null = null;
  const names = [...new Set([...features, ...(label === null ? [] : [label]), ...carried])];
  const columns = names.map((column, position): SourceColumn => {
    return { name: column, type: sets.includes(column) ? 'texts' : 'cell', position };
  });
  const isNumber = numberTest(columns);
  const reader: JsonColumns = {
    ...seen.watch(knownColumns(columns)),
    readsDocuments: !prompt,
    onDocument: (note) => {
      document = `${name}: ${note}`;
    },
  };
  const rows = () => {
    const pieces = jsonRows(open(), name, layout, reader);
    return seen.guard(several && layout === 'lines' ? severalRows(pieces, name) : pieces, name);
  };
  return {
    name,
    columns,
    header: null,
    notes: [],
    lateNotes: () => [...(document === null ? [] : [document]), ...seen.notes(name)],
    rows,
    isNumber,
    scan: (wanted, label, options) => scanRows(rows, wanted, label, { ...options, prompt }, isNumber),
  };
}

/** Maximum numbers of cells: a small file whose keys hardly ever repeat would be a large table. */
const mostCells = 1e8;
const mostCellsPerMember = 1000;

async function discoveredTable(
  name: string,
  layout: JsonLayout,
  open: () => BytePieces,
  tolerant: boolean,
  evidence: BagEvidence | undefined,
): Promise<RowTable> {
  const types = new Map<string, SourceType>();
  const values = new Map<string, Set<string>>();
  let members = 0;
  const finder: JsonColumns = {
    width: 0,
    begin: () => [],
    put(_, key, cell, isText) {
      members++;
      const isList = typeof cell === 'object' && cell !== null;
      const type = isList ? typeOfItems(cell.items) : cell === nested ? 'nested' : 'cell';
      const before = types.get(key);
      if (before !== type) types.set(key, typeOfBoth(before, type));
      if (cell !== nested && !isList) addType(values, key, cell, isText);
      return null;
    },
    onShape(key, shape) {
      if (shape !== 'empty') shapes[shape].add(key);
      return null;
    },
    onDocument: (note) => {
      document = `${name}: ${note}`;
    },
  };
  let document: string | null = null;
  const shapes = { fields: new Set<string>(), extended: new Set<string>() };
  let objects = 0;
  scan: for await (const rows of jsonRows(open(), name, layout, finder))
    for (const { rejected, text } of rows)
      if (rejected === null) {
        objects++;
        if (evidence?.isComplete !== false) continue;
        evidence.add(parsed(withoutNaN(text!)) as Fields);
        if (evidence.isComplete && evidence.areBags) break scan;
      } else if (!tolerant) throw rejected().error;
  if (objects === 0) throw new HalfspaceError('source-empty', 'expected rows; got none', { source: name });
  const cells = objects * types.size;
  if (evidence?.areBags !== true && cells > Math.max(mostCells, members * mostCellsPerMember))
    throw new HalfspaceError(
      'row-malformed',
      `expected objects that share their keys; got ${objects} objects and ${types.size} keys, but only ${members} values`,
      { source: name },
    );
  // An object that is missing in some rows is no column beside its fields.
  for (const key of structuresIn(types.keys()))
    if (types.get(key) === 'cell' && values.get(key)?.size === 0) types.delete(key);
  const columns = Array.from(types, ([key, type], position) => ({ name: key, type, position }));
  const isNumber = numberTest(columns);
  const read = knownColumns(columns);
  const rows = () => jsonRows(open(), name, layout, read);
  return {
    name,
    columns,
    header: null,
    notes: [...(document === null ? [] : [document]), ...shapeNotes(name, shapes)],
    rows,
    isNumber,
    valueTypes: ({ name: key }) => values.get(key) ?? [],
    scan: (wanted, label, options) => scanRows(rows, wanted, label, options, isNumber),
  };
}

/** Returns notes on how objects within rows are read. */
function shapeNotes(
  source: string,
  { fields, extended }: Record<'fields' | 'extended', ReadonlySet<string>>,
): string[] {
  const notes: string[] = [];
  if (fields.size > 0) {
    const [first] = fields;
    notes.push(`${source} has objects in ${listed([...fields])}: their fields are columns such as ${first}.NAME`);
  }
  if (extended.size > 0)
    notes.push(
      `${source} has values as MongoDB writes them in ${listed([...extended])}: they are read as plain values`,
    );
  return notes;
}

/** Adds the type of a value that is not missing to those of its column. */
function addType(values: Map<string, Set<string>>, key: string, cell: string | null, isText: boolean): void {
  const seen = values.get(key) ?? new Set();
  values.set(key, seen);
  if (cell === null || (isText && (seen.has('string') || cellText(cell) === null))) return;
  seen.add(isText ? 'string' : cell === 'true' || cell === 'false' ? 'boolean' : 'number');
}

/** Returns a test if a cell is a number by its type. It parses the row again, so it is for few cells. */
function numberTest(columns: readonly SourceColumn[]): (row: Row, position: number) => boolean {
  return ({ text }, position) => {
    const name = columns[position]?.name;
    if (name === undefined) return false;
    const fields = parsed(withoutNaN(text ?? ''));
    const value = isStructure(fields) ? plainValue(fieldAt(fields, name)) : null;
    return typeof value === 'number' || typeof value === 'bigint';
  };
}

/** Yields the same rows. @throws HalfspaceError `row-malformed` for a lone one. */
export async function* severalRows(pieces: RowPieces, source: string): AsyncGenerator<readonly Row[]> {
  let count = 0;
  for await (const rows of pieces) {
    count += rows.length;
    yield rows;
  }
  if (count === 1) throw new HalfspaceError('row-malformed', oneObject, { source });
}

/** Maximum number of rows without any known column before the first row that has one. */
const mostHeld = 100_000;

/** Records which of the known columns the rows have. */
class SeenColumns {
  readonly #known: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  readonly #others = new Set<string>();
  /** Number of rows so far, and the number, from 1, of the first row that has a known column. */
  #begun = 0;
  #first = Number.POSITIVE_INFINITY;

  constructor(known: readonly string[]) {
    this.#known = new Set(known);
  }

  watch(columns: JsonColumns): JsonColumns {
    return {
      ...columns,
      begin: () => {
        this.#begun++;
        return columns.begin();
      },
      put: (cells, key, cell, isText) => {
        if (this.#seen.size < this.#known.size && this.#known.has(key)) {
          this.#seen.add(key);
          this.#first = Math.min(this.#first, this.#begun);
        } else if (this.#others.size < 100) this.#others.add(key);
        return columns.put(cells, key, cell, isText);
      },
    };
  }

  /** @throws HalfspaceError `column-unknown` if no row has a known column. */
  async *guard(pieces: RowPieces, source: string): RowPieces {
    let held: Row[] = [];
    let count = 0;
    for await (const rows of pieces) {
      if (count + 1 >= this.#first) {
        yield [...held, ...rows];
        held = [];
        continue;
      }
      for (const row of rows) {
        held.push(row);
        if (++count < this.#first && row.rejected === null) {
          if (held.length > mostHeld) throw this.#unknown(source);
          continue;
        }
        yield held;
        held = [];
      }
    }
    if (held.length > 0) throw this.#unknown(source);
  }

  notes(source: string): string[] {
    const absent = [...this.#known].filter((name) => !this.#seen.has(name));
    return absent.length === 0 ? [] : [absentNote(source, absent)];
  }

  #unknown(source: string): HalfspaceError {
    return unknownColumns(source, [...this.#known], [...this.#others]);
  }
}

/** Returns the layout that the beginning of JSON shows. @throws HalfspaceError as {@link openJsonTable}. */
export function layoutOf(
  head: TableHead,
  format: 'json' | 'ndjson',
  source: string,
  documents: boolean,
  known: readonly string[] = [],
): JsonLayout {
  const text = headText(head, source).trimStart();
  if (text === '') throw new HalfspaceError('source-empty', 'expected a table; got blank lines', { source });
  return jsonLayout(text, head.whole, format, source, documents, known);
}

/**
 * @param text the beginning, without blanks before it.
 * @param whole true if that is the whole text.
 * @param documents false: a lone object is refused, because it is a row of a pipe or nothing. Default true.
 * @param known names of features that a row has.
 */
export function jsonLayout(
  text: string,
  whole: boolean,
  format: 'json' | 'ndjson',
  source: string,
  documents = true,
  known: readonly string[] = [],
): JsonLayout {
  if (text[0] !== '[' && text[0] !== '{')
    throw new HalfspaceError('source-corrupt', 'expected JSON objects; got other text', { source });
  const line = text.slice(0, text.search(/\r?\n|$/));
  const first = parsed(withoutNaN(line));
  const isLast = text.trimEnd() === line.trimEnd();
  const isAlone = whole && isLast;
  const isWhole = whole && (isAlone ? first : parsed(withoutNaN(text))) !== undefined;
  if (isWhole && text[0] === '{' && format === 'json' && !documents)
    throw new HalfspaceError('row-malformed', oneObject, { source });
  // A list of scalars on a line is a row, or the names of the rows.
  const isRow = text[0] === '{' ? !isAlone : !isLast && Array.isArray(first) && !first.some(isNested);
  if (first !== undefined && isRow) return 'lines';
  if (format === 'json') return 'values';
  if (!documents || (!isWhole && !/^[[{][ \t]*$/.test(line))) return 'lines';
  // A lone object may be a row for a model; a lone bracket is a bad row.
  if (isAlone && !isWhole) return 'lines';
  if (!isAlone || text[0] !== '{') return 'values';
  const found = documentRows(text);
  const isOne = 'fault' in found && found.fault === oneObject;
  return isOne || known.some((name) => fieldAt(first as Fields, name) !== undefined) ? 'lines' : 'values';
}
