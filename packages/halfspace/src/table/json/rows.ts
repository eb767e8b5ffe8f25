import { type ErrorCode, HalfspaceError, type Place, quote } from '../../errors.ts';
import { type BytePieces, byteText, readableUtf8, utf8 } from '../byte-text.ts';
import type { Row, RowPieces } from '../row-scan.ts';
import { isListed, type SourceColumn } from '../table.ts';
import { notUtf8 } from '../transcode.ts';
import { deepest, type JsonCell, type JsonFault, nested, ObjectReader } from './object.ts';
import { type JsonSplitter, type JsonText, LineSplitter, longestObject, ValueSplitter } from './splitter.ts';

/**
 * Layout of objects in the text. `lines`: one per line; `values`: a list, or one after the other with any line ends.
 */
export type JsonLayout = 'lines' | 'values';

/** Makes the cells of a row from an object's members. */
export interface JsonColumns {
  /** Number of cells of a row. */
  readonly width: number;
  /** Called once per row, before its members. */
  begin(): (string | null)[];
  /** @param isText true if the member is a string. @returns the error of the member; null: none. */
  put(cells: (string | null)[], key: string, cell: JsonCell, isText: boolean): string | null;
}

/** Approximate maximum number of cells in a piece. */
const mostCells = 1 << 20;

/** Reads the rows of a table of JSON. @throws HalfspaceError if the beginning of the next row cannot be found. */
export async function* jsonRows(
  pieces: BytePieces,
  source: string,
  layout: JsonLayout,
  columns: JsonColumns,
): RowPieces {
  let rows: Row[] = [];
  let broken: HalfspaceError | null = null;
  let count = 0;
  const reader = new ObjectReader();
  const take = (value: JsonText) => {
    if (broken !== null) return;
    const where: Place = layout === 'lines' ? { source, line: value.line } : { source, row: ++count };
    if (value.fault === null) rows.push(rowOf(reader, value.text, where, columns));
    else broken = faultOf(value.fault, value.text, where, layout);
  };
  const splitter: JsonSplitter = layout === 'lines' ? new LineSplitter(take) : new ValueSplitter(take);
  // An object without members takes three bytes of text, but a row of all cells.
  const most = Math.max(64, Math.floor((3 * mostCells) / Math.max(1, columns.width)));
  for await (const text of byteText(pieces, source))
    for (let at = 0; at < text.length; at += most) {
      splitter.push(text.length <= most ? text : text.slice(at, at + most));
      if (rows.length > 0) yield rows;
      if (broken !== null) throw broken;
      rows = [];
    }
  splitter.end();
  if (rows.length > 0) yield rows;
  if (broken !== null) throw broken;
}

/**
 * Returns columns that are known in advance. Objects in them are errors, and lists in columns of no lists; members of
 * other names are ignored.
 */
export function knownColumns(columns: readonly SourceColumn[]): JsonColumns {
  const positions = new Map(columns.flatMap(({ name, type }, c) => (type === 'nested' ? [] : [[name, c]])));
  return {
    width: columns.length,
    begin: () => new Array<string | null>(columns.length).fill(null),
    put(cells, key, cell) {
      const position = positions.get(key);
      if (position === undefined) return null;
      const isList = typeof cell === 'object' && cell !== null;
      if (cell === nested || (isList && !isListed(columns[position]!)))
        return 'expected a value; got a list or an object';
      cells[position] = isList ? cell.text : cell;
      return null;
    },
  };
}

function rowOf(reader: ObjectReader, bytes: string, where: Place, columns: JsonColumns): Row {
  const cells = columns.begin();
  const text = utf8(bytes);
  const refused = (code: ErrorCode, message: string, place = where): Row => ({
    cells: [],
    rejected: () => ({ error: new HalfspaceError(code, message, place), text: shown }),
    text: shown,
  });
  const shown = text ?? readableUtf8(bytes);
  if (text === null) return { cells: [], rejected: () => ({ error: notUtf8(bytes, where), text: shown }), text: shown };
  let refusal: { readonly message: string; readonly field: string } | null = null;
  const fault = reader.read(text, (key, cell, isText) => {
    const message = columns.put(cells, key, cell, isText);
    if (message !== null) refusal ??= { message, field: key };
  });
  if (fault !== null) return refused('row-malformed', messageOf(fault, text));
  if (refusal !== null) {
    const { message, field } = refusal as { message: string; field: string };
    return refused('row-malformed', message, { ...where, field });
  }
  return { cells, rejected: null, text };
}

function messageOf(fault: JsonFault, text: string): string {
  // A list over several lines is taken for NDJSON: its first line is no JSON.
  if (fault === 'other' || text.trimStart().startsWith('[')) return `expected an object per row; got ${quote(text)}`;
  if (fault === 'deep') return tooDeep();
  if (fault === 'syntax') return `expected JSON; got ${quote(text)}`;
  return `expected every key of an object once; got ${quote(fault.twice)} twice`;
}

/** Made when it is needed: the first number that is formatted for a language takes longer than reading a small file. */
const tooDeep = () => `expected JSON nested at most ${deepest.toLocaleString('en')} levels deep; got deeper nesting`;

function faultOf(
  fault: NonNullable<JsonText['fault']>,
  text: string,
  where: Place,
  layout: JsonLayout,
): HalfspaceError {
  switch (fault) {
    case 'deep':
      return new HalfspaceError('row-malformed', tooDeep(), where);
    case 'long':
      return new HalfspaceError(
        'row-malformed',
        `expected ${layout === 'lines' ? 'lines' : 'JSON objects'} of at most ${longestObject.toLocaleString('en')} bytes; got a longer one`,
        where,
      );
    case 'cut':
      return new HalfspaceError('source-corrupt', 'expected JSON; got the end of the data within it', where);
    default:
      return new HalfspaceError('source-corrupt', `expected JSON; got ${quote(text)}`, where);
  }
}
