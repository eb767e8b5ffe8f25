import { type ErrorCode, HalfspaceError, type Place, quote } from '../../errors.ts';
import { structuresIn } from '../../features/record.ts';
import { type BytePieces, byteText, readableUtf8, utf8 } from '../byte-text.ts';
import type { Row, RowPieces } from '../row-scan.ts';
import { isListed, type SourceColumn } from '../table.ts';
import { notUtf8 } from '../transcode.ts';
import { documentRows, listNames, listRow } from './document.ts';
import {
  deepest,
  type JsonCell,
  type JsonFault,
  nested,
  ObjectReader,
  parsed,
  type TellShape,
  withoutNaN,
} from './object.ts';
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
  /** Called for each object within an object; see `ObjectReader`. @returns the error of it; null: none. */
  readonly onShape?: (name: string, shape: Parameters<TellShape>[1]) => string | null;
  /** Called with a note on the shape of the text, if it is no list and no sequence of objects. */
  readonly onDocument?: (note: string) => void;
  /** False: a lone object is a row, because the rows of a pipe cannot wait for its end. Default: it has all rows. */
  readonly readsDocuments?: boolean;
  /** True: NaN and infinities, which are no JSON, are put as words. Default false: NaN is missing. */
  readonly keepsNaN?: boolean;
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
  const isLines = layout === 'lines';
  /** Names in the first of several lists. */
  let names: readonly string[] | null = null;
  /** An object that is a document if no other follows; null: there is one. */
  let alone: JsonText | null | undefined = columns.readsDocuments === false ? null : undefined;
  const put = ({ text: bytes, line }: JsonText) => {
    const text = utf8(bytes);
    if (text?.trimStart()[0] !== '[' || !isValid(text)) {
      rows.push(rowOf(reader, bytes, text, isLines ? { source, line } : { source, row: ++count }, columns));
      return;
    }
    const isFirst = names === null;
    names ??= listNames(text);
    if (isFirst && names !== null) {
      columns.onDocument?.('the first list has the names');
      return;
    }
    const where = isLines ? { source, line } : { source, row: ++count };
    const row = names === null ? { fault: malformedText(text) } : listRow(names, text);
    if ('row' in row) rows.push(rowOf(reader, text, row.row, where, columns));
    else rows.push(refused('row-malformed', row.fault, where, text));
  };
  const take = (value: JsonText) => {
    if (broken !== null) return;
    if (value.fault !== null) {
      const where = isLines ? { source, line: value.line } : { source, row: count + 1 };
      broken = faultOf(value.fault, value.text, where, layout);
    } else if (alone === undefined && splitter instanceof ValueSplitter && !splitter.isList) alone = value;
    else {
      if (alone) put(alone);
      alone = null;
      put(value);
    }
  };
  const splitter: JsonSplitter = isLines ? new LineSplitter(take) : new ValueSplitter(take);
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
  const last = alone as JsonText | null | undefined;
  if (last && broken === null) {
    const text = utf8(last.text);
    const found = text !== null && text[0] === '{' && isValid(text) ? documentRows(text) : null;
    if (found === null) put(last);
    else if ('fault' in found) throw new HalfspaceError('row-malformed', found.fault, { source });
    else {
      columns.onDocument?.(found.note);
      for (const row of found.rows) {
        rows.push(rowOf(reader, row, row, { source, row: ++count }, columns));
        if (rows.length < most) continue;
        yield rows;
        rows = [];
      }
    }
  }
  if (rows.length > 0) yield rows;
  if (broken !== null) throw broken;
}

function isValid(text: string): boolean {
  return parsed(withoutNaN(text)) !== undefined;
}

/**
 * Returns columns that are known in advance. Lists in columns of no lists are errors, and objects unless columns have
 * their fields; members of other names are ignored.
 */
export function knownColumns(columns: readonly SourceColumn[]): JsonColumns {
  const structures = structuresIn(columns.map(({ name }) => name));
  const positions = new Map(columns.flatMap(({ name, type }, c) => (type === 'nested' ? [] : [[name, c]])));
  return {
    width: columns.length,
    begin: () => new Array<string | null>(columns.length).fill(null),
    onShape: (name, shape) =>
      shape === 'fields' && positions.has(name) && !structures.has(name) ? 'expected a value; got an object' : null,
    put(cells, key, cell) {
      const position = positions.get(key);
      if (position === undefined) return null;
      const isList = typeof cell === 'object' && cell !== null;
      if (cell === nested || (isList && !isListed(columns[position]!))) return 'expected a value; got a list';
      cells[position] = isList ? cell.text : cell;
      return null;
    },
  };
}

function refused(code: ErrorCode, message: string, place: Place, text: string): Row {
  return { cells: [], rejected: () => ({ error: new HalfspaceError(code, message, place), text }), text };
}

/** @param text the decoded bytes; null: they are not UTF-8. */
function rowOf(reader: ObjectReader, bytes: string, text: string | null, where: Place, columns: JsonColumns): Row {
  const cells = columns.begin();
  if (text === null) {
    const shown = readableUtf8(bytes);
    return { cells: [], rejected: () => ({ error: notUtf8(bytes, where), text: shown }), text: shown };
  }
  let refusal: { readonly message: string; readonly field: string } | null = null;
  const tellShape: TellShape = (name, shape) => {
    const message = columns.onShape?.(name, shape) ?? null;
    if (message !== null) refusal ??= { message, field: name };
  };
  const fault = reader.read(
    text,
    (key, cell, isText) => {
      const isMissing = cell === 'NaN' && !isText && columns.keepsNaN !== true;
      const message = columns.put(cells, key, isMissing ? null : cell, isText);
      if (message !== null) refusal ??= { message, field: key };
    },
    tellShape,
  );
  if (fault !== null) return refused('row-malformed', messageOf(fault, text), where, text);
  if (refusal !== null) {
    const { message, field } = refusal as { message: string; field: string };
    return refused('row-malformed', message, { ...where, field }, text);
  }
  return { cells, rejected: null, text };
}

const malformedText = (text: string) => `expected an object per row; got ${quote(text)}`;

function messageOf(fault: JsonFault, text: string): string {
  // A list over several lines is taken for NDJSON: its first line is no JSON.
  if (fault === 'other' || text.trimStart().startsWith('[')) return malformedText(text);
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
