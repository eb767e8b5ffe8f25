import { printable } from './printable.ts';

/**
 * One error class for everything halfspace refuses, and one table from its codes to exit and HTTP statuses.
 *
 * A message reads "what was expected; what came" and `where` tells the place, so that a program can act on the
 * parts and a person can read the whole in one line.
 */

/** What the codes mean to a shell and to a web client. 2: usage; 3: bad data; 4: anything else. */
export const errorCodes = {
  /** An option has a value outside its range, or options contradict each other. */
  'option-invalid': { exit: 2, http: 400 },
  /** A column was named that the data do not have. */
  'column-unknown': { exit: 2, http: 400 },
  /** A file is missing, is a directory, or cannot be read. */
  'source-unreadable': { exit: 3, http: 404 },
  /** A file that was cut, written to or replaced while it was read. */
  'source-changed': { exit: 3, http: 409 },
  /** A source holds no example at all. */
  'source-empty': { exit: 3, http: 422 },
  /** Bytes that are not what the format says: binary data, invalid UTF-8, a truncated archive. */
  'source-corrupt': { exit: 3, http: 422 },
  /** A line or row that does not follow its format. */
  'row-malformed': { exit: 3, http: 422 },
  /** A number that is not finite or not a number. */
  'number-invalid': { exit: 3, http: 422 },
  /** A feature index that is out of range, out of order or given twice. */
  'index-invalid': { exit: 3, http: 422 },
  /** A row without a label where one is needed. */
  'label-missing': { exit: 3, http: 422 },
  /** The labels do not form two classes. */
  'label-classes': { exit: 3, http: 422 },
  /** A model file that cannot be used: cut, edited, from a newer version, or not a model. */
  'model-invalid': { exit: 3, http: 422 },
  /** A certificate file that cannot be used: cut, or not a certificate. One that can be, and does not hold, is no error. */
  'certificate-invalid': { exit: 3, http: 422 },
  /** A ledger that cannot be used: cut, damaged, from a newer version, none at all, or one of other data. */
  'ledger-invalid': { exit: 3, http: 422 },
  /** Weights left the range of doubles while learning. */
  'weights-overflow': { exit: 3, http: 422 },
  /** Memory or a stated budget is exhausted. */
  'memory-exhausted': { exit: 4, http: 507 },
  /** A file could not be written. */
  'write-failed': { exit: 4, http: 507 },
  /** The caller asked to stop. */
  interrupted: { exit: 4, http: 499 },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** The place of a fault. Lines, rows and columns count from 1, bytes from 0. */
export interface Place {
  /** File name, URL, `-` for standard input, or another name of the source. */
  readonly source?: string;
  readonly line?: number;
  /** Row of a table, its header not counted. */
  readonly row?: number;
  /** Position in the line, in bytes. */
  readonly column?: number;
  readonly byte?: number;
  /** Name of the table column or field. */
  readonly field?: string;
}

/** A refusal with a stable `code`, a message of one line with no control characters in it, and the place of the fault. */
export class HalfspaceError extends Error {
  readonly code: ErrorCode;
  readonly where: Place;

  constructor(code: ErrorCode, message: string, where: Place = {}) {
    const place = formatPlace(where);
    super(printable(place === '' ? message : `${place}: ${message}`));
    this.name = 'HalfspaceError';
    this.code = code;
    this.where = where;
  }
}

/** `file.svm:17:5`, `table.csv, row 17, column "age"`, … ; empty when nothing is known. */
export function formatPlace(where: Place): string {
  let text = where.source ?? '';
  if (where.line !== undefined) text += text === '' ? `line ${where.line}` : `:${where.line}`;
  if (where.column !== undefined && where.line !== undefined) text += `:${where.column}`;
  const more: string[] = [];
  if (where.column !== undefined && where.line === undefined) more.push(`position ${where.column}`);
  if (where.row !== undefined) more.push(`row ${where.row}`);
  if (where.field !== undefined) more.push(`column ${quote(where.field)}`);
  if (where.byte !== undefined) more.push(`byte ${where.byte}`);
  return [text, ...more].filter((part) => part !== '').join(', ');
}

/** A value as it came, shortened, on one line and {@link printable}, for use inside a message. Never fails, whatever the value. */
export function quote(value: unknown, limit = 60): string {
  const text = textOf(value);
  if (text.length <= limit) return printable(text);
  return printable(`${text.slice(0, limit - 2)}…${typeof value === 'string' ? '"' : ''}`);
}

/** At most this many names are listed in a message. */
const mostNames = 12;

/** Names for a message, each quoted; of many the first ones. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => quote(name));
  return names.length > mostNames ? `${shown.join(', ')} and ${names.length - mostNames} more` : shown.join(', ');
}

function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null))
    return String(value).replace(/\s+/g, ' ');
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid date';
  try {
    // Unlike String(), this does not ask objects, which may come from a file, for a `toString` of their own.
    return JSON.stringify(value) ?? 'an object';
  } catch {
    return 'an object';
  }
}
