/** A table as CSV with a header. `positive` is the class that is set against the others, null if none was named. */
interface CsvTable {
  readonly text: string;
  readonly label: string;
  readonly positive: string | null;
  /** True if its features are two numbers, which can be drawn as they are. */
  readonly isPlane: boolean;
}

/** Options of a source of data that the lab has, too. */
interface SourceOptions {
  readonly label?: unknown;
  readonly positive?: unknown;
}

type Row = Readonly<Record<string, unknown>>;

/** Returns objects as a table; null if they are read once only, or with options that the lab does not have. */
export function csvOfRows(objects: unknown, options: SourceOptions = {}): CsvTable | null {
  if (!Array.isArray(objects) || !isPlain(options)) return null;
  const rows = objects as readonly Row[];
  const { label } = options;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (typeof label === 'function') {
    const column = unusedName('class', names);
    return tableOf(
      [...names, column],
      rows,
      (row, name) => (name === column ? label(row) : row[name]),
      column,
      options,
    );
  }
  return typeof label === 'string' ? tableOf(names, rows, (row, name) => row[name], label, options) : null;
}

/** Returns lists of numbers as a table with the columns x1, x2, … and class; null for other arrays. */
export function csvOfArrays(x: unknown, y: unknown): CsvTable | null {
  if (!Array.isArray(x) || !Array.isArray(y) || !Array.isArray(x[0])) return null;
  const names = x[0].map((_, j) => `x${j + 1}`);
  const rows = x.map((features, i) =>
    Object.fromEntries([...names.map((name, j) => [name, features[j]]), ['class', y[i]]]),
  );
  return csvOfRows(rows, { label: 'class' });
}

/** Returns text of CSV as a table; null for other input. */
export function csvOfText(input: unknown, options: SourceOptions = {}): CsvTable | null {
  const { label, positive } = options;
  if (typeof input !== 'string' || !input.includes('\n') || typeof label !== 'string' || !isPlain(options)) return null;
  return { text: input, label, positive: positive === undefined ? null : String(positive), isPlane: false };
}

const isPlain = (options: SourceOptions) =>
  Object.entries(options).every(([name, value]) => value === undefined || name === 'label' || name === 'positive');

function tableOf(
  names: readonly string[],
  rows: readonly Row[],
  cellOf: (row: Row, name: string) => unknown,
  label: string,
  { positive }: SourceOptions,
): CsvTable | null {
  const cells = rows.map((row) => names.map((name) => cellOf(row, name) ?? ''));
  // Dates and lists have no one text.
  if (cells.some((row) => row.some((value) => typeof value === 'object'))) return null;
  const lines = [names, ...cells].map((row) => row.map((value) => quoted(String(value))).join(','));
  const features = names.filter((name) => name !== label);
  const isPlane =
    features.length === 2 && rows.every((row) => features.every((name) => typeof cellOf(row, name) === 'number'));
  return {
    text: `${lines.join('\n')}\n`,
    label,
    positive: positive === undefined ? null : String(positive),
    isPlane,
  };
}

/** Returns a cell as RFC 4180 writes it. */
const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function unusedName(name: string, names: readonly string[]): string {
  return names.includes(name) ? unusedName(`${name}_`, names) : name;
}

type Library = typeof import('halfspace');

/** Data that a module learns from, and its rule; a null rule: it trains nothing on them. */
export interface WatchedRun {
  readonly table: CsvTable;
  readonly rule: { readonly name: string; readonly [option: string]: unknown } | null;
}

/** Watches the library for the data of a module: those of its last training run, else the first that it makes. */
export class WatchedData {
  readonly #tables = new WeakMap<object, CsvTable>();
  #first: CsvTable | null = null;
  #trained: WatchedRun | null = null;

  /** Null: the module has no data, or the lab would read them otherwise than the module does. */
  get run(): WatchedRun | null {
    return this.#trained ?? (this.#first === null ? null : { table: this.#first, rule: null });
  }

  /** Returns an import of a module. Where it is the library itself, its sources of data and `train` are watched. */
  watch(imported: object): object {
    if (!('rows' in imported && 'train' in imported)) return imported;
    const { rows, arrays, csv, train } = imported as Library;
    const noted = <Source extends object>(source: Source, table: CsvTable | null): Source => {
      if (table !== null) this.#tables.set(source, table);
      this.#first ??= table;
      return source;
    };
    return {
      ...imported,
      rows: (...[objects, options]: Parameters<Library['rows']>) =>
        noted(rows(objects, options), csvOfRows(objects, options)),
      arrays: (...[x, y, options]: Parameters<Library['arrays']>) => noted(arrays(x, y, options), csvOfArrays(x, y)),
      csv: (...[input, options]: Parameters<Library['csv']>) => noted(csv(input, options), csvOfText(input, options)),
      train: async (...[source, options]: Parameters<Library['train']>) => {
        const result = await train(source, options);
        const table = this.#tables.get(source);
        const given = options?.rule;
        if (table !== undefined)
          this.#trained = { table, rule: { ...(typeof given === 'object' ? given : {}), name: result.report.rule } };
        return result;
      },
    };
  }
}
