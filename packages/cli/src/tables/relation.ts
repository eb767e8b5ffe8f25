import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { type ByteSource, HalfspaceError } from 'halfspace';
import { openBytes } from 'halfspace/node';
import type { Format } from '../data/format.ts';
import { decompressZstd } from '../data/zstd.ts';
import { identifier, literal, query, tableFault } from './engine.ts';

/** A file as something to select from. */
export interface Relation {
  /** For messages. */
  readonly name: string;
  /** What stands behind FROM. */
  readonly from: string;
  readonly columns: readonly RelationColumn[];
  /** Whether the first line held the names; null: the format has no such line. */
  readonly header: boolean | null;
  /** DuckDB's numbering of the rejected lines of this file, when they are set aside. */
  readonly rejects: string | null;
  readonly notes: readonly string[];
}

export interface RelationColumn {
  readonly name: string;
  /** An SQL expression for the cell as text. */
  readonly text: string;
  /** Lists, structures and the like, which are no features. */
  readonly nested: boolean;
}

export interface RelationOptions {
  /** True: names stand in the first line; false: they do not; undefined: look. */
  readonly header: boolean | undefined;
  /** Leave malformed lines out and note them in a rejects table. */
  readonly skip: boolean;
}

export interface TableFile {
  readonly path: string;
  /** For messages. */
  readonly name: string;
}

/** Opens a file of a table's format. @throws HalfspaceError for what is no such file. */
export async function openRelation(file: TableFile, format: Format, options: RelationOptions): Promise<Relation> {
  const head = await beginningOf(file, format);
  try {
    if (format === 'csv' || format === 'tsv') return await openText(file, format, head, options);
    const reader =
      format === 'parquet'
        ? `read_parquet(${literal(file.path)})`
        : `read_json(${literal(file.path)}, format=${format === 'ndjson' ? "'newline_delimited'" : "'auto'"}, sample_size=-1, maximum_depth=2${
            options.skip && format === 'ndjson' ? ', ignore_errors=true' : ''
          })`;
    return await describe(reader, file.name);
  } catch (error) {
    throw tableFault(error, file.name);
  }
}

/** Opens a query. */
export async function openQuery(sql: string): Promise<Relation> {
  try {
    return await describe(`(${sql.trim().replace(/;$/, '')})`, 'the query');
  } catch (error) {
    const message = String((error as Error).message ?? error).split('\n')[0]!;
    throw new HalfspaceError('option-invalid', `expected a query that DuckDB can run; got ${message}`);
  }
}

async function describe(from: string, name: string): Promise<Relation> {
  const described = await query(`DESCRIBE SELECT * FROM ${from}`);
  const columns = described.map(({ column_name, column_type }) => {
    const type = String(column_type);
    const nested = /STRUCT|MAP|\[|UNION|BLOB|BIT/.test(type) || type === 'JSON';
    return { name: String(column_name), text: `CAST(${identifier(String(column_name))} AS VARCHAR)`, nested };
  });
  return { name, from, columns, header: null, rejects: null, notes: [] };
}

/** How much of a text file is looked at before it is read. */
const headBytes = 1 << 16;

/** The first bytes of a text file, decompressed. @throws HalfspaceError for what cannot be read as a table at all. */
async function beginningOf({ path, name }: TableFile, format: Format): Promise<string> {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined)
    throw new HalfspaceError('source-unreadable', 'expected a readable file; got no such file', { source: name });
  if (status.isDirectory())
    throw new HalfspaceError('source-unreadable', 'expected a readable file; got a directory', { source: name });
  if (status.isFile() && status.size === 0)
    throw new HalfspaceError('source-empty', 'expected a table; got an empty file', { source: name });
  if (format === 'parquet' || !status.isFile()) return '';
  const source = await openBytes(path, { name, zstd: decompressZstd });
  try {
    return await readThrough(source, name);
  } finally {
    source.close?.();
  }
}

/**
 * Reads a text to its end and returns its beginning. DuckDB would take what it gets of an archive that was cut, and stumbles over
 * bytes that are not UTF-8; so both are looked for first, which costs little beside parsing.
 */
async function readThrough(source: ByteSource, name: string): Promise<string> {
  const buffer = new Uint8Array(1 << 20);
  let head: Uint8Array | null = null;
  let position = 0;
  let line = 1;
  let end = 0; // bytes in the buffer, a letter that was cut at its end included
  for (;;) {
    const count = await source.read(buffer.subarray(end));
    end += count;
    const bytes = buffer.subarray(0, count === 0 ? end : wholeLetters(buffer, end));
    const valid = validPrefix(bytes);
    if (valid < bytes.length || bytes.includes(0)) {
      const zero = bytes.indexOf(0);
      const at = zero === -1 ? valid : zero;
      for (let i = 0; i < at; i++) if (bytes[i] === 10) line++;
      const what = zero === -1 ? 'expected UTF-8 text; got other bytes' : 'expected text; got binary data';
      throw new HalfspaceError('source-corrupt', what, { source: name, line, byte: position + at });
    }
    for (const byte of bytes) if (byte === 10) line++;
    head ??= bytes.slice(0, headBytes);
    position += bytes.length;
    buffer.copyWithin(0, bytes.length, end);
    end -= bytes.length;
    if (count === 0) return new TextDecoder().decode(head);
  }
}

/** The length without a letter that is cut at the end. */
function wholeLetters(bytes: Uint8Array, end: number): number {
  let start = end - 1;
  while (start > 0 && start > end - 4 && (bytes[start]! & 0xc0) === 0x80) start--;
  const first = bytes[start]!;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start + length > end ? start : end;
}

/** How many bytes at the front are UTF-8. */
function validPrefix(bytes: Uint8Array): number {
  if (isUtf8(bytes)) return bytes.length;
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUtf8(bytes.subarray(0, wholeLetters(bytes, middle)))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

/** Text that DuckDB reads at a time, for each thread; a line must fit in it. */
const bufferBytes = 4 << 20;

/** Rows looked at to tell a header from data. */
const headerSample = 1000;

async function openText(
  { path, name }: TableFile,
  format: 'csv' | 'tsv',
  head: string,
  options: RelationOptions,
): Promise<Relation> {
  const { delimiter, quote } = await sniff(path, format, head);
  const dialect = `delim=${literal(delimiter)}, quote=${literal(quote)}, escape=${literal(quote)}, buffer_size=${bufferBytes}`;
  const width = firstRecord(head, delimiter, quote).length;
  const types = `{${Array.from({ length: width }, (_, i) => `'c${i}': 'VARCHAR'`).join(', ')}}`;
  const reader = (more: string) =>
    `read_csv(${literal(path)}, auto_detect=false, ${dialect}, columns=${types}, ${more})`;
  const lenient = head.includes('\r\n') && (await mixesLineEnds(reader('header=false'))) ? 'strict_mode=false, ' : '';
  const sampled = await query(
    `SELECT * FROM ${reader(`${lenient}header=false, ignore_errors=true, null_padding=true`)} LIMIT ${headerSample}`,
  );
  if (sampled.length === 0) throw new HalfspaceError('source-empty', 'expected a table; got no line', { source: name });
  const rows = sampled.map((row) => Object.values(row).map((cell) => (cell === null ? '' : String(cell).trim())));
  const [first, ...others] = rows;
  const plainlyNone = !looksLikeHeader(first!, others);
  const header = options.header ?? !plainlyNone;
  const names = header ? uniqueNames(first!) : first!.map((_, i) => `column${i}`);
  const rejects = options.skip ? ', store_rejects=true, rejects_limit=0' : '';
  return {
    name,
    from: reader(`${lenient}header=${header}${rejects}`),
    header,
    columns: names.map((column, i) => ({ name: column, text: `c${i}`, nested: false })),
    rejects: options.skip ? name : null,
    notes:
      options.header === undefined && plainlyNone
        ? [`the first line of ${name} looks like data: columns are named column0, column1, …`]
        : [],
  };
}

/** A header names every column, no name is a number, none comes twice, and none occurs again below in its own column. */
function looksLikeHeader(first: readonly string[], others: readonly (readonly string[])[]): boolean {
  if (first.some((cell) => cell === '' || cell === '?' || Number.isFinite(Number(cell)))) return false;
  if (new Set(first).size !== first.length) return false;
  return !first.some((cell, i) => others.some((row) => row[i] === cell));
}

/** Names given with --header may be empty or repeated: those are numbered. */
function uniqueNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name, i) => {
    let unique = name === '' ? `column${i}` : name;
    while (seen.has(unique)) unique = `${unique}_${i}`;
    seen.add(unique);
    return unique;
  });
}

/** Whether a file has both kinds of line ends, which DuckDB reads only when it is told to be lenient. */
async function mixesLineEnds(reader: string): Promise<boolean> {
  try {
    await query(`SELECT count(*) FROM ${reader}`);
    return false;
  } catch (error) {
    return /invalid state/.test(String((error as Error).message));
  }
}

/** The cells of the first line of a text, which may hold line ends in quotes. */
function firstRecord(text: string, delimiter: string, quote: string): string[] {
  const cells = [''];
  let quoted = false;
  for (const letter of text) {
    if (quote !== '' && letter === quote) quoted = !quoted;
    else if (!quoted && letter === delimiter) cells.push('');
    else if (!quoted && letter === '\n') {
      if (cells.length > 1 || cells[0]!.trim() !== '') break;
    } else cells[cells.length - 1] += letter;
  }
  return cells;
}

interface Dialect {
  readonly delimiter: string;
  readonly quote: string;
}

/** Delimiter and quote of a text table. Tab-separated files often hold stray quotes: there quoting must prove itself. */
async function sniff(path: string, format: 'csv' | 'tsv', head: string): Promise<Dialect> {
  if (format === 'tsv') {
    const counts = await Promise.all(
      ['"', ''].map((quote) =>
        query(
          `SELECT count(*) AS n FROM read_csv(${literal(path)}, all_varchar=true, header=false, delim='\t', quote=${literal(quote)}, escape=${literal(quote)})`,
        )
          .then(([row]) => Number(row!.n))
          .catch(() => -1),
      ),
    );
    return { delimiter: '\t', quote: counts[0] === counts[1] ? '"' : '' };
  }
  return { delimiter: chooseDelimiter(head), quote: '"' };
}

/** Lines looked at to find the delimiter. */
const delimiterSample = 20;

/** The delimiter that comes equally often in every line, and more often than others that do; else the first line's commonest. */
function chooseDelimiter(head: string): string {
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > 1 && head.length >= headBytes) lines.pop();
  const counts = [',', ';', '\t', '|'].map((delimiter) => {
    const perLine = lines
      .slice(0, delimiterSample)
      .map((line) => line.replaceAll(/"[^"]*"/g, '').split(delimiter).length - 1);
    return { delimiter, first: perLine[0] ?? 0, even: perLine.every((count) => count === perLine[0]) };
  });
  const even = counts.filter((each) => each.even && each.first > 0);
  const [best] = (even.length > 0 ? even : counts).sort((a, b) => b.first - a.first);
  return best!.first > 0 ? best!.delimiter : ',';
}
