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
 */
export function describeFault(
  status: number,
  line: Uint8Array,
  from: number,
  to: number,
  where: Place,
): HalfspaceError {
  const [code, expected] = faults[status] ?? (['row-malformed', 'expected a line of this format'] as const);
  if (status === layout.statusBinary || status === layout.statusUtf8) return new HalfspaceError(code, expected, where);
  if (looksBinary(line)) return new HalfspaceError(...faults[layout.statusBinary]!, where);
  return new HalfspaceError(code, `${expected}; got ${came(line, from, Math.max(from, to))}`, where);
}

/** Returns the token at the fault, up to the next blank. */
function came(line: Uint8Array, from: number, to: number): string {
  let end = to;
  while (end < line.length && line[end] !== 32 && line[end] !== 9 && line[end] !== 13 && end - from < 200) end++;
  if (end > from) return quote(new TextDecoder().decode(line.subarray(from, end)));
  return from === line.length || line[from] === 13 ? 'the end of the line' : 'a blank';
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
