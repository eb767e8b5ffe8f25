import {
  type ColumnKind,
  type ColumnTally,
  cellText,
  chooseClasses,
  chooseKind,
  emptyTally,
  type FeatureOptions,
  HalfspaceError,
  HoldoutSplit,
  type MeasuredKind,
  refusedCell,
  refusedNumber,
  type TableEncoding,
  TableFitter,
  type TableFormat,
  type TableLabel,
  tallyWords,
} from 'halfspace';
import { BadRows } from './bad-rows.ts';
import { areFinite } from './cells.ts';
import { type ChosenColumns, labelColumn, listed, wantedColumns } from './columns.ts';
import { mixedNote, WordCounts } from './kinds.ts';
import { RawStore, type StoredRows } from './raw-store.ts';
import type { Scan, ScannedChunk, Wanted } from './scan.ts';
import type { Table } from './table.ts';
import { MissingWords, type WordList } from './words.ts';

export interface FitOptions {
  readonly format: TableFormat;
  readonly header: boolean | null;
  readonly scale: 'none' | 'standard';
  /** Columns to cross. */
  readonly crosses: NonNullable<FeatureOptions['crosses']>;
  readonly positive: string | undefined;
  /** Set bad rows aside instead of failing at the first. */
  readonly tolerant: boolean;
  /** Share of the rows, by seed, that must not be fitted on. */
  readonly holdout: { readonly fraction: number; readonly seed: number } | undefined;
}

export interface FitResult {
  readonly encoding: TableEncoding;
  /** The words of each column of the encoding, and of the label: they come again. */
  readonly lists: readonly WordList[];
  readonly labelList: WordList;
  /** The rows as they were read; null when rows may be at fault, since these have to be told in their place. */
  readonly stored: StoredRows | null;
  readonly notes: readonly string[];
}

/** One reading of all rows. */
export class FitReading {
  readonly #tables: readonly Table[];
  readonly #chosen: ChosenColumns;
  readonly #kinds: readonly ColumnKind[];
  readonly #lists: readonly WordList[];
  readonly #labelList: WordList;
  readonly #options: FitOptions;
  readonly #fitter: TableFitter;
  /** Tallies of columns that are read as doubles, and counts of those that are read as words. */
  readonly #tallies: readonly ColumnTally[];
  readonly #counts: readonly WordCounts[];
  readonly #full = new Set<number>();
  readonly #labelCounts = new WordCounts();
  readonly #missingLabels = new MissingWords();
  /** Of the chunk at hand. */
  readonly #bad = new BadRows();
  readonly #store: RawStore | null;
  /** The first row that is at fault. */
  #fault: { readonly table: Table; readonly row: number; readonly error: HalfspaceError } | null = null;
  #rows = 0;

  constructor(
    tables: readonly Table[],
    chosen: ChosenColumns,
    kinds: readonly ColumnKind[],
    lists: readonly WordList[],
    labelList: WordList,
    sample: readonly ColumnTally[],
    options: FitOptions,
  ) {
    this.#tables = tables;
    this.#chosen = chosen;
    this.#kinds = kinds;
    this.#lists = lists;
    this.#labelList = labelList;
    this.#options = options;
    this.#fitter = new TableFitter(
      chosen.candidates.map(({ name, options: wanted }, c) => ({ name, kind: kinds[c]!, options: wanted })),
      { crosses: options.crosses },
    );
    this.#tallies = sample.map(({ measured }) => ({ ...emptyTally(), measured }));
    this.#counts = lists.map(() => new WordCounts());
    this.#store = options.tolerant ? null : new RawStore(kinds.map((kind) => kind === 'text'));
  }

  async run(): Promise<void> {
    const { holdout, tolerant } = this.#options;
    const split = holdout === undefined ? null : new HoldoutSplit(holdout.fraction, holdout.seed);
    for (const table of this.#tables) {
      const wanted = wantedColumns(table, this.#chosen, this.#lists, (c) => this.#kinds[c]!);
      const column = labelColumn(table, this.#chosen.label);
      const label: Wanted = { column, kind: 'category', list: this.#labelList };
      const scan = table.scan(wanted, label, { tolerant });
      for (const c of this.#full) scan.rest(c);
      for await (const chunk of scan.chunks()) this.#observe(table, chunk, split, scan);
    }
  }

  #observe(table: Table, chunk: ScannedChunk, split: HoldoutSplit | null, scan: Scan): void {
    const { rows } = chunk;
    const bad = this.#bad.begin(rows, chunk.damaged);
    chunk.columns.forEach((cells, c) => {
      if (cells instanceof Float64Array) this.#tally(table, chunk, cells, c);
      else if (this.#kinds[c] !== 'text' && !this.#full.has(c)) {
        this.#counts[c]!.add(cells, rows);
        if (this.#lists[c]!.full) {
          this.#full.add(c);
          this.#fitter.leaveOut(c);
          scan.rest(c);
        }
      }
    });
    this.#readLabels(table, chunk);

    if (bad.count > 0 || split !== null) {
      const kept = bad.keptRows(rows, split);
      this.#fitter.observe({ rows: kept.length, numbers: kept, columns: chunk.columns });
    } else this.#fitter.observe({ rows, columns: chunk.columns });
    this.#rows += rows - bad.count;
    this.#store?.append({ rows, columns: chunk.columns, label: chunk.label! });
  }

  #tally(table: Table, chunk: ScannedChunk, cells: Float64Array, c: number): void {
    const tally = this.#tallies[c]!;
    const kind = this.#kinds[c]! as MeasuredKind;
    const all = kind !== 'boolean' && areFinite(cells, chunk.rows);
    let there = all ? chunk.rows : 0;
    let trues = 0;
    for (let i = 0; !all && i < chunk.rows; i++) {
      const cell = cells[i]!;
      if (Number.isNaN(cell)) continue;
      if (Math.abs(cell) !== Infinity) {
        there++;
        if (cell === 1) trues++;
        continue;
      }
      this.#bad.add(i);
      tally.cells++;
      if (cell === refusedNumber) tally.notFinite++;
      const value = chunk.cell(c, i);
      if (cell !== refusedNumber) tally.stray ??= String(value);
      this.#remember(table, chunk.first + i, () =>
        refusedCell(kind, cell, value, this.#place(table, chunk.first + i, this.#chosen.candidates[c]!.name)),
      );
    }
    tally.cells += there;
    if (kind === 'number') tally.numbers += there;
    else if (kind === 'date') tally.dates += there;
    else {
      tally.trues += trues;
      tally.falses += there - trues;
    }
  }

  #readLabels(table: Table, chunk: ScannedChunk): void {
    const { codes, words } = chunk.label!;
    const isMissing = this.#missingLabels.of(words);
    for (let i = 0; i < chunk.rows; i++) {
      if (isMissing[codes[i]!] === 0 || this.#bad.has(i)) continue;
      this.#bad.add(i);
      this.#remember(
        table,
        chunk.first + i,
        () =>
          new HalfspaceError(
            'label-missing',
            'expected a label; got none',
            this.#place(table, chunk.first + i, this.#chosen.label),
          ),
      );
    }
    this.#labelCounts.add(chunk.label, chunk.rows);
    if (this.#labelList.full)
      throw new HalfspaceError('label-classes', 'expected classes; got more than 100,000 different values', {
        source: table.name,
        field: this.#chosen.label,
      });
  }

  #place(table: Table, row: number, field: string) {
    return { source: table.name, row: row + 1, field };
  }

  #remember(table: Table, row: number, describe: () => HalfspaceError): void {
    const fault = this.#fault;
    if (fault !== null && (fault.table !== table || fault.row <= row)) return;
    this.#fault = { table, row, error: describe() };
  }

  /** What a column is, now that all its cells were seen. */
  kindOf(c: number, kind: ColumnKind): ColumnKind {
    // The words of text are not kept, so that nothing but the first rows can tell.
    return kind === 'text' ? kind : chooseKind(this.#tallyOf(c, kind), this.#chosen.candidates[c]!.isText);
  }

  #tallyOf(c: number, kind: ColumnKind): ColumnTally {
    return kind === 'category' ? tallyWords(this.#lists[c]!.words, this.#counts[c]!.counts) : this.#tallies[c]!;
  }

  /** What was learned. The rows that were kept go with it. */
  result(): FitResult {
    const { format, header, scale, positive, tolerant } = this.#options;
    const { candidates, leftOut } = this.#chosen;
    const source = this.#tables[0]!.name;
    if (this.#fault !== null && !tolerant) throw this.#fault.error;
    if (this.#rows === 0)
      throw this.#fault?.error ?? new HalfspaceError('source-empty', 'expected rows; got none', { source });
    const encoding = at(source, () =>
      this.#fitter.encoding({ format, header, scale, label: this.#chooseClasses(positive), leftOut }),
    );
    if (encoding.columns.length === 0)
      throw new HalfspaceError(
        'source-empty',
        `expected a column to learn from; got ${encoding.leftOut.length === 0 ? 'only labels' : describeLeftOut(encoding)}`,
        { source },
      );
    const encoded = new Map(encoding.columns.map((column) => [column.name, column]));
    const notes = candidates.flatMap(({ name, kind, isText }, c) => {
      const used = encoded.get(name);
      const note =
        kind === null && !isText && used?.kind === 'category' ? mixedNote(name, this.#tallyOf(c, 'category')) : null;
      return note === null ? [] : [note];
    });
    if (encoding.leftOut.length > 0) notes.push(`left out: ${describeLeftOut(encoding)}`);
    const positions = new Map(candidates.map(({ name }, c) => [name, c]));
    const used = encoding.columns.map(({ name }) => positions.get(name)!);
    const lists = used.map((c) => this.#lists[c]!);
    const store = this.#store;
    const stored: StoredRows | null = store && {
      chunks: () => store.chunks(used, lists, this.#labelList),
      close: () => store.close(),
    };
    return { encoding, lists, labelList: this.#labelList, stored, notes };
  }

  /** Gives up the rows that were kept. */
  close(): void {
    this.#store?.close();
  }

  #chooseClasses(positive: string | undefined): TableLabel {
    const counts = new Map<string, number>();
    this.#labelList.words.forEach((word, code) => {
      const text = cellText(word);
      const count = this.#labelCounts.counts[code] ?? 0;
      if (text !== null && count > 0) counts.set(text, (counts.get(text) ?? 0) + count);
    });
    return chooseClasses(this.#chosen.label, counts, positive);
  }
}

function describeLeftOut({ leftOut }: TableEncoding): string {
  return listed(leftOut.map(({ name, reason }) => `${name} (${reason.replaceAll('-', ' ')})`));
}

/** Runs something whose errors do not know the source, and tells them. */
function at<T>(source: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof HalfspaceError) || error.where.source !== undefined) throw error;
    throw new HalfspaceError(error.code, error.message, { source });
  }
}
