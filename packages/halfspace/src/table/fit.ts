import { type LabelType, LabelTypes } from '../data/label.ts';
import type { HeldOutRows } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import { blanksNote, similarNote } from '../features/class-names.ts';
import type { FeatureOptions } from '../features/feature-options.ts';
import { TableFitter } from '../features/fit-table.ts';
import type { ColumnCells, WordCells } from '../features/table-chunk.ts';
import {
  type ColumnKind,
  hasTerms,
  type LeftOutReason,
  type TableEncoding,
  type TableFormat,
  type TableLabel,
} from '../features/table-encoding.ts';
import { chooseClasses, labelNumber, quantityNote, unknownClass } from '../features/table-label.ts';
import { isFew } from '../features/text/likeness.ts';
import type { ColumnWatch } from './column-watch.ts';
import { type ChosenColumns, hintsOf, labelColumn, wantedColumns, wantedLabel } from './columns.ts';
import { exactNaming, type LabelNaming, tableHoldout } from './held-out-rows.ts';
import { areOpenDates, type ColumnTally, chooseReading, isSameReading, type ReadAs, tallyWords } from './kinds.ts';
import { type Leak, leakNotes } from './leaks.ts';
import { columnFlag, listed, listedClasses, listedLeftOut, shellWord } from './listed.ts';
import { faultError, type Revised, type RowSink, TableReading, type WordLists } from './reading.ts';
import type { ScannedChunk, Table } from './table.ts';
import { presentParts } from './weights.ts';
import { WordCounts, WordList } from './words.ts';

/** Maximum numbers of rows, cells and files of the sample. */
const sampledRows = 2048;
const sampledCells = 200_000;
const sampledFiles = 4;
/** Numbers of sampled rows of a wide and of a very wide table: the words of all columns are in memory together. */
const fewRows = 100;
const fewestRows = 20;
const mostSampledCells = 1_000_000;
/** Maximum number of scans when cells do not fit the guessed kinds. */
const mostGuesses = 4;

interface ReadTablesOptions extends LabelNaming {
  /** True: skip bad rows. */
  readonly tolerant: boolean;
  /** Share of the rows of each class, drawn by seed, that are held out from the sink. Default: none. */
  readonly holdout?: HeldOutRows | undefined;
}

/** All rows of tables, read as columns of the right kinds. */
interface ReadTables<S extends RowSink> {
  readonly reading: TableReading;
  readonly lists: WordLists;
  /** The sink that received the rows of the last scan. */
  readonly sink: S;
}

/**
 * Reads tables as columns of kinds that fit their cells. Guesses the kinds from a sample of the first rows, and
 * checks the guess in one scan of all rows; a wrong guess costs another scan.
 *
 * @param begin makes a sink for the rows of a scan of columns that are read so.
 */
export async function readTables<S extends RowSink>(
  tables: readonly Table[],
  chosen: ChosenColumns,
  { tolerant, holdout, ...given }: ReadTablesOptions,
  begin: (readings: readonly ReadAs[]) => S,
): Promise<ReadTables<S>> {
  const { candidates } = chosen;
  const lists = { columns: candidates.map(() => new WordList()), label: new WordList() };
  const sample = await sampleTables(tables, chosen, lists);
  let guesses: readonly Revised[] = candidates.map(({ kind, isText }, c) => {
    const readAs = chooseReading(sample[c]!, kind, isText);
    // The words of text are not counted. So if the sample has few of them, all cells decide, read as a category.
    const isFewText = readAs.kind === 'text' && isFew(sample[c]!);
    const isOpen = kind === null && (isFewText || areOpenDates(sample[c]!, readAs));
    return { readAs: isOpen ? { kind: 'category' } : readAs, isFinal: false };
  });
  // Columns of numbers do not need the words of the sample.
  guesses.forEach(({ readAs }, c) => {
    if (readAs.kind === 'number') lists.columns[c] = new WordList();
  });
  let naming: LabelNaming = given;
  for (let guess = 1; ; guess++) {
    const sink = begin(guesses.map(({ readAs }) => readAs));
    let isRight = false;
    try {
      const held = tableHoldout(holdout, naming);
      const reading = new TableReading(tables, chosen, guesses, lists, sample, sink, held);
      await reading.run(tolerant);
      const revised = guesses.map((_, c) => reading.revised(c));
      const exact = held === null ? naming : exactNaming(naming, reading.labelCounts());
      const isLast =
        exact.positive === naming.positive &&
        (guess >= mostGuesses || revised.every(({ readAs }, c) => isSameReading(readAs, guesses[c]!.readAs)));
      naming = exact;
      if (isLast) reading.checkOrders();
      isRight = isLast;
      if (isRight) return { reading, lists, sink };
      guesses = revised;
    } finally {
      if (!isRight) sink.close();
    }
  }
}

/** Returns the tallies of the first rows. */
async function sampleTables(tables: readonly Table[], chosen: ChosenColumns, lists: WordLists): Promise<ColumnTally[]> {
  const { candidates, label } = chosen;
  const counts = candidates.map(() => new WordCounts());
  const names = candidates.map(({ name }) => name);
  const width = Math.max(1, names.length);
  const few = Math.max(fewestRows, Math.min(fewRows, Math.floor(mostSampledCells / width)));
  const limit = Math.max(few, Math.min(sampledRows, Math.floor(sampledCells / width)));
  for (const table of tables.slice(0, sampledFiles)) {
    const wanted = wantedColumns(table, names, () => ({ kind: 'category' }), lists.columns, chosen);
    const scan = table.scan(wanted, wantedLabel(table, label, lists.label, chosen), { tolerant: true, limit });
    for await (const chunk of scan.chunks())
      for (const [{ columns, rows }] of presentParts(chunk))
        columns.forEach((cells, c) => {
          counts[c]!.add(cells, rows);
        });
  }
  return lists.columns.map(({ words }, c) => tallyWords(words, counts[c]!.counts, hintsOf(candidates[c]!)));
}

export interface FitOptions extends ReadTablesOptions {
  readonly format: TableFormat;
  readonly header: boolean | null;
  readonly scale: 'none' | 'standard';
  /** Columns to cross. */
  readonly crosses: NonNullable<FeatureOptions['crosses']>;
  /** True gives short texts n-grams of characters, on trial. Default false. */
  readonly triesLetters?: boolean | undefined;
  /** Called for each scan, to watch its rows. */
  readonly watch?:
    | ((names: readonly string[], readings: readonly ReadAs[]) => Pick<ColumnWatch, 'observe' | 'counts'>)
    | undefined;
  /** Makes a store for the rows, so that they need not be read again. Default: they are read again. */
  readonly store?: ((isText: readonly boolean[]) => RowStore) | undefined;
}

/** Rows that wait until their encoding is known. */
export interface StoredRows {
  readonly rows: number;
  readonly columns: readonly (ColumnCells | null)[];
  readonly label: WordCells;
  /** Weights of the rows; null or absent: each row counts once. */
  readonly weights?: Float64Array | null;
}

/** Keeps a copy of rows. */
export interface RowStore {
  append(rows: Omit<StoredRows, 'weights'>): void;
  /** Returns the rows in order, with the columns at these positions. Arrays are valid until the next chunk. */
  chunks(columns: readonly number[], lists: readonly WordList[], labels: WordList): Iterable<StoredRows>;
  close(): void;
}

export interface FitResult {
  readonly encoding: TableEncoding;
  /** The words of each column of the encoding, and of the label. */
  readonly lists: readonly WordList[];
  readonly labelList: WordList;
  /** The type of the labels. Undefined: text. */
  readonly labelType?: LabelType | undefined;
  /** The rows as they were read; null: they must be read again. */
  readonly stored: { chunks(): Iterable<StoredRows>; close(): void } | null;
  readonly notes: readonly string[];
  /** Columns of the encoding that may be leaks. */
  readonly leaks: readonly Leak[];
  /** Names of the columns whose n-grams of characters are on trial. */
  readonly onTrial: readonly string[];
}

/** Fits an encoding to rows, and keeps a copy of them. */
class FittingSink implements RowSink {
  readonly fitter: TableFitter;
  readonly store: RowStore | null;
  readonly watch: Pick<ColumnWatch, 'observe' | 'counts'> | undefined;

  /** True if the cells are counted: the user looks at the columns, also if they cannot be learned from. */
  get takesUnlabelled(): boolean {
    return this.watch?.counts === true;
  }

  constructor(
    { candidates, isWeighted = false }: ChosenColumns,
    readings: readonly ReadAs[],
    { crosses, tolerant, store, watch, triesLetters }: FitOptions,
  ) {
    const columns = candidates.map(({ name, options }, c) => ({ name, ...readings[c]!, options }));
    this.fitter = new TableFitter(columns, { crosses, triesLetters });
    this.watch = watch?.(
      candidates.map(({ name }) => name),
      readings,
    );
    // If there are bad rows, the rows must be read again, because each bad row is reported at its place.
    this.store =
      tolerant || store === undefined ? null : store([...readings.map(hasTerms), ...(isWeighted ? [false] : [])]);
  }

  take(chunk: ScannedChunk, kept: Uint32Array | null): void {
    const { rows, columns, label, weights } = chunk;
    this.fitter.observe(kept === null ? { rows, columns } : { rows: kept.length, numbers: kept, columns });
    this.watch?.observe(chunk, kept);
    this.store?.append({ rows, columns: weights == null ? columns : [...columns, weights], label: label! });
  }

  leaveOut(column: number): void {
    this.fitter.leaveOut(column);
  }

  close(): void {
    this.store?.close();
  }
}

/**
 * Fits an encoding to tables.
 * @throws HalfspaceError for the first bad row (unless tolerant), `source-empty`, `label-classes`.
 */
export async function fitTables(
  tables: readonly Table[],
  chosen: ChosenColumns,
  options: FitOptions,
): Promise<FitResult> {
  const source = tables[0]!.name;
  const { reading, lists, sink } = await readTables(
    tables,
    chosen,
    options,
    (readings) => new FittingSink(chosen, readings, options),
  );
  try {
    const result = fitResult(tables, chosen, options, { reading, lists, sink });
    const { columns, leftOut } = result.encoding;
    if (columns.length > 0 || sink.takesUnlabelled) return result;
    const alone = `only labels${isDelimited(options.format) ? separatorHint(lists.label.words) : ''}`;
    const got = leftOut.length === 0 ? alone : leftOutText(leftOut, chosen.candidates, reading.kinds);
    throw new HalfspaceError('source-empty', `expected a column to learn from; got ${got}`, { source });
  } catch (error) {
    sink.close();
    throw error;
  }
}

/** Says what may separate the cells of lines that were read as one cell each. */
function separatorHint(words: readonly (string | null)[]): string {
  const lines = words.filter((word) => word !== null);
  const counts = (mark: string) => new Set(lines.map((line) => line.split(mark).length));
  const marks = [...new Set(lines[0]?.match(/[^\p{L}\p{N}\p{M}.+-]/gu))];
  const found = marks.find((mark) => counts(mark).size === 1);
  const flag = found === undefined ? '--delimiter' : `--delimiter ${shellWord(found)}`;
  return `; delimiter${found === undefined ? '' : `: ${JSON.stringify(found)}`} says what separates the cells (${flag} of the command)`;
}

const isDelimited = (format: TableFormat) => format === 'csv' || format === 'tsv';

/** Returns the result of {@link fitTables} for rows that were read. @throws HalfspaceError as {@link fitTables}. */
function fitResult(
  tables: readonly Table[],
  { label, isGuessed, candidates, leftOut, missing, notMissing, isWeighted = false }: ChosenColumns,
  { format, header, scale, positive, joinLabels, tolerant }: FitOptions,
  { reading, lists, sink }: ReadTables<FittingSink>,
): FitResult {
  const source = tables[0]!.name;
  const { fault, rows } = reading;
  const refusals: string[] = [];
  /** Throws what stops learning, or keeps it for who only looks at the columns. */
  const refuse = (error: unknown) => {
    if (!sink.takesUnlabelled || !(error instanceof HalfspaceError)) throw error;
    refusals.push(`train stops here: ${error.message}`);
  };
  if (fault !== null && (!tolerant || rows === 0)) refuse(faultError(fault, format, reading));
  else if (rows === 0) throw new HalfspaceError('source-empty', 'expected rows; got none', { source });
  const skipped = reading.badLabelCounts();
  const identities = reading.identities();
  for (const { column, reason, isSpare } of identities) sink.fitter.leaveOut(column, reason, isSpare);
  let classes: TableLabel = { column: label, type: 'text', classes: [], positive: null, negative: null };
  try {
    classes = at(source, () => chooseClasses(label, reading.labelCounts(), positive, joinLabels), skipped);
  } catch (error) {
    refuse(isGuessed ? withOtherLabel(error, candidates, lists.columns) : error);
  }
  const encoding = at(source, () =>
    sink.fitter.encoding({
      format,
      header,
      scale,
      ...(missing === undefined ? {} : { missing }),
      ...(notMissing === undefined ? {} : { notMissing }),
      label: classes,
      leftOut,
    }),
  );
  const positions = new Map(candidates.map(({ name }, c) => [name, c]));
  const used = encoding.columns.map(({ name }) => positions.get(name)!);
  const usedLists = used.map((c) => lists.columns[c]!);
  const usedNames = new Set(encoding.columns.map(({ name }) => name));
  const notes = [...refusals, ...reading.notes((name) => usedNames.has(name))];
  if (encoding.leftOut.length > 0) notes.push(`left out: ${leftOutText(encoding.leftOut, candidates, reading.kinds)}`);
  const leaks = reading.leaks((name) => usedNames.has(name));
  notes.push(...leakNotes(leaks));
  const quantity = quantityNote(encoding.label, reading.labelCounts());
  if (quantity !== null) notes.push(quantity);
  if (encoding.label.threshold === undefined)
    for (const note of [similarNote(encoding.label.classes, reading.labelCounts()), blanksNote(lists.label.words)])
      if (note !== null) notes.push(note);
  const gone = skippedClasses([...skipped].filter(([text]) => labelNumber(classes, text) === unknownClass));
  if (gone !== null) notes.push(`${gone}: the model does not know ${skipped.size === 1 ? 'it' : 'them'}`);
  const { store } = sink;
  return {
    encoding,
    lists: usedLists,
    labelList: lists.label,
    labelType: labelTypeOf(tables, encoding.label),
    stored: store && {
      chunks: () =>
        isWeighted
          ? weightedRows(store.chunks([...used, candidates.length], [...usedLists, new WordList()], lists.label))
          : store.chunks(used, usedLists, lists.label),
      close: () => store.close(),
    },
    notes,
    leaks,
    onTrial: sink.fitter.onTrial.filter((name) => usedNames.has(name)),
  };
}

/** Maximum number of classes of a column that a message names as the label. */
const mostClassesNamed = 20;

/** Adds to the refusal of a guessed label the column that has the fewest classes. */
function withOtherLabel(error: unknown, candidates: ChosenColumns['candidates'], lists: readonly WordList[]): unknown {
  if (!(error instanceof HalfspaceError) || error.code !== 'label-classes') return error;
  const classes = lists.map(({ words }) => words.length - 1);
  const fewest = Math.min(...classes.filter((count) => count >= 2));
  if (fewest > mostClassesNamed) return error;
  const { name } = candidates[classes.indexOf(fewest)]!;
  const hint = `column ${name} has ${fewest} classes; label: ${JSON.stringify(name)} takes it (--label ${shellWord(name)} of the command)`;
  return new HalfspaceError(error.code, `${error.message}; ${hint}`, error.where);
}

/** Takes the last column of stored rows for their weights. */
function* weightedRows(chunks: Iterable<StoredRows>): Generator<StoredRows> {
  for (const { rows, columns, label } of chunks)
    yield { rows, columns: columns.slice(0, -1), label, weights: columns.at(-1) as Float64Array };
}

function labelTypeOf(
  tables: readonly Table[],
  { column: name, classes }: TableEncoding['label'],
): LabelType | undefined {
  const types = new LabelTypes();
  for (const table of tables)
    for (const type of table.valueTypes?.(labelColumn(table, name)) ?? ['string']) types.add(type);
  return types.of(classes);
}

/** Lists columns that were left out, and says how a user keeps the first one that looks like an identifier. */
function leftOutText(
  leftOut: FitResult['encoding']['leftOut'],
  candidates: ChosenColumns['candidates'],
  kinds: readonly ColumnKind[],
): string {
  const reasons = new Map(leftOut.map(({ name, reason }) => [name, reason]));
  const first = candidates.findIndex(({ name }, c) => keptByKind(reasons.get(name), kinds[c]!));
  const keeping =
    first < 0
      ? ''
      : `; to keep ${listed([candidates[first]!.name])}, name its kind (${columnFlag(candidates[first]!.name, kinds[first]!)})`;
  return `${listedLeftOut(leftOut)}${keeping}`;
}

/** Tests if naming its kind keeps a column that was left out. */
function keptByKind(reason: LeftOutReason | undefined, kind: ColumnKind): boolean {
  return reason === 'identifier' || reason === 'running-number' || (reason === 'all-different' && kind === 'category');
}

/** Tells that all rows of some classes were skipped; null: of none. @param rows number of rows of each of them. */
function skippedClasses(rows: Iterable<readonly [name: string, rows: number]>): string | null {
  const few = listedClasses(rows);
  return few && `every row of the ${few} was bad and is skipped`;
}

/** Runs a function, and adds the source to its errors. @param skipped labels of skipped rows only. Default: none. */
function at<T>(source: string, run: () => T, skipped: Iterable<readonly [string, number]> = []): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof HalfspaceError) || error.where.source !== undefined) throw error;
    const gone = skippedClasses(skipped);
    throw new HalfspaceError(error.code, gone === null ? error.message : `${error.message}; ${gone}`, { source });
  }
}
