import { type ErrorCode, HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';

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

/** A query as the user typed it, and the text before it in the statement that DuckDB got, which has no line end. */
interface TypedQuery {
  readonly typed: string;
  readonly before: string;
}

/**
 * Turns an error message of DuckDB about the user's own statement into an error.
 * @param query for the place of the error. Default: no place is told.
 */
export function queryFault(error: unknown, source: string, query?: TypedQuery): HalfspaceError {
  if (error instanceof HalfspaceError) return error;
  const message = (error instanceof Error ? error.message : String(error)).replace(/^Failed to [a-z ]+: /, '');
  if (/^(Parser|Binder|Catalog|Syntax|Not implemented) Error/i.test(message)) {
    const place = query === undefined ? '' : placeIn(query, message);
    return new HalfspaceError(
      'option-invalid',
      `expected a query that can be run; got: ${firstLine(message)}${place}`,
      {
        source,
      },
    );
  }
  const denied = /^Permission Error: Cannot access (?:file|directory) "(.*?)"/s.exec(message)?.[1];
  if (denied !== undefined) {
    // DuckDB takes a path that is no file for a folder.
    const folder = /^(.*)\/\*\*\/\*\.\w+$/s.exec(denied)?.[1];
    if (folder !== undefined) {
      const got = `expected readable files; got ${quote(folder)}, which is none: 'folder/*.csv' names all files of a folder`;
      return new HalfspaceError('source-unreadable', got, { source });
    }
    const only = `expected a query that reads only files that it names whole and in quotes; got ${quote(denied)}`;
    return new HalfspaceError('option-invalid', only, { source });
  }
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

/**
 * Returns the line and column, from 1, in the user's query; empty if the message has no place. DuckDB shows the line,
 * cut at either end if it is long, and below it a caret.
 */
function placeIn({ typed, before }: TypedQuery, message: string): string {
  const found = /^(LINE (\d+): )(.*)\n( *)\^/m.exec(message);
  if (found === null) return '';
  const [, label, number, shown, blanks] = found;
  const skipped = /^\s*/.exec(typed)![0].split('\n');
  const line = Number(number) + skipped.length - 1;
  const own = typed.split('\n')[line - 1] ?? '';
  const indent = number === '1' ? skipped.at(-1)!.length : 0;
  const whole = number === '1' ? before + own.slice(indent) : own;
  const cut = shown!.startsWith('...') ? 3 : 0;
  const from = whole.indexOf(
    shown!
      .slice(cut)
      .replace(/\.\.\.$/, '')
      .trimEnd(),
  );
  const column = from + blanks!.length - label!.length - cut + 1 + (number === '1' ? indent - before.length : 0);
  return from === -1 || column < 1 ? ` (line ${line})` : ` (line ${line}, column ${column})`;
}

function firstLine(message: string): string {
  return message.split('\n')[0]!.trim();
}
