import { storeOptions } from '../data/input/file-access.ts';
import type { GivenInput } from '../data/input/input.ts';
import { sourcePieces } from '../data/input/pieces.ts';
import { KeptBytes } from '../data/kept-bytes.ts';
import type { Label } from '../data/label.ts';
import type { OpenSourceOptions } from '../data/source.ts';
import { otherKind, type RejectedText } from '../data/text-sources.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { type FeatureOptions, parseFeatureOptions } from '../features/feature-options.ts';
import { optionNames } from '../features/option-names.ts';
import type { MissingCells } from '../features/table-cell.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import type { BytePieces } from './byte-text.ts';
import type { OpenTablesOptions } from './open.ts';
import { characterEncoding, transcoded } from './transcode.ts';
import type { FileCheck } from './unchanged.ts';

/** Returns the class of a row. Called several times for a row, with the same result. */
export type LabelOf<T, L extends Label = Label> = (row: T) => L | null | undefined;

/** Options of sources of tables. */
export interface TableSourceOptions {
  /** Name for messages. */
  readonly name?: string | undefined;
  /**
   * The class that is learned against all others. A comparison, such as `>= 20`, makes two classes of a column of
   * numbers: `>= 20` and `< 20`; the model keeps it, and evaluation reads the numbers alike. Default: the
   * larger or later of two; of more, all are learned.
   */
  readonly positive?: Label | undefined;
  /**
   * True: labels that differ only in letter case, in the notation of a number or in a dot at the end are one class,
   * with the most frequent text as its name. Default false: they are different classes, which a note says.
   */
  readonly joinLabels?: boolean | undefined;
  /**
   * `standard`: numbers and dates become (x − mean) / deviation; `none`: they stay as they are. Default: `none` for
   * trees, for lectures, and with the option `scaling` of `train`; else `standard`.
   */
  readonly scale?: 'none' | 'standard' | undefined;
  /** Options for the features. Default: determined by the cells. */
  readonly features?: FeatureOptions | undefined;
  /**
   * Further words for a missing value, such as `-` or `n/a`, besides empty cells, `?`, `NA`, `N/A`, `null` and `NULL`.
   * They are compared exactly, upper and lower case apart; surrounding blanks are ignored. `none`: only empty cells are
   * missing, and `NA` is a value; an object says so of its columns, the label included: `{ country: 'none' }`. The
   * model keeps all this. Default: none; for a model, those of its training.
   */
  readonly missing?: readonly string[] | 'none' | Readonly<Record<string, 'none'>> | undefined;
  /**
   * Name of the column with the weight of each row, a finite number from 0: how many times the row counts, 0 as if it
   * was absent. It is no feature. Default: none; for a model, that of its training, if it is there.
   */
  readonly weight?: string | undefined;
}

export const tableOptionNames = optionNames<TableSourceOptions>()(
  'name positive joinLabels scale features missing weight',
);

/** @throws HalfspaceError `option-invalid`. */
export function checkTableOptions(
  label: unknown,
  { scale, features, positive, missing, weight, joinLabels }: TableSourceOptions,
): void {
  if (label !== undefined && typeof label !== 'string' && typeof label !== 'function')
    throw new HalfspaceError('option-invalid', `label must be a name or a function; got ${quote(label)}`);
  if (positive !== undefined && !['string', 'number', 'boolean', 'bigint'].includes(typeof positive))
    throw new HalfspaceError('option-invalid', `positive must be the name of a class; got ${quote(positive)}`);
  checkChoice('joinLabels', joinLabels, [true, false]);
  checkChoice('scale', scale, ['none', 'standard']);
  if (missing !== undefined && missing !== 'none' && !areWords(missing) && !areColumns(missing))
    throw new HalfspaceError(
      'option-invalid',
      `missing must be a list of words, none, or an object with none for some columns; got ${quote(missing)}`,
    );
  if (weight !== undefined && typeof weight !== 'string')
    throw new HalfspaceError('option-invalid', `weight must be the name of a column; got ${quote(weight)}`);
  parsedFeatures(features);
}

function areWords(missing: unknown): missing is readonly string[] {
  return Array.isArray(missing) && missing.every((word) => typeof word === 'string' && word.trim() !== '');
}

function areColumns(missing: unknown): missing is Readonly<Record<string, 'none'>> {
  if (typeof missing !== 'object' || missing === null || Array.isArray(missing)) return false;
  return Object.values(missing).every((each) => each === 'none');
}

/** Returns the option in the form of an encoding. */
function missingCells(missing: TableSourceOptions['missing']): MissingCells {
  if (missing === undefined) return {};
  if (missing === 'none') return { notMissing: true };
  return areWords(missing) ? { missing } : { notMissing: Object.keys(missing) };
}

/** @throws HalfspaceError `option-invalid` if a value is neither undefined nor one of `values`. */
export function checkChoice(name: string, value: unknown, values: readonly unknown[]): void {
  if (value !== undefined && !values.includes(value))
    throw new HalfspaceError('option-invalid', `${name} must be ${values.join(' or ')}; got ${quote(value)}`);
}

/** Returns the options of {@link OpenTablesOptions} that the options of a source and of a run give. */
export function openingOptions(
  { positive, joinLabels, scale, features, missing, weight }: TableSourceOptions,
  { holdout, scale: scaleOfRun, keepsUnknown, signal, triesLetters }: OpenSourceOptions,
): Pick<
  OpenTablesOptions,
  | 'positive'
  | 'joinLabels'
  | 'scale'
  | 'features'
  | 'missing'
  | 'notMissing'
  | 'weight'
  | 'holdout'
  | 'keepsUnknown'
  | 'signal'
  | 'triesLetters'
> {
  return {
    positive: positive === undefined ? undefined : String(positive),
    ...{ joinLabels, scale: scale ?? scaleOfRun, features: parsedFeatures(features), weight, holdout },
    ...{ keepsUnknown, signal, triesLetters },
    ...missingCells(missing),
  };
}

/** Completes options of columns: an option that belongs to one kind selects that kind. */
function parsedFeatures(features: FeatureOptions | undefined): FeatureOptions | undefined {
  const columns = features?.columns;
  if (typeof columns !== 'object' || columns === null) return features && parseFeatureOptions(features);
  // A column that is undefined counts as absent.
  const given = Object.entries(columns).filter(([, options]) => options !== undefined);
  return parseFeatureOptions({ ...features, columns: Object.fromEntries(given) });
}

/** Returns the encoding of a model that a table is read for. @throws HalfspaceError `row-malformed` for another one. */
export function tableEncoding({ encoding }: OpenSourceOptions, source: string): TableEncoding | undefined {
  if (encoding === undefined || encoding.kind === 'table') return encoding;
  throw otherKind(encoding, 'a table', source);
}

/** @throws HalfspaceError `option-invalid` for a column of weights beside a model of bags of features. */
export function refuseWeight(weight: string | undefined): void {
  if (weight === undefined) return;
  throw new HalfspaceError(
    'option-invalid',
    `weight names a column of a table; got ${quote(weight)} for a model of bags of features`,
  );
}

/** The text of a table, which is read several times. */
interface TableText extends FileCheck {
  /** Yields the text in UTF-8. */
  open(): BytePieces;
  /** Returns notes on how the text is decoded; complete when its beginning was read. */
  notes(): readonly string[];
}

/** Options of sources of tables in text. */
export interface TextTableSourceOptions {
  /**
   * Character encoding of the text, by any name of the Encoding standard: `latin1` (the same as `windows-1252`),
   * `utf-16le`, `shift_jis`, …. Default: UTF-8, or what a byte order mark or the bytes show, which a note says.
   */
  readonly encoding?: string | undefined;
}

/** Options of the form of delimited text. The model keeps none of them, so reading for a model needs them again. */
export interface DelimitedOptions {
  /**
   * The characters between two cells, such as `;` or `::`; a blank: any number of blanks and tabs. Default: guessed
   * from the first lines.
   */
  readonly delimiter?: string | undefined;
  /** The character that encloses cells; `none`: quotes are ordinary characters. Default: guessed. */
  readonly quote?: string | undefined;
  /**
   * Beginning of lines that are left out; `none`: all lines are read. Default: `#`, `%` or `//`, if such lines have
   * other cells than the rows.
   */
  readonly comment?: string | undefined;
  /** Number of lines to leave out at the beginning. Default: those of a title above the names. */
  readonly skipLines?: number | undefined;
}

export const delimitedOptionNames = optionNames<DelimitedOptions>()('delimiter quote comment skipLines');

/** Opens the text of a table. A stream, or a text that is fetched, is kept: the beginning in memory, then in a file. */
export async function openTableText(
  input: GivenInput,
  encoding: string | undefined,
  signal: AbortSignal | undefined,
): Promise<TableText> {
  const { name } = input;
  const notes = new Set<string>();
  const options = {
    encoding: characterEncoding(encoding),
    onFound: (note: string) => notes.add(note),
  };
  const opened = await input.open(signal);
  const pieces = () => sourcePieces(opened.bytes);
  const more = { check: opened.check, notes: () => [...notes] };
  if (opened.isKept) return { ...more, open: () => transcoded(pieces(), name, options) };
  const kept = new KeptBytes((await storeOptions()).spill, name);
  for await (const piece of transcoded(pieces(), name, options))
    for (let at = 0; at < piece.length; at += pieceBytes) kept.append(piece.subarray(at, at + pieceBytes));
  return { ...more, open: () => inTurn(kept.pieces()) };
}

/** Largest number of bytes whose rows are in memory together. */
const pieceBytes = 128 * 1024;

async function* inTurn<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** Returns `reject` of {@link OpenTablesOptions}. */
export function rejecting(onReject: ((rejected: RejectedText) => void) | undefined): OpenTablesOptions['reject'] {
  return onReject === undefined ? undefined : ({ error, text }) => onReject({ error, text });
}

/** Returns the file format that the end of a name says: `tsv` for .tsv and .tab, before .gz, .zst and .zip. */
export function formatOfName(name: string): 'csv' | 'tsv' {
  return /\.(tsv|tab)(\.(gz|zst|zip))?$/i.test(name) ? 'tsv' : 'csv';
}
