import type { Label, Model } from 'halfspace';
import { quote } from 'halfspace/checks';
import { labelValue } from 'halfspace/models';
import { csvCell, missingWords, type SourceColumn } from 'halfspace/tables';
import type { CarriedRows, Input } from '../data/opened.ts';
import { type Format, formatOfName, isTable } from '../files/formats.ts';
import { predictionTableOf, refuseToReplace } from '../files/output-kinds.ts';
import type { CommandOptions } from '../options.ts';
import { usage } from '../usage.ts';
import { cellOf } from '../words.ts';
import { type ExplainedScore, explanationCells, explanationJson, explanationNames } from './explanations.ts';

type PredictionFormat = 'csv' | 'tsv' | 'ndjson';

/** Returns the format of a table that an output's name asks for; null: its name asks for lines. */
export function formatOfOutput(path: string | undefined): PredictionFormat | null {
  const format = path === undefined ? null : formatOfName(path);
  if (format === null || !isTable(format)) return null;
  const isPacked = /\.(gz|zst|zip|arff)$/i.test(path!);
  if (!isPacked && (format === 'csv' || format === 'tsv' || format === 'ndjson')) return format;
  const instead = format === 'json' || format === 'parquet' ? 'ndjson' : format;
  throw usage(
    `--output writes tables as .csv, .tsv or .ndjson, not compressed; got ${path}: write .${instead}, and convert it afterwards`,
  );
}

/** The columns of a prediction, and how they become text. */
export interface PredictionTable {
  /** The line with the names; empty for NDJSON. */
  readonly header: string;
  /**
   * Returns the line of row i of the carried rows.
   * @param given position of the class; -1: no class.
   * @param numbers of the row, as text.
   * @param explanation of the score, if one was asked for.
   */
  line(
    carried: CarriedRows | null,
    i: number,
    given: number,
    numbers: readonly string[],
    explanation?: ExplainedScore | null,
  ): string;
  /** The line of a skipped row; empty if columns of DATA, which are not known of such a row, stand in each line. */
  readonly skipped: string;
}

/** Returns the names of the columns of a prediction: the class, then a number for each score or probability. */
function predictionNames(
  { classes }: Model,
  outputs: number,
  { scores, probabilities, prefix = '' }: CommandOptions<'predict'>,
): string[] {
  const each = (what: string) => classes.map((name) => `${prefix}${what}_${name}`);
  const numbers =
    probabilities === true
      ? each('probability')
      : scores !== true
        ? []
        : outputs === 1
          ? [`${prefix}score`]
          : each('score');
  return [`${prefix}prediction`, ...numbers];
}

/**
 * Returns the table that the options ask for. Its format follows from the name of the output, else from DATA.
 *
 * @param outputs number of scores of a row.
 * @throws HalfspaceError `option-invalid` for options that do not fit to DATA; `write-failed` for an output at the
 *   place of a file of another kind.
 */
export function tableFor(
  model: Model,
  outputs: number,
  input: Input,
  options: CommandOptions<'predict'>,
): PredictionTable {
  const { id, withInput, output } = options;
  const format = checkedFormat(formatOfOutput(output), input.format, options);
  const isText = input.format === 'vw' || input.format === 'libsvm';
  const tag: SourceColumn[] = id === undefined ? [] : [{ name: id, type: 'text', position: 0 }];
  const columns = isText ? tag : (input.carried ?? []);
  const names = predictionNames(model, outputs, options);
  const { explain = 0, prefix = '' } = options;
  const own = explain === 0 ? names : [...names, `${prefix}explanation`, ...explanationNames(explain, prefix)];
  const clash = columns.find(({ name }) => own.includes(name));
  if (clash !== undefined) throw clashOf(clash.name);
  if (output !== undefined) refuseToReplace(output, predictionTableOf(format, names[0]!));
  const { features, classes } = model;
  const known = features.kind === 'table' ? features.columns : [];
  return predictionTable({
    format,
    classes,
    labels: classes.map((name) => labelValue(name, model.labelType)),
    names,
    carried: withInput === true && isJson(input.format) ? null : columns,
    explained: options.explain ?? 0,
    prefix: options.prefix ?? '',
    isTyped: isJson(input.format),
    numbers: new Set(known.filter(({ kind }) => kind === 'number').map(({ name }) => name)),
  });
}

/** Tests if rows are objects with fields of their own. */
export const isJson = (format: Format | 'sql') => format === 'json' || format === 'ndjson';

function checkedFormat(
  format: PredictionFormat | null,
  input: Format | 'sql',
  { id, withInput }: CommandOptions<'predict'>,
): PredictionFormat {
  const chosen = format ?? (isJson(input) ? 'ndjson' : input === 'tsv' ? 'tsv' : 'csv');
  if (withInput === true && isJson(input) && chosen !== 'ndjson')
    throw usage(
      `--with-input writes rows of JSON as .ndjson, because each has its own fields; got .${chosen}: use --output with .ndjson, or --id`,
    );
  if ((input === 'libsvm' || input === 'vw') && withInput === true)
    throw usage(`--with-input is for tables; got ${input} text${input === 'vw' ? ': --id tag prints the tags' : ''}`);
  if (input === 'libsvm' && id !== undefined) throw usage('--id is for tables and Vowpal Wabbit text; got libsvm text');
  if (input === 'vw' && id !== undefined && id !== 'tag')
    throw usage(`expected --id tag for Vowpal Wabbit text, which has no other column; got --id ${id}`);
  return chosen;
}

function clashOf(name: string) {
  return usage(
    `expected no column ${quote(name)} in DATA, because the prediction has one; got one: --prefix renames the prediction's columns`,
  );
}

interface TableParts {
  readonly format: PredictionFormat;
  readonly classes: readonly string[];
  /** The classes as labels of the type that the model learned. */
  readonly labels: readonly Label[];
  /** Names of the prediction's columns. */
  readonly names: readonly string[];
  /** Columns of DATA; null: the whole text of rows of JSON. */
  readonly carried: readonly SourceColumn[] | null;
  /** Names of columns that the model reads as numbers. */
  readonly numbers: ReadonlySet<string>;
  /** True if DATA is JSON, whose values have types. */
  readonly isTyped: boolean;
  /** Number of terms of explanations; 0: there are none. */
  readonly explained: number;
  readonly prefix: string;
}

/** Makes the lines of a table of predictions. */
function predictionTable(parts: TableParts): PredictionTable {
  return parts.format === 'ndjson' ? jsonTable(parts) : textTable(parts);
}

function textTable({ format, classes, names, carried, explained, prefix }: TableParts): PredictionTable {
  const delimiter = format === 'csv' ? ',' : '\t';
  const columns = carried ?? [];
  const explanation = explained === 0 ? [] : explanationNames(explained, prefix);
  const isAlone = columns.length + names.length + explanation.length === 1;
  // Readers skip an empty line.
  const cell = (text: string) => (text === '' && isAlone ? '""' : format === 'csv' ? csvCell(text) : tsvCell(text));
  const cells = classes.map(cell);
  return {
    header: `${[...columns.map(({ name }) => name), ...names, ...explanation].map(cell).join(delimiter)}\n`,
    line(rows, i, given, numbers, told) {
      let line = '';
      for (let c = 0; c < columns.length; c++) line += cell(rows!.cell(c, i) ?? '') + delimiter;
      line += given === -1 ? cell('') : cells[given]!;
      for (let k = 0; k < numbers.length; k++) line += delimiter + numbers[k]!;
      if (told) for (const text of explanationCells(told, explained)) line += delimiter + cell(text);
      return `${line}\n`;
    },
    skipped: columns.length > 0 ? '' : `${cell('')}${delimiter.repeat(names.length + explanation.length - 1)}\n`,
  };
}

/** A cell of tab-separated text has no quotes, so only tabs and line breaks must be written otherwise. */
function tsvCell(text: string): string {
  return /[\t\r\n]/.test(text) ? cellOf(text) : text;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function jsonTable({
  labels,
  names,
  carried,
  numbers: numeric,
  isTyped,
  explained,
  prefix,
}: TableParts): PredictionTable {
  const keys = names.map((name) => JSON.stringify(name));
  const explanation = `${prefix}explanation`;
  const own = explained === 0 ? names : [...names, explanation];
  const words = labels.map((label) => (typeof label === 'string' ? JSON.stringify(label) : String(label)));
  const columns = (carried ?? []).map(({ name, type }) => ({
    name,
    key: JSON.stringify(name),
    isNumber: type === 'number' || (type === 'cell' && numeric.has(name)),
    isBoolean: type === 'boolean',
  }));
  const answer = (given: number, numbers: readonly string[], told?: ExplainedScore | null) => {
    let text = `${keys[0]}:${given === -1 ? 'null' : words[given]}`;
    for (let k = 1; k < keys.length; k++) text += `,${keys[k]}:${numbers[k - 1] ?? 'null'}`;
    if (explained > 0) text += `,${JSON.stringify(explanation)}:${told ? explanationJson(told) : 'null'}`;
    return text;
  };
  return {
    header: '',
    line(rows, i, given, numbers, told) {
      let line = '{';
      if (carried === null)
        line = beginning(
          rows!.text(i),
          own.map((name) => JSON.stringify(name)),
          own,
        );
      else
        columns.forEach(({ name, key, isNumber, isBoolean }, c) => {
          const cell = rows!.cell(c, i);
          const isBare =
            cell !== null &&
            (isTyped ? isBareIn(rows!.text(i), name) : (isNumber && jsonNumber.test(cell)) || isBoolean);
          const isMissing = cell === null || cell === '' || (isNumber && missingWords.includes(cell.trim()));
          line += `${key}:${isBare ? cell : isMissing ? 'null' : JSON.stringify(cell)},`;
        });
      return `${line}${answer(given, numbers, told)}}\n`;
    },
    skipped: carried === null || carried.length > 0 ? '' : `{${answer(-1, [])}}\n`,
  };
}

/** Tests if a member of an object is a number or a boolean, so that a key of a join keeps its type. */
function isBareIn(text: string, name: string): boolean {
  try {
    return ['number', 'boolean'].includes(typeof (JSON.parse(text) as Record<string, unknown>)[name]);
  } catch {
    // NaN and Infinity are read where JSON has no number.
    return false;
  }
}

/** Returns an object's text on one line without its closing brace, ready for more members. */
function beginning(text: string, keys: readonly string[], names: readonly string[]): string {
  // Line breaks stand only between the members.
  const line = text.trim().replace(/[ \t]*[\r\n]+[ \t\r\n]*/g, ' ');
  const clash = keys.findIndex((key) => line.includes(key) && hasMember(line, key));
  if (clash !== -1) throw clashOf(names[clash]!);
  const open = line.slice(0, -1).trimEnd();
  return open === '{' ? open : `${open},`;
}

/** Tests if the key may be one of the object itself. */
function hasMember(line: string, key: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(line) as object, JSON.parse(key) as string);
  } catch {
    // NaN and Infinity are read where JSON has no number.
    return new RegExp(`${key.replace(/[^a-z0-9_"]/gi, '\\$&')}\\s*:`).test(line);
  }
}
