import { type ErrorCode, HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/internal';

/**
 * Turns an error message of DuckDB into an error of one line. The messages have no codes and are matched by pattern; of
 * any other message the first line is kept.
 *
 * @param source the table's name.
 */
export function tableFault(error: unknown, source: string): HalfspaceError {
  if (error instanceof HalfspaceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  for (const [pattern, code, text] of known)
    if (pattern.test(message)) return new HalfspaceError(code, text, { source });
  return new HalfspaceError('source-corrupt', `expected a table; got ${quote(firstLine(message), 200)}`, { source });
}

/** Turns an error message of DuckDB about the user's own statement into an error. */
export function queryFault(error: unknown, source: string): HalfspaceError {
  if (error instanceof HalfspaceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/^(Parser|Binder|Catalog|Syntax|Not implemented) Error/i.test(message))
    return new HalfspaceError('option-invalid', `expected a query that can be run; got: ${firstLine(message)}`, {
      source,
    });
  if (/^(IO|HTTP) Error/i.test(message))
    return new HalfspaceError('source-unreadable', `expected readable files; got: ${firstLine(message)}`, { source });
  return tableFault(error, source);
}

const known: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [
    /No magic bytes|not a parquet|Parquet|thrift|TProtocol/i,
    'source-corrupt',
    'expected a Parquet file; got one that is damaged, cut short, or something else',
  ],
  [
    /Out of Memory/i,
    'memory-exhausted',
    'expected a table that fits the memory of one chunk; got one with too many or too long cells',
  ],
  [/No files found|Cannot open file|Could not read/i, 'source-unreadable', 'expected a readable file; got none'],
];

function firstLine(message: string): string {
  return message.split('\n')[0]!.trim();
}
