import { type CsvTable, csvOfArrays, csvOfRows, csvOfText } from './csv-table.ts';

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
