import { type ErrorCode, HalfspaceError, type Place, quote } from 'halfspace';

/**
 * DuckDB's many-line reports as one line with a place. What it says is matched by pattern, since it has no codes of its own; what
 * no pattern knows keeps its first line.
 *
 * @param source the table's name.
 */
export function tableFault(error: unknown, source: string): HalfspaceError {
  if (error instanceof HalfspaceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  for (const [pattern, describe] of known) {
    const match = pattern.exec(message);
    if (match === null) continue;
    const [code, text, where = {}] = describe(match);
    return new HalfspaceError(code, text, { source, ...where });
  }
  return new HalfspaceError('source-corrupt', `expected a table; got ${quote(firstLine(message), 200)}`, { source });
}

/** The error for a statement of the user's own. */
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

type Described = readonly [code: ErrorCode, text: string, where?: Place];

const known: readonly (readonly [RegExp, (match: RegExpExecArray) => Described])[] = [
  [
    /CSV Error on Line: (\d+)[\s\S]*?Expected Number of Columns: (\d+) Found: (\d+)/,
    ([, line, expected, found]) => ['row-malformed', cellCount(Number(expected), Number(found)), at(line)],
  ],
  [
    /CSV Error on Line: (\d+)[\s\S]*?(?:unterminated quote|unquoted value)/i,
    ([, line]) => ['row-malformed', malformed.quote, at(line)],
  ],
  [/CSV Error on Line: (\d+)[\s\S]*?Invalid unicode/i, ([, line]) => ['source-corrupt', malformed.encoding, at(line)]],
  [
    /CSV Error on Line: (\d+)[\s\S]*?(?:line size|Maximum line)/i,
    ([, line]) => ['row-malformed', malformed.long, at(line)],
  ],
  [/CSV Error on Line: (\d+)/, ([, line]) => ['row-malformed', 'expected a row of this table', at(line)]],
  [
    /state machine reached an invalid state/i,
    () => ['row-malformed', 'expected one kind of line end throughout; got a mix of LF and CRLF, or a stray quote'],
  ],
  [
    // DuckDB counts one line, or value, too many.
    /Malformed JSON in file [\s\S]*?at byte (\d+) in (line|record\/value) (\d+): (.*?)\.? *(\n|$)/,
    ([, byte, unit, number, reason]) =>
      /UTF-?8/i.test(reason!)
        ? [
            'source-corrupt',
            malformed.encoding,
            unit === 'line' ? at(number, -1) : { row: Math.max(1, Number(number) - 1) },
          ]
        : unit === 'line'
          ? ['row-malformed', `expected JSON; got ${article(reason!)}`, { ...at(number, -1), column: Number(byte) }]
          : ['source-corrupt', `expected JSON; got ${article(reason!)}`, { row: Math.max(1, Number(number) - 1) }],
  ],
  [
    /JSON transform error[\s\S]*?in (line|record\/value) (\d+): Expected OBJECT, but got (\w+)/,
    ([, unit, number, type]) => [
      'row-malformed',
      `expected an object per row; got ${type!.toLowerCase()}`,
      unit === 'line' ? at(number) : { row: Number(number) },
    ],
  ],
  [/maximum_object_size/, () => ['row-malformed', 'expected JSON objects of at most 8 MB; got a larger one']],
  [
    /not a (?:GZIP|ZSTD) stream|zstd|gzip|decompress/i,
    () => ['source-corrupt', 'expected a whole archive; got damaged bytes'],
  ],
  [
    /No magic bytes|not a parquet|Parquet|thrift|TProtocol/i,
    () => ['source-corrupt', 'expected a Parquet file; got one that is damaged, cut short, or something else'],
  ],
  [/Invalid unicode|invalid UTF-?8|Malformed UTF/i, () => ['source-corrupt', malformed.encoding]],
  [
    /Out of Memory/i,
    () => [
      'memory-exhausted',
      'expected a table that fits the memory of one chunk; got one with too many or too long cells',
    ],
  ],
  [
    /No files found|Cannot open file|Could not read/i,
    () => ['source-unreadable', 'expected a readable file; got none'],
  ],
];

/** What can be wrong with a line of a text table. */
export const malformed = {
  quote: 'expected a quoted cell to end before its delimiter; got no closing quote, or text behind it',
  encoding: 'expected UTF-8 text; got other bytes',
  long: 'expected a line of at most 2,097,152 bytes; got a longer one',
} as const;

export function cellCount(expected: number, found: number): string {
  return `expected ${expected} ${expected === 1 ? 'cell' : 'cells'}; got ${found}`;
}

function at(line: string | undefined, shift = 0): Place {
  return { line: Math.max(1, Number(line) + shift) };
}

function article(reason: string): string {
  return /^unexpected (character|control)/.test(reason) ? `an ${reason}` : reason;
}

function firstLine(message: string): string {
  return message.split('\n')[0]!.trim();
}
