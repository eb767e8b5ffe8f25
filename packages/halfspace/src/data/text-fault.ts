import { type ErrorCode, HalfspaceError, type Place, quote } from '../errors.ts';
import * as layout from '../kernels/layout.ts';

/** The error code and the expectation for each fault of a text kernel. */
const faults: Record<number, readonly [code: ErrorCode, expected: string]> = {
  [layout.statusBinary]: ['source-corrupt', 'expected text; got binary data'],
  [layout.statusLabel]: ['row-malformed', 'expected a number as label'],
  [layout.statusNumber]: ['number-invalid', 'expected a number'],
  [layout.statusNotFinite]: ['number-invalid', 'expected a finite number'],
  [layout.statusColon]: ['row-malformed', 'expected index:value'],
  [layout.statusIndex]: ['index-invalid', 'expected a feature index (a whole number)'],
  [layout.statusIndexRange]: ['index-invalid', 'expected a feature index in [0, 4294967295]'],
  [layout.statusIndexOrder]: ['index-invalid', 'expected feature indices to rise within a line'],
  [layout.statusQid]: ['row-malformed', 'expected index:value; ranking queries (qid) are not supported'],
  [layout.statusManyLabels]: ['row-malformed', 'expected one label; lines with several labels are not supported'],
  [layout.statusImportance]: ['number-invalid', 'expected an importance weight in [0, ∞)'],
  [layout.statusBase]: ['row-malformed', 'expected no base, or 0, after the importance'],
  [layout.statusBar]: ['row-malformed', 'expected a bar before the features'],
  [layout.statusUtf8]: ['source-corrupt', 'expected UTF-8 text; got other bytes'],
};

/**
 * Makes the error for a refused line.
 *
 * @param line the whole line; the fault is at [from, to).
 * @param isNamed true if features have names, as in Vowpal Wabbit text. Default false.
 */
export function describeFault(
  status: number,
  line: Uint8Array,
  from: number,
  to: number,
  where: Place,
  isNamed = false,
): HalfspaceError {
  const [code, expected] = faults[status] ?? (['row-malformed', 'expected a line of this format'] as const);
  if (status === layout.statusBinary || status === layout.statusUtf8) return new HalfspaceError(code, expected, where);
  if (looksBinary(line)) return new HalfspaceError(...faults[layout.statusBinary]!, where);
  const word = isNamed ? wordAround(line, from) : '';
  if ((status === layout.statusNumber || status === layout.statusColon) && word.includes(':'))
    return new HalfspaceError(
      code,
      `expected a feature name:value, whose name cannot contain ":" and whose value is a number; got ${quote(word)}`,
      where,
    );
  const also = isNamed && status === layout.statusLabel ? ', or words from the first line on' : '';
  return new HalfspaceError(code, `${expected}${also}; got ${came(line, from, Math.max(from, to))}`, where);
}

/** Returns the token at the fault, up to the next blank. */
function came(line: Uint8Array, from: number, to: number): string {
  let end = to;
  while (end < line.length && line[end] !== 32 && line[end] !== 9 && line[end] !== 13 && end - from < 200) end++;
  if (end > from) return quote(new TextDecoder().decode(line.subarray(from, end)));
  return from === line.length || line[from] === 13 ? 'the end of the line' : 'a blank';
}

/** Returns the word at a position of a line. */
function wordAround(line: Uint8Array, at: number): string {
  const isEnd = (byte: number | undefined) => byte === undefined || [9, 13, 32, 124].includes(byte);
  let [from, to] = [at, at];
  while (from > 0 && !isEnd(line[from - 1])) from--;
  while (!isEnd(line[to])) to++;
  return new TextDecoder().decode(line.subarray(from, Math.min(to, from + 200)));
}

/** Tests if a refused line is binary: control bytes other than blanks, or invalid UTF-8. */
function looksBinary(line: Uint8Array): boolean {
  if (line.some((byte) => byte < 9 || (byte > 13 && byte < 32))) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(line);
    return false;
  } catch {
    return true;
  }
}
