import { type GivenInput, givenInput, type TextInput } from '../data/input/input.ts';
import type { Label } from '../data/label.ts';
import type { ExampleSource, OpenSourceOptions, RawExample, Source } from '../data/source.ts';
import type { RejectedText } from '../data/text-sources.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import { freeName, withDerivedLabel } from './derived-label.ts';
import { givenDialect } from './dialect.ts';
import { readHead } from './head.ts';
import { openTables } from './open.ts';
import { rawTaker } from './raw-rows.ts';
import type { Row } from './row-scan.ts';
import {
  checkChoice,
  checkTableOptions,
  type DelimitedOptions,
  delimitedOptionNames,
  formatOfName,
  type LabelOf,
  openingOptions,
  openTableText,
  rejecting,
  type TableSourceOptions,
  type TextTableSourceOptions,
  tableEncoding,
  tableOptionNames,
} from './source-options.ts';
import type { Table } from './table.ts';
import { openTextTable, type TextTable } from './text-table.ts';
import { characterEncoding } from './transcode.ts';
import { unchanged } from './unchanged.ts';

/** The cells of a row by column, as they are in the text; an empty cell is ''. */
export type CsvRow = Readonly<Record<string, string>>;

/** Options of {@link csv}. */
export interface CsvOptions extends TableSourceOptions, TextTableSourceOptions, DelimitedOptions {
  /**
   * Name of the column to predict, or a function that returns the class of a row. The columns that a function reads
   * stay features, unless `features` drops them. The model knows the result of a function as a column `label`. Default:
   * the model's column; else label, class, target or y; else the last column, which a note says.
   */
  readonly label?: string | LabelOf<CsvRow> | undefined;
  /** True if the first line holds the names. Default: as in the model, else guessed from the first lines. */
  readonly header?: boolean | undefined;
  /** `csv`: the delimiter is guessed from the first lines; `tsv`: it is the tab. Default: by the name, else `csv`. */
  readonly format?: 'csv' | 'tsv' | undefined;
  /** Called for every bad row, which is then skipped. Default: the first bad row ends the reading with its error. */
  readonly onReject?: ((rejected: RejectedText) => void) | undefined;
}

const csvOptionNames = [
  ...tableOptionNames,
  ...delimitedOptionNames,
  ...optionNames<Omit<CsvOptions, keyof TableSourceOptions | keyof DelimitedOptions>>()(
    'label header format encoding onReject',
  ),
];

/**
 * Makes a source from delimited text. The same text and options give the same model file as the command
 * `halfspace train`. Without a model, all rows are read to fit an encoding, and then again. A copy of a stream, and
 * of what is fetched, is kept meanwhile: its beginning in memory, then in a temporary file where there are files.
 *
 * @example
 * const { model } = await train(csv('mails.csv', { label: 'spam' }));
 *
 * @throws HalfspaceError `option-invalid`. Opening and reading it throw, with the place of the first fault:
 *   `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`, `number-invalid`, `label-missing`,
 *   `label-classes`, `column-unknown`.
 */
export function csv<L extends Label>(
  input: TextInput,
  options: CsvOptions & { readonly label: LabelOf<CsvRow, L> },
): Source<L>;
export function csv(input: TextInput, options?: CsvOptions): Source<string>;
export function csv(input: TextInput, options: CsvOptions = {}): Source {
  checkOptionNames(options, csvOptionNames, 'csv');
  const { label, header, format } = options;
  checkTableOptions(label, options);
  checkChoice('header', header, [true, false]);
  checkChoice('format', format, ['csv', 'tsv']);
  characterEncoding(options.encoding);
  givenDialect(options);
  const given = givenInput(input, options.name);
  return {
    name: given.name,
    open: (run) => openCsv(given, options, run),
    raw: (known, signal) => rawCsv(given, options, known, signal),
  };
}

async function* rawCsv(
  input: GivenInput,
  options: CsvOptions,
  known: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RawExample> {
  const { name } = input;
  const { label, header, format = formatOfName(name), onReject } = options;
  const take = rawTaker(name, label, options, known);
  const text = await openTableText(input, options.encoding, signal);
  const head = await readHead(text.open(), name, true);
  const table = await openTextTable(name, head, text.open, {
    tabs: format === 'tsv',
    header,
    given: givenDialect(options),
  });
  const names = namesOf(table);
  let row = 0;
  for await (const rows of table.rows(onReject !== undefined))
    for (const { cells, rejected } of rows) {
      row++;
      if (rejected === null) yield take(Object.fromEntries(names.map((each, c) => [each, cells[c]])), row);
      else if (onReject === undefined) throw rejected().error;
      else onReject(rejected());
    }
}

async function openCsv(input: GivenInput, options: CsvOptions, run: OpenSourceOptions): Promise<ExampleSource> {
  const { name } = input;
  const { label, header, format = formatOfName(name) } = options;
  const encoding = tableEncoding(run, name);
  const text = await openTableText(input, options.encoding, run.signal);
  const known = header ?? encoding?.header ?? undefined;
  const head = await readHead(text.open(), name, true);
  const table = await openTextTable(name, head, text.open, {
    ...{ tabs: format === 'tsv', header: known, encoding },
    given: givenDialect(options),
  });
  const labelName = typeof label === 'function' ? (encoding?.label.column ?? freeName(new Set(namesOf(table)))) : label;
  const labelled = typeof label === 'function' ? withDerivedLabel(table, labelName!, labelOfRows(table, label)) : table;
  return openTables([unchanged({ ...labelled, notes: [...text.notes(), ...labelled.notes] }, text)], name, {
    ...openingOptions(options, run),
    format,
    header,
    label: labelName,
    encoding,
    reject: rejecting(options.onReject),
  });
}

function namesOf({ columns }: Table): string[] {
  return columns.map(({ name }) => name);
}

/** Returns a function that labels the cells of a row of text. */
function labelOfRows(table: TextTable, label: LabelOf<CsvRow>): LabelOf<Row> {
  const names = namesOf(table);
  return ({ cells }) => label(Object.fromEntries(names.map((name, c) => [name, cells[c] ?? ''])));
}
