import { HalfspaceError, quote } from '../errors.ts';
import { WordMeanings } from '../features/column-features.ts';
import type { FormatChoice } from '../features/date/evidence.ts';
import { membersOf } from '../features/set/members.ts';
import {
  cellText,
  expectedCell,
  keepsWords,
  levelOf,
  refusedCell,
  refusedNumber,
  refusedWord,
  unlessMissing,
} from '../features/table-cell.ts';
import type { ColumnCells } from '../features/table-chunk.ts';
import {
  type CellForm,
  type ColumnKind,
  hasTerms,
  type LeftOutReason,
  type MeasuredKind,
  type NumberNotation,
  type SetForm,
  type TableFormat,
} from '../features/table-encoding.ts';
import { BadRows, skipping } from './bad-rows.ts';
import { areFinite } from './cells.ts';
import { type ChosenColumns, hintsOf, wantedCells, wantedColumns, wantedLabel } from './columns.ts';
import { DateCells, formatNote, undecidedError, undecidedNote } from './date-cells.ts';
import type { TableHoldout } from './held-out-rows.ts';
import { IdentityWatch } from './identifiers.ts';
import {
  areOpenDates,
  ColumnTally,
  chooseKind,
  chooseReading,
  codeNote,
  missingHint,
  mixedNote,
  mixtureNote,
  mostInstead,
  notationNote,
  pointNote,
  type ReadAs,
  setNote,
  singlesNote,
  tallyWords,
  textNote,
  withWordsInstead,
} from './kinds.ts';
import { type Leak, LeakWatch } from './leaks.ts';
import { columnFlag } from './listed.ts';
import { NotationTally } from './notations.ts';
import type { Scan, ScannedChunk, Table, Wanted } from './table.ts';
import { presentParts } from './weights.ts';
import { WordCounts, type WordList } from './words.ts';

/** Receives the rows of one scan. */
export interface RowSink {
  /** True: rows without a label are passed on, too, as who looks at columns may not know the label yet. */
  readonly takesUnlabelled?: boolean;
  /** @param kept positions of the good rows that are not held out; null: all rows. */
  take(chunk: ScannedChunk, kept: Uint32Array | null): void;
  /** Leaves out a category that has too many words. */
  leaveOut(column: number): void;
  /** Called when the rows are not needed. */
  close(): void;
}

/** Maximum number of different words that are counted in a column of numbers. */
const mostStrays = 100;

/** A longer cell is no word for a missing value. */
const longestHint = 40;

/** A refused cell or a missing label. */
export interface CellFault {
  readonly table: Table;
  /** From 0. */
  readonly row: number;
  /** Name of the column. */
  readonly field: string;
  /** The expected kind; null: the cell is a label. */
  readonly kind: MeasuredKind | null;
  /** The form in which the cells of the column are written. Absent: plainly. */
  readonly form?: CellForm | undefined;
  /** The value of the cell: `refusedWord` or `refusedNumber`. */
  readonly cell: number;
  /** The cell as it is in the table. */
  readonly value: unknown;
}

/** Returns the error for the first fault of a reading. @param format format of the tables. */
export function faultError(
  { table, row, field, kind, form, cell, value }: CellFault,
  format: TableFormat,
  { unlabelled, rows, sameFaults }: TableReading,
): HalfspaceError {
  const where = { source: table.name, row: row + 1, field };
  const word = value === null || value === undefined ? '' : String(value).trim();
  if (kind === null) return missingLabel(where, format, { unlabelled, rows: rows + unlabelled }, word);
  if (typeof value !== 'string' || word.length > longestHint) return refusedCell(kind, cell, value, where, form);
  const several = sameFaults < 2 ? '' : ` in ${sameFaults.toLocaleString('en')} cells, here first`;
  const found = `${quote(value)}${several}`;
  const hint = `${missingHint(word)}, ${columnFlag(where.field, 'category')} keeps the column as words`;
  return new HalfspaceError(
    'number-invalid',
    `expected ${expectedCell(kind, cell, form)}; got ${found}; ${hint}`,
    where,
  );
}

/**
 * Returns the error for a row without a label.
 *
 * @param format format of the table, for advice; null: the row is skipped anyway.
 * @param counts numbers of rows without a label and of all rows. Default: unknown.
 * @param word the cell, without blanks around it, if it is a word for a missing value. Default: it is empty.
 */
export function missingLabel(
  where: HalfspaceError['where'],
  format: TableFormat | null,
  counts?: { readonly unlabelled: number; readonly rows: number },
  word = '',
): HalfspaceError {
  const several =
    counts === undefined || counts.unlabelled < 2
      ? ''
      : ` in ${counts.unlabelled.toLocaleString('en')} of ${counts.rows.toLocaleString('en')} rows, here first`;
  const isRare = counts === undefined || counts.unlabelled * 2 <= counts.rows;
  const another = isRare ? '' : '; label names another column (--label of the command)';
  const keeps =
    word === '' ? '' : `; ${quote(word)} counts as missing: missing: 'none' makes a class of it (--missing none)`;
  const advice = format === null ? '' : `; ${format === 'rows' ? 'leave such rows out' : skipping}${keeps}${another}`;
  return new HalfspaceError('label-missing', `expected a label; got none${several}${advice}`, where);
}

/** A column that names the rows, and says nothing about other rows. */
export interface Identity {
  /** Position among the candidates. */
  readonly column: number;
  readonly reason: LeftOutReason;
  /** True: only its numbers say that it names the rows, so it stays if no other column has features. */
  readonly isSpare: boolean;
}

/** The words of the columns and of the label so far. */
export interface WordLists {
  readonly columns: readonly WordList[];
  readonly label: WordList;
}

/** The kind and the form as which a column is to be read. */
export interface Revised {
  readonly readAs: ReadAs;
  /** True if all cells of the column determined its form. */
  readonly isFinal: boolean;
  /** Numbers that may be dates of these formats. Default: none. */
  readonly dates?: FormatChoice;
}

/** Reads all rows once as columns of guessed kinds. Tallies their cells, so that wrong guesses can be found. */
export class TableReading {
  readonly readings: readonly ReadAs[];
  readonly kinds: readonly ColumnKind[];
  /** The first fault; null: none. */
  fault: CellFault | null = null;
  /** Number of good rows. */
  rows = 0;
  /** Number of rows without a label that have no other fault. */
  unlabelled = 0;
  readonly #tables: readonly Table[];
  readonly #chosen: ChosenColumns;
  readonly #lists: WordLists;
  readonly #sink: RowSink;
  readonly #holdout: TableHoldout | null;
  /** Tallies of columns that are read as doubles, and counts of columns that are read as words. */
  readonly #tallies: readonly ColumnTally[];
  /** The notations of the cells of number columns: of all cells, or of those that are no plain numbers. */
  readonly #notations: readonly NotationTally[];
  /** Of columns of dates. */
  readonly #dates: readonly DateCells[];
  readonly #revised: readonly Revised[];
  readonly #sample: readonly ColumnTally[];
  readonly #counts: readonly WordCounts[];
  /** The words in columns of numbers, and how often they occur. */
  readonly #strays: readonly Map<string, number>[];
  /** The words in place of numbers that the form of their column has. */
  readonly #instead: readonly Map<string, number>[];
  readonly #full = new Set<number>();
  /** Of columns of sets: the first cell with several values. */
  readonly #sets = new Map<number, string>();
  /** Null: the column has options, so it is a feature. */
  readonly #identities: readonly (IdentityWatch | null)[];
  readonly #leaks: LeakWatch;
  /** Of the labels of good rows and of bad rows. */
  readonly #labelCounts = new WordCounts();
  readonly #badLabelCounts = new WordCounts();
  readonly #missingLabels = new WordMeanings(Int32Array, (word) => (cellText(word) === null ? 1 : 0));
  /** Data of the current chunk. */
  readonly #bad = new BadRows();

  /**
   * @param revised how each column is read, and if that was determined by all of its cells.
   * @param sample tallies of the first rows.
   * @param holdout the rows that the sink does not receive. Default: none.
   */
  constructor(
    tables: readonly Table[],
    chosen: ChosenColumns,
    revised: readonly Revised[],
    lists: WordLists,
    sample: readonly ColumnTally[],
    sink: RowSink,
    holdout: TableHoldout | null = null,
  ) {
    this.#tables = tables;
    this.#chosen = chosen;
    this.readings = revised.map(({ readAs }) => readAs);
    this.kinds = this.readings.map(({ kind }) => kind);
    this.#revised = revised;
    this.#notations = revised.map(() => new NotationTally());
    this.#dates = revised.map(() => new DateCells());
    this.#sample = sample;
    this.#lists = lists;
    this.#sink = sink;
    this.#holdout = holdout;
    this.#tallies = sample.map(({ measured }) => ({ ...new ColumnTally(), measured }));
    this.#counts = revised.map(() => new WordCounts());
    this.#leaks = new LeakWatch(this.readings.map(hasTerms));
    this.#identities = chosen.candidates.map(({ suspected }) =>
      suspected === null ? null : new IdentityWatch(suspected),
    );
    this.#strays = revised.map(() => new Map());
    this.#instead = revised.map(() => new Map());
  }

  /** Number of cells in the column of the first fault that are the same word. */
  get sameFaults(): number {
    const { fault } = this;
    if (fault === null || fault.cell !== refusedWord) return 0;
    const c = this.#chosen.candidates.findIndex(({ name }) => name === fault.field);
    return this.#strays[c]?.get(String(fault.value)) ?? 0;
  }

  /** @throws HalfspaceError of the tables; `label-classes` for too many labels. */
  async run(tolerant: boolean): Promise<void> {
    const { candidates, label } = this.#chosen;
    const names = candidates.map(({ name }) => name);
    for (const table of this.#tables) {
      const wanted = wantedColumns(table, names, (c) => this.cellsOf(c), this.#lists.columns, this.#chosen);
      const scan = table.scan(wanted, wantedLabel(table, label, this.#lists.label, this.#chosen), { tolerant });
      for (const c of this.#full) scan.skipWords(c);
      for await (const chunk of scan.chunks()) this.observe(table, chunk, scan);
    }
  }

  /** Returns the request for the cells of a column. */
  cellsOf(c: number): Pick<Wanted, 'kind' | 'read'> {
    return wantedCells(this.readings[c]!);
  }

  /** Returns how a column is to be read, determined from all of its cells. */
  revised(c: number): Revised {
    const { kind: given, isText, options, semicolons } = this.#chosen.candidates[c]!;
    const readAs = this.readings[c]!;
    const { isFinal } = this.#revised[c]!;
    const { kind, form } = readAs;
    // The words of text are not counted, so the guess from the first rows stays.
    if (hasTerms(readAs) || (given !== null && given !== 'number' && given !== 'date')) return { readAs, isFinal };
    if (kind === 'date') return this.#revisedDates(c);
    const tally = this.#tallyOf(c);
    if (kind !== 'number') {
      const next = chooseReading(tally, given, isText);
      const open = areOpenDates(tally, next) ? { dates: tally.formats! } : {};
      return { readAs: next, isFinal: !this.#full.has(c), ...open };
    }
    const notation = form as NumberNotation | undefined;
    if (isFinal) return { ...this.#revised[c]!, readAs: chooseReading({ ...tally, form: notation }, given, isText) };
    const { decimal } = options;
    const best = this.#notations[c]!.choose(decimal, semicolons);
    // The cells that are no plain numbers may be written in a form that fits all: reading all as text decides.
    if (form === undefined && best !== null) return { readAs: { kind, form: best.notation }, isFinal };
    if (form === undefined) {
      const meant = withWordsInstead(tally, this.#strays[c]!);
      return { readAs: chooseReading(meant, given, isText), isFinal };
    }
    const numbers = best?.cells ?? this.#notations[c]!.plain;
    const chosen = best?.notation ?? (decimal === ',' ? { decimal } : undefined);
    const instead = this.#instead[c]!;
    const cells = [...instead.values()].reduce((sum, count) => sum + count, tally.cells);
    const meant = withWordsInstead({ ...tally, cells, numbers, form: chosen }, [...this.#strays[c]!, ...instead]);
    return { readAs: chooseReading(meant, given, isText), isFinal: true };
  }

  /** Returns how a column that was read as dates is to be read. */
  #revisedDates(c: number): Revised {
    const { kind: given, isText, options } = this.#chosen.candidates[c]!;
    const readAs = this.readings[c]!;
    const tally = this.#tallies[c]!;
    const dates = this.#dates[c]!;
    const { isFinal } = this.#revised[c]!;
    if (isFinal || options.format !== undefined) return { readAs, isFinal };
    if (given === null && (dates.hasNumbers || (dates.areNumbers && tally.cells > tally.dates)))
      return { readAs: { kind: 'number' }, isFinal };
    // The words of all rows decide about the format.
    if (dates.hasOthers) return { readAs: { kind: 'category' }, isFinal };
    const kind = given ?? chooseKind(tally, isText);
    return { readAs: kind === 'date' ? readAs : { kind }, isFinal };
  }

  /** @throws HalfspaceError `option-invalid` for dates that were asked for, whose cells do not tell their order. */
  checkOrders(): void {
    this.#chosen.candidates.forEach(({ name, kind }, c) => {
      const { formats } = kind === 'date' && this.kinds[c] === 'category' ? this.#tallyOf(c) : new ColumnTally();
      if (formats !== null) throw undecidedError(name, formats);
    });
  }

  /** Returns the number of good rows of each label. */
  labelCounts(): Map<string, number> {
    return this.#labelCounts.values(this.#lists.label.words);
  }

  /** Returns the number of bad rows of each label that no good row has. */
  badLabelCounts(): Map<string, number> {
    const good = this.labelCounts();
    const bad = this.#badLabelCounts.values(this.#lists.label.words);
    return new Map([...bad].filter(([text]) => !good.has(text)));
  }

  /** Returns the columns of running numbers and identifiers. */
  identities(): Identity[] {
    return this.#identities.flatMap((watch, column) => {
      const reason = watch === null ? null : this.#identityOf(watch, column);
      return reason === null ? [] : { column, reason, isSpare: !watch!.isNamed };
    });
  }

  /** Returns the columns that may be leaks. @param isUsed tells if a column has features. */
  leaks(isUsed: (name: string) => boolean = () => true): Leak[] {
    return this.#leaks.found(
      this.#chosen.candidates.map(({ name }, c) => (this.#full.has(c) || !isUsed(name) ? null : name)),
    );
  }

  #identityOf(watch: IdentityWatch, c: number): LeftOutReason | null {
    const kind = this.kinds[c]!;
    if (kind === 'number') return watch.reasonOfNumbers();
    if (kind === 'text' || kind === 'set') return watch.reasonOfText();
    const { words, full } = this.#lists.columns[c]!;
    return kind === 'category' && !full ? watch.reasonOfLevels(this.#counts[c]!.values(words)) : null;
  }

  /**
   * Returns notes on numbers and dates that are not written plainly, and on categories whose values are numbers, mostly
   * or with leading zeros, or occur once each. A column that `isUsed` refuses has a note only if it may have become a
   * category for how its numbers are written: its words are often all different, so that it is left out.
   */
  notes(isUsed: (name: string) => boolean = () => true): string[] {
    return this.#chosen.candidates.flatMap(({ name, kind, isText, options, semicolons }, c) => {
      const { kind: own, form } = this.readings[c]!;
      if (typeof form === 'string') {
        const { example } = this.#dates[c]!;
        return options.format === undefined && example !== null && isUsed(name) ? formatNote(name, form, example) : [];
      }
      if (own === 'set' && kind === null && isUsed(name)) return setNote(name, this.#sets.get(c), form as SetForm);
      if (own === 'number' && form !== undefined && isUsed(name)) {
        const example = this.#notations[c]!.exampleOf(form as NumberNotation);
        const rare = this.#notations[c]!.choose(options.decimal, semicolons)?.rare ?? null;
        return notationNote(name, { ...new ColumnTally(), form: form as NumberNotation, example, rare }) ?? [];
      }
      if (kind === null && own === 'number' && isUsed(name)) {
        const { dates } = this.#revised[c]!;
        return (dates === undefined ? pointNote(name, this.#sample[c]!) : undecidedNote(name, dates, 'numbers')) ?? [];
      }
      if (kind !== null || (own !== 'category' && own !== 'text')) return [];
      const tally = own === 'text' ? this.#sample[c]! : this.#tallyOf(c);
      const mixture = mixtureNote(name, tally, own);
      if (mixture !== null || own === 'text') return mixture ?? [];
      if (tally.formats?.format === null) return undecidedNote(name, tally.formats);
      const written = isText ? textNote(name, tally) : isUsed(name) ? codeNote(name, tally) : null;
      const mixed = isText || (tally.example === null && !isUsed(name)) ? null : mixedNote(name, tally);
      const notes = [written ?? mixed, isUsed(name) ? singlesNote(name, tally) : null];
      return notes.filter((note) => note !== null);
    });
  }

  /** Finds the first cell with several values, for a note. */
  #findSet(cells: ColumnCells | null, rows: number, c: number): void {
    if (this.#sets.has(c) || cells === null || cells instanceof Float64Array) return;
    const { separator } = this.readings[c]!.form as SetForm;
    for (let i = 0; i < rows; i++) {
      const text = cellText(cells.words[cells.codes[i]!]!);
      if (text === null || membersOf(text, separator).size < 2) continue;
      this.#sets.set(c, text);
      return;
    }
  }

  #tallyOf(c: number): ColumnTally {
    const { words } = this.#lists.columns[c]!;
    if (this.kinds[c] !== 'category') return this.#tallies[c]!;
    return tallyWords(words, this.#counts[c]!.counts, hintsOf(this.#chosen.candidates[c]!));
  }

  /** Takes the next rows of a scan of a table. Those of weight 0 are only passed to the sink, as rows not kept. */
  observe(table: Table, chunk: ScannedChunk, scan: Scan): void {
    const parts: Uint32Array[] = [];
    for (const [part, from] of presentParts(chunk)) {
      const kept = this.#observePresent(table, part, scan);
      if (part === chunk) {
        this.#sink.take(chunk, kept);
        return;
      }
      const numbers = kept?.slice() ?? Uint32Array.from({ length: part.rows }, (_, i) => i);
      parts.push(numbers.map((number) => from + number));
    }
    this.#sink.take(chunk, Uint32Array.from(parts.flatMap((part) => [...part])));
  }

  /** @returns the positions of the good rows that are not held out; null: all rows. */
  #observePresent(table: Table, chunk: ScannedChunk, scan: Scan): Uint32Array | null {
    const { rows } = chunk;
    const bad = this.#bad.begin(rows, chunk.damaged);
    chunk.columns.forEach((cells, c) => {
      if (cells instanceof Float64Array) {
        this.#tally(table, chunk, cells, c);
        if (this.kinds[c] === 'number') this.#identities[c]?.observeNumbers(table, chunk, cells, c);
      } else if (hasTerms(this.readings[c]!)) {
        this.#identities[c]?.observeWords(cells, rows);
        if (this.kinds[c] === 'set') this.#findSet(cells, rows, c);
      } else if (!this.#full.has(c)) {
        this.#counts[c]!.add(cells, rows);
        if (this.#lists.columns[c]!.full) {
          this.#full.add(c);
          this.#sink.leaveOut(c);
          scan.skipWords(c);
        }
      }
    });
    const before = this.unlabelled;
    this.#readLabels(table, chunk);
    this.#leaks.observe(chunk, bad);
    this.rows += rows - bad.count - (this.#sink.takesUnlabelled === true ? this.unlabelled - before : 0);
    return bad.count > 0 || this.#holdout !== null ? this.#keptRows(chunk) : null;
  }

  #keptRows({ label, rows }: ScannedChunk): Uint32Array {
    const { split = null, classes } = this.#holdout ?? {};
    return this.#bad.keptRows(rows, split, classes?.of(label!, rows) ?? []);
  }

  #tally(table: Table, chunk: ScannedChunk, cells: Float64Array, c: number): void {
    const tally = this.#tallies[c]!;
    const { kind, form } = this.readings[c]! as { readonly kind: MeasuredKind; readonly form?: CellForm };
    if (form !== undefined) this.#tallyForms(chunk, c);
    const hasWords = typeof form === 'object' && form.levels !== undefined;
    const all = kind !== 'boolean' && !hasWords && areFinite(cells, chunk.rows);
    let there = all ? chunk.rows : 0;
    let trues = 0;
    for (let i = 0; !all && i < chunk.rows; i++) {
      const cell = cells[i]!;
      if (Number.isNaN(cell) || levelOf(cell, mostInstead) >= 0) continue;
      if (Math.abs(cell) !== Infinity) {
        there++;
        if (cell === 1) trues++;
        continue;
      }
      this.#bad.add(i);
      tally.cells++;
      if (cell === refusedNumber) tally.notFinite++;
      else {
        const stray = String(chunk.cell(c, i));
        tally.stray ??= stray;
        if (kind === 'date') this.#dates[c]!.addRefused(stray);
        if (form === undefined && kind === 'number') this.#notations[c]!.add(cellText(stray) ?? stray);
        const counts = this.#strays[c]!;
        if (counts.size < mostStrays || counts.has(stray)) counts.set(stray, (counts.get(stray) ?? 0) + 1);
      }
      if (this.#isFirst(table, chunk.first + i)) {
        const field = this.#chosen.candidates[c]!.name;
        this.fault = { table, row: chunk.first + i, field, kind, form, cell, value: chunk.cell(c, i) };
      }
    }
    tally.cells += there;
    if (kind === 'number') tally.numbers += there;
    else if (kind === 'date') tally.dates += there;
    else {
      tally.trues += trues;
      tally.falses += there - trues;
    }
  }

  #tallyForms({ rows, cell }: ScannedChunk, c: number): void {
    const notations = this.#notations[c]!;
    const { form } = this.readings[c]! as { readonly form: CellForm };
    const { levels = [], missing = [] } = typeof form === 'string' ? {} : form;
    const instead = this.#instead[c]!;
    const keeps = keepsWords(this.#chosen, this.#chosen.candidates[c]!.name);
    for (let i = 0; i < rows; i++) {
      const value = unlessMissing(cell(c, i), this.#chosen.missing, keeps);
      if (typeof form === 'string') {
        this.#dates[c]!.add(value, form);
        continue;
      }
      const text = typeof value === 'string' ? cellText(value) : null;
      if (text === null) continue;
      if (levels.includes(text) || missing.includes(text)) instead.set(text, (instead.get(text) ?? 0) + 1);
      else notations.add(text);
    }
  }

  #readLabels(table: Table, chunk: ScannedChunk): void {
    const { codes, words } = chunk.label!;
    const isMissing = this.#missingLabels.of(words);
    for (let i = 0; i < chunk.rows; i++) {
      if (isMissing[codes[i]!] === 0 || this.#bad.has(i)) continue;
      if (this.#sink.takesUnlabelled !== true) this.#bad.add(i);
      this.unlabelled++;
      const row = chunk.first + i;
      if (this.#isFirst(table, row))
        this.fault = { table, row, field: this.#chosen.label, kind: null, cell: Number.NaN, value: words[codes[i]!] };
    }
    this.#labelCounts.add(chunk.label, chunk.rows);
    if (this.#bad.count > 0)
      for (let i = 0; i < chunk.rows; i++)
        if (this.#bad.has(i)) this.#labelCounts.move(codes[i]!, this.#badLabelCounts);
    if (this.#lists.label.full)
      throw new HalfspaceError('label-classes', 'expected classes; got more than 100,000 different values', {
        source: table.name,
        field: this.#chosen.label,
      });
  }

  /** True if a row lies before the first fault so far. */
  #isFirst(table: Table, row: number): boolean {
    return this.fault === null || (this.fault.table === table && row < this.fault.row);
  }
}
