import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { descriptorOf, reasonOf } from 'halfspace/node';
import { cellOf } from '../words.ts';

/** The element in the head of every report page by which {@link refuseToReplace} recognises one. */
export const reportMark = '<meta name="generator" content="halfspace report">';

/** A kind of file that a command writes, and how its beginning is recognised. */
interface Kind {
  /** Name for messages: `a model`. */
  readonly name: string;
  /** Continues "where" in messages: `the model goes`. */
  readonly place: string;
  /** Tests if a file with this beginning is of this kind. `isWhole`: the beginning is the whole file. */
  isOne(head: string, isWhole: boolean): boolean;
}

const json = (format: string) => ({ test: (head: string) => formatOf(head) === format });

/** Returns the member `format` of an object of JSON that begins with `head`, at any place there; null: none. */
function formatOf(head: string): string | null {
  if (!/^\uFEFF?\s*\{/.test(head)) return null;
  let depth = 0;
  let name = '';
  for (const [token, text, colon] of head.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{}]/g)) {
    if (text === undefined) depth += token === '{' || token === '[' ? 1 : -1;
    else if (colon !== undefined) name = text;
    else if (depth === 1 && name === '"format"') return text.slice(1, -1);
  }
  return null;
}

const kinds = {
  model: { name: 'a model', place: 'the model goes', isOne: (head) => json('halfspace-model').test(head) },
  certificate: {
    name: 'a certificate',
    place: 'the certificate goes',
    isOne: (head) => json('halfspace-certificate').test(head),
  },
  rows: {
    name: 'canonical rows',
    place: 'the rows go',
    isOne: (head) => /^[+-]1( \d+:-?\d+([ep]-\d+)?)*\n/.test(head),
  },
  vipr: { name: 'a VIPR certificate', place: 'it goes', isOne: (head) => /^(%[^\n]*\n)*VER 1\.\d\n/.test(head) },
  state: { name: 'a state', place: 'the state goes', isOne: (head) => json('halfspace-state').test(head) },
  stream: {
    name: 'a state of learn',
    place: 'the state goes',
    isOne: (head) => json('halfspace-stream').test(head),
  },
  mix: {
    name: 'a state of mix',
    place: 'the state goes',
    isOne: (head) => json('halfspace-mix').test(head),
  },
  ledger: { name: 'a ledger', place: 'the ledger goes', isOne: (head) => head.startsWith('halfspace-ledger ') },
  report: {
    name: 'a report',
    place: 'the report goes',
    isOne: (head) => /^<!doctype html>/i.test(head) && head.includes(reportMark),
  },
  drawing: {
    name: 'a drawing of a tree',
    place: 'the drawing goes',
    isOne: (head) => /^<svg [^\n]*>\n<title>Decision tree: /.test(head),
  },
  picture: {
    name: 'a picture of a plane',
    place: 'the picture goes',
    isOne: (head) => /^(?:<svg [^\n]*>\n<title>|% )The plane: /.test(head),
  },
  program: {
    name: 'a file that export wrote',
    place: 'the model goes',
    isOne: (head) => head.includes('written by halfspace/export') || /^solver_type |^\{\s*"kind": "linear",/.test(head),
  },
  /** Every row follows a comment with the reason. */
  rejects: { name: 'skipped rows', place: 'they go', isOne: (head) => /^# [^\n]*expected /.test(head) },
} satisfies Readonly<Record<string, Kind>>;

/** Predictions are recognised by their classes; see {@link predictionsOf}. */
export type OutputKind = keyof typeof kinds | 'predictions';

/** Returns the kind of the predictions of a model: each line has one of its classes, or nothing, and then numbers; or
 * it explains a score. */
export function predictionsOf(classes: readonly string[]): Kind {
  const known = new Set(['', ...classes.map(cellOf)]);
  /** A term of an explanation: its contribution, then what it is. */
  const isTerm = (line: string) => /^ {2} *[+-]?[\d.]+(e[+-]\d+)? {2}./.test(line);
  const isLine = (line: string) => {
    if (isTerm(line)) return true;
    const [name, ...numbers] = line.replace(/^row [\d,]+: /, '').split('\t');
    return known.has(name!) && numbers.every((text) => text !== '' && (text === 'NaN' || !Number.isNaN(Number(text))));
  };
  return {
    name: `predictions of ${classes.slice(0, 3).join(', ')}${classes.length > 3 ? ', …' : ''}`,
    place: 'they go',
    // The last line of a head may be cut.
    isOne: (head, isWhole) =>
      head.includes('\n') &&
      head
        .split('\n')
        .slice(0, isWhole ? undefined : -1)
        .every(isLine),
  };
}

/**
 * Returns the kind of tables of predictions: the columns of the prediction are the last ones.
 *
 * @param name name of the column of the class.
 */
export function predictionTableOf(format: 'csv' | 'tsv' | 'ndjson', name: string): Kind {
  const key = name.replace(/[^a-z0-9_]/gi, '\\$&');
  const more = `(score|probability|explained|explanation)`;
  const last =
    format === 'ndjson'
      ? new RegExp(`^\\{.*"${key}":("([^"\\\\]|\\\\.)*"|null|true|false|-?[0-9][-+.e0-9]*)(,"[^"]*${more}[^\n]*)?\\}$`)
      : new RegExp(`(^|[,\t])${key}([,\t]"?[^,\t]*${more}[^\n]*)?$`);
  return {
    name: `a table of predictions with the column ${name}`,
    place: 'it goes',
    isOne: (head) => {
      const [first] = format === 'csv' ? /^("[^"]*"|[^"\n])*/.exec(head)! : head.split('\n', 1);
      return last.test(first!);
    },
  };
}

const headBytes = 64 * 1024;

/**
 * Refuses to replace a file of another kind, because a typing error must not destroy data. A file may replace an older
 * file of its kind, or an empty file.
 *
 * @throws HalfspaceError `write-failed`.
 */
export function refuseToReplace(path: string, kind: OutputKind | Kind): void {
  // Output to a descriptor is appended.
  if (kind === 'predictions' || descriptorOf(path) !== null) return;
  const { name, place, isOne }: Kind = typeof kind === 'string' ? kinds[kind] : kind;
  const head = headOf(path);
  if (head === null || isOne(head.text, head.isWhole)) return;
  throw new HalfspaceError('write-failed', `expected ${name}, or no file, where ${place}; got a file of another kind`, {
    source: path,
  });
}

/** Returns the beginning of a regular file; null if there is no such file, or if it is empty. */
function headOf(path: string): { readonly text: string; readonly isWhole: boolean } | null {
  try {
    const present = statSync(path, { throwIfNoEntry: false });
    if (present === undefined || !present.isFile() || present.size === 0) return null;
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(Math.min(headBytes, present.size));
      const length = readSync(file, head, 0, head.length, 0);
      return { text: head.subarray(0, length).toString(), isWhole: length === present.size };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new HalfspaceError('write-failed', `expected to write; got ${reasonOf(error)}`, { source: path });
  }
}
