import { printable } from './printable.ts';

/**
 * All refusals of halfspace use one error class. One table maps its codes to exit statuses and HTTP statuses.
 *
 * A message reads "expected …; got …", for people. `code` and `where` (the place) are for programs. docs/errors.md has
 * the cause and the cure of each code; a test compares it with this table.
 */

/**
 * The exit status and the HTTP status of each code. Exit 2: usage; 3: bad data; 4: anything else.
 *
 * @example
 * console.log(errorCodes['row-malformed']); // { exit: 3, http: 422 }
 */
export const errorCodes = {
  /** An option has a value outside its range, or options contradict each other. */
  'option-invalid': { exit: 2, http: 400 },
  /** A named column does not exist in the data. */
  'column-unknown': { exit: 2, http: 400 },
  /** A file is missing, is a directory, or cannot be read. */
  'source-unreadable': { exit: 3, http: 404 },
  /** A file was cut, written to or replaced while it was read. */
  'source-changed': { exit: 3, http: 409 },
  /** A source holds no example at all. */
  'source-empty': { exit: 3, http: 422 },
  /** Bytes do not follow the format: binary data, invalid UTF-8, a truncated archive. */
  'source-corrupt': { exit: 3, http: 422 },
  /** A line or row does not follow its format. */
  'row-malformed': { exit: 3, http: 422 },
  /** A number is missing, malformed or not finite. */
  'number-invalid': { exit: 3, http: 422 },
  /** A feature index is out of range, out of order or repeated. */
  'index-invalid': { exit: 3, http: 422 },
  /** A row lacks a required label. */
  'label-missing': { exit: 3, http: 422 },
  /** The labels do not form valid classes. */
  'label-classes': { exit: 3, http: 422 },
  /** A model file cannot be used: it is cut, edited, of another version, or not a model. */
  'model-invalid': { exit: 3, http: 422 },
  /** A certificate file cannot be read: it is cut, or not a certificate. (A readable one that is wrong is no error.) */
  'certificate-invalid': { exit: 3, http: 422 },
  /** A ledger cannot be used: it is cut, damaged, of another version, of other data, or not a ledger. */
  'ledger-invalid': { exit: 3, http: 422 },
  /** Weights exceeded the range of doubles while learning. */
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

/**
 * A refusal with a stable `code`, a message of one line without control characters, and the place of the fault.
 *
 * @example
 * const reading = train(csv('a,b,label\n1,2,x\n3,y\n'));
 * await reading.catch((error) => console.log(error.code, error.where.line)); // row-malformed 3
 */
export class HalfspaceError extends Error {
  /** A stable name of the kind of error. `docs/errors.md#CODE` of the repository has its cause and cure. */
  readonly code: ErrorCode;
  readonly where: Place;
  /** The message without the place. */
  readonly #said: string;

  constructor(code: ErrorCode, message: string, where: Place = {}) {
    const place = formatPlace(where);
    super(printable(place === '' ? message : `${place}: ${message}`));
    this.name = 'HalfspaceError';
    this.code = code;
    this.where = where;
    this.#said = message;
  }

  /** Returns the same refusal with more of its place: `where` adds to {@link where} or replaces parts of it. */
  at(where: Place): HalfspaceError {
    return new HalfspaceError(this.code, this.#said, { ...this.where, ...where });
  }
}

/** Returns a place as text: `file.svm:17:5`, `table.csv, row 17, column "age"`, …; empty if nothing is known. */
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

/** Returns any value as {@link printable} text on one line, cut to about `limit` characters. Never throws. */
export function quote(value: unknown, limit = 60): string {
  const text = textOf(value);
  if (text.length <= limit) return printable(text);
  return printable(`${text.slice(0, limit - 2)}…${typeof value === 'string' ? '"' : ''}`);
}

/** The largest number of names that a message lists. */
const mostNames = 12;

/** Returns names for a message, each quoted; of many, the first ones. */
export function quoteNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => quote(name));
  return names.length > mostNames ? `${shown.join(', ')} and ${names.length - mostNames} more` : shown.join(', ');
}

function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  try {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null))
      return String(value).replace(/\s+/g, ' ');
    if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid date';
    // Unlike String(), this does not call an own `toString` of an object, which may come from a file.
    return JSON.stringify(value) ?? 'an object';
  } catch {
    return 'an object';
  }
}
