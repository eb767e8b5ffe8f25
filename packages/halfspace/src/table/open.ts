import { stoppable } from '../data/breathe.ts';
import { UnknownClasses } from '../data/unknown-classes.ts';
import { HalfspaceError } from '../errors.ts';
import type { FeatureOptions } from '../features/feature-options.ts';
import type { TableEncoding, TableFormat } from '../features/table-encoding.ts';
import { classNames } from '../features/table-label.ts';
import { type Carry, carriedColumns } from './carried.ts';
import { checkSameColumns, chooseColumns, labelColumn } from './columns.ts';
import { type FitOptions, fitTables } from './fit.ts';
import { listed } from './listed.ts';
import { TableSource } from './source.ts';
import type { RejectedRow, Table } from './table.ts';
import { weightsOf, weightsOfModel, withWeights } from './weights.ts';
import { WordList } from './words.ts';

export interface OpenTablesOptions {
  readonly format: TableFormat;
  /** True if the first line of text holds the names. Default: as in the model, else guessed from the first lines. */
  readonly header?: boolean | undefined;
  /** Name of the label column. Default: the model's; else label, class, target or y; else the last column. */
  readonly label?: string | undefined;
  /** The positive class, against all others. Default: the larger or later of two; more classes are learned each. */
  readonly positive?: string | undefined;
  /** True: labels that differ only in how they are written are one class. Default false. */
  readonly joinLabels?: boolean | undefined;
  /** `standard` (default): numbers and dates become (x − mean) / deviation; `none`: they stay as they are. */
  readonly scale?: 'none' | 'standard' | undefined;
  /** Options for the features. Default: determined by the cells. */
  readonly features?: FeatureOptions | undefined;
  /** Further words for a missing value. With `encoding`: those of the model. Default: none. */
  readonly missing?: readonly string[] | undefined;
  /** Columns where words such as `NA` are values; true: all. With `encoding`: those of the model. Default: none. */
  readonly notMissing?: true | readonly string[] | undefined;
  /**
   * Name of the column with the weight of each row: how many times it counts. Default: with `encoding` and labels the
   * column of the model's training, if a table has it; else none.
   */
  readonly weight?: string | undefined;
  /** Share of the rows, by seed, that the encoding is not fitted to: the `holdout` and `seed` of `train`. */
  readonly holdout?: FitOptions['holdout'];
  /** Without an encoding: true gives short texts n-grams of characters, on trial. Default false. */
  readonly triesLetters?: FitOptions['triesLetters'];
  /** Encoding of a model to read the tables for. Default: one is fitted. */
  readonly encoding?: TableEncoding | undefined;
  /** With `encoding`: true if rows must have a label; false: labels are not read. Default true. */
  readonly labelsNeeded?: boolean | undefined;
  /** With `encoding`: true delivers rows of classes that it does not have, see `OpenSourceOptions`. Default false. */
  readonly keepsUnknown?: boolean | undefined;
  /** Ends each scan with the error `interrupted`. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each bad row, after the rows before it. Default: the first bad row ends the scan with its error. */
  readonly reject?: ((rejected: RejectedRow) => void) | undefined;
  readonly store?: FitOptions['store'];
  readonly watch?: FitOptions['watch'];
  /** With `encoding`: columns whose cells are delivered beside the examples. Default: none. */
  readonly carry?: Carry | undefined;
}

/**
 * Makes a source of examples of tables with the same columns. Without an encoding it reads all rows now, to fit one.
 * @throws HalfspaceError with the place of the first fault.
 */
export async function openTables(
  tablesGiven: readonly Table[],
  name: string,
  options: OpenTablesOptions,
): Promise<TableSource> {
  const { encoding, reject, carry, signal } = options;
  const given = signal === undefined ? tablesGiven : tablesGiven.map((table) => stoppableTable(table, signal));
  const notes = [...new Set(given.flatMap((table) => table.notes))];
  if (encoding !== undefined) {
    const { label } = knownNames(encoding, options);
    const lists = encoding.columns.map((column) => WordList.of(column.kind === 'category' ? column.levels : []));
    const weights = label === null ? null : weightsOfModel(encoding, options.weight);
    const fitting = given.map((table) => withWeights(fitToModel(table, encoding, label, options, notes), weights));
    return new TableSource({
      name,
      tables: fitting,
      format: options.format,
      carried: carry && { columns: carriedColumns(fitting, carry), take: carry.take },
      encoding,
      label,
      unknown: options.keepsUnknown === true ? new UnknownClasses(classNames(encoding.label).length, name) : undefined,
      lists,
      labelList: WordList.of(encoding.label.classes),
      isForModel: true,
      stored: null,
      notes,
      leaks: [],
      onTrial: [],
      reject,
    });
  }
  // Objects of JSON may lack fields in any row, so files of them may, too.
  if (options.format !== 'json' && options.format !== 'ndjson') checkSameColumns(given);
  const weights = weightsOf(options.weight, options.missing);
  const tables = given.map((table) => withWeights(table, weights));
  const chosen = chooseColumns(tables, options);
  const fit = await fitTables(tables, chosen, {
    ...options,
    header: tables[0]!.header,
    scale: options.scale ?? 'standard',
    crosses: options.features?.crosses ?? [],
    positive: options.positive,
    tolerant: reject !== undefined,
  });
  notes.push(...chosen.notes, ...fit.notes);
  return new TableSource({
    ...fit,
    isForModel: false,
    name,
    tables,
    format: options.format,
    label: chosen.label,
    notes,
    reject,
  });
}

/** The columns that a model needs. */
export interface KnownNames {
  readonly features: readonly string[];
  /** Null: labels are not read. */
  readonly label: string | null;
  /** Those of sets, whose cells may be lists. Default: none. */
  readonly sets?: readonly string[] | undefined;
  /** Further columns, which the model does not need. Default: none. */
  readonly carried?: readonly string[] | undefined;
}

export function knownNames(
  encoding: TableEncoding,
  options: Pick<OpenTablesOptions, 'label' | 'labelsNeeded' | 'carry' | 'weight'>,
): KnownNames {
  const { columns, label } = encoding;
  const isLabelled = options.labelsNeeded !== false;
  const weights = isLabelled ? weightsOfModel(encoding, options.weight) : null;
  return {
    features: columns.map(({ name }) => name),
    sets: columns.filter(({ kind }) => kind === 'set').map(({ name }) => name),
    label: isLabelled ? (options.label ?? label.column) : null,
    carried: [...(options.carry?.names ?? []), ...(weights === null ? [] : [weights.name])],
  };
}

/**
 * Returns a table as a model reads it. Columns may come in any order. Columns that the model does not know are ignored;
 * the cells of absent columns are missing.
 */
function fitToModel(
  table: Table,
  encoding: TableEncoding,
  label: string | null,
  options: OpenTablesOptions,
  notes: string[],
): Table {
  const named = table.header === false ? withoutLabel(table, encoding, label, notes) : table;
  if (label !== null) labelColumn(named, label);
  const names = new Set(named.columns.map((column) => column.name));
  const absent = encoding.columns.map((column) => column.name).filter((column) => !names.has(column));
  if (absent.length === encoding.columns.length) {
    const hint = options.header === undefined && encoding.header === true ? ' (is the first line a header?)' : '';
    throw unknownColumns(table.name, absent, [...names], hint);
  }
  if (absent.length > 0) {
    const { columns, leftOut } = encoding;
    const known = [...columns, ...leftOut].map(({ name }) => name);
    const others = [...names].filter(
      (name) => !known.includes(name) && name !== encoding.label.column && name !== label,
    );
    notes.push(absentNote(table.name, absent, others));
  }
  return named;
}

/**
 * Renames the columns of a table without a header and without the label, which rows to be classified often lack. The
 * columns after the label have moved by one; they get the names that they had in training.
 */
function withoutLabel(table: Table, encoding: TableEncoding, label: string | null, notes: string[]): Table {
  const trained = encoding.columns.length + encoding.leftOut.length + 1;
  const position = /^column(\d+)$/.exec(encoding.label.column)?.[1];
  if (label !== null || position === undefined || table.columns.length !== trained - 1) return table;
  if (Number(position) < trained - 1)
    notes.push(`${table.name} has one column less than in training: taken for the label, ${encoding.label.column}`);
  const columns = table.columns.map((column, c) => ({ ...column, name: `column${c < Number(position) ? c : c + 1}` }));
  return { ...table, columns };
}

/**
 * Returns a note on columns of a model that a table lacks.
 * @param others columns of the table that training did not have.
 */
export function absentNote(source: string, absent: readonly string[], others: readonly string[] = []): string {
  const instead = others.length === 0 ? '' : `; training did not have ${listed(others)}`;
  const whose = absent.length === 1 ? 'its' : 'their';
  return `${source} has no column ${listed(absent)}: ${whose} values count as missing${instead}`;
}

/** Returns the error for a table that has none of a model's columns. */
export function unknownColumns(
  source: string,
  expected: readonly string[],
  found: readonly string[],
  hint = '',
): HalfspaceError {
  return new HalfspaceError(
    'column-unknown',
    `expected the model's columns, ${listed(expected)}; got ${found.length === 0 ? 'none' : listed(found)}${hint}`,
    { source },
  );
}

/** Returns a table whose scans end when the signal asks to stop. */
function stoppableTable(table: Table, signal: AbortSignal): Table {
  return {
    ...table,
    scan(wanted, label, options) {
      const scan = table.scan(wanted, label, options);
      return {
        skipWords: (column) => scan.skipWords(column),
        chunks: () => stoppable(scan.chunks(), signal, table.name),
      };
    },
  };
}
