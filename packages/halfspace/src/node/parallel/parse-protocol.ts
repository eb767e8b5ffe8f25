import type { PackedShape } from '../../data/packed.ts';
import type { ParserRecipe } from '../../data/text-parser.ts';
import type { EndlessLine, RefusedLine } from '../../data/text-reader.ts';
import type { ErrorCode, Place } from '../../errors.ts';

/*
 * What passes between the thread that learns and those that parse for it.
 *
 * A file is cut into ranges of bytes; whoever is free takes the next one. A parser puts the parts of its ranges, in order, into
 * its slots, which it uses in turn; the learning thread takes parts in the order of the ranges, and so finds the one it wants
 * in some parser's oldest slot. Rows lie in a slot as they are in the example store. What numbers cannot say goes by message, sent
 * before its slot is marked as full: messages take far longer than everything else here.
 */

/** Parts that a parser may have finished without their being taken. */
export const slotsPerThread = 8;

/** 32-bit words that all threads of a pool share. */
export const word = {
  /** Counts what was put into slots, so that the learning thread can sleep until something is. */
  news: 0,
  /** Counts jobs, so that parsers can sleep until one comes. */
  jobs: 1,
  /** 1: parsers are to end. */
  ended: 2,
  /** From here on, a word per slot: 1 while it is full. */
  slots: 3,
} as const;

/** Positions of the numbers that describe what a slot holds. */
export const header = {
  job: 0,
  range: 1,
  /** 1: the range's last part. */
  last: 2,
  /** A value of {@link held}. */
  held: 3,
  /** 1: the slot's memory is new, and comes by message. */
  fresh: 4,
  lines: 5,
  zeroIndex: 6,
  unknown: 7,
  compact: 8,
  rows: 9,
  dimension: 10,
  stored: 11,
  weighted: 12,
  places: 13,
  /** Bytes of names that are new to the parser, behind the rows. */
  names: 14,
  size: 16,
} as const;

/** What a slot can hold. */
export const held = { nothing: 0, rows: 1, message: 2 } as const;

/** A parser's first data. */
export interface ParserSetup {
  /** Its end of a `MessagePort`. (By that name it would ask users of these types for those of Node.) */
  readonly port: unknown;
  readonly words: SharedArrayBuffer;
  /** The headers of all slots. */
  readonly headers: SharedArrayBuffer;
  readonly thread: number;
}

/** A file to be parsed. */
export interface ParseJob {
  readonly number: number;
  readonly descriptor: number;
  readonly name: string;
  readonly ranges: number;
  readonly rangeBytes: number;
  /** See `TextBufferSizes.lineBytes`. */
  readonly lineBytes: number | undefined;
  /** One word: the next range that nobody has taken. */
  readonly next: SharedArrayBuffer;
  readonly recipe: ParserRecipe;
  /** The compiled kernels; null: those in plain TypeScript. */
  readonly module: WebAssembly.Module | null;
}

/** What a parser sends by message. */
export type ParseMessage = SharedArrayBuffer | RefusedLine | EndlessLine | ParseFailure;

/** What ended a parser's work on a range. */
export interface ParseFailure {
  readonly kind: 'failure';
  /** Null: no refusal but a fault of the program. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly where: Place;
}

/** The bytes [from, to) of a range. The last one goes on to the end of the file, wherever that is by then. */
export function rangeOf({ ranges, rangeBytes }: ParseJob, range: number): [from: number, to: number] {
  return [range * rangeBytes, range === ranges - 1 ? Infinity : (range + 1) * rangeBytes];
}

/** The header of slot `slot` (counted over all threads). */
export function headerOf(headers: SharedArrayBuffer, slot: number): Float64Array {
  return new Float64Array(headers, slot * header.size * 8, header.size);
}

export function writeShape(to: Float64Array, shape: PackedShape): void {
  to[header.compact] = shape.kind === 'compact' ? 1 : 0;
  to[header.rows] = shape.rows;
  to[header.dimension] = shape.dimension;
  to[header.stored] = shape.stored;
  to[header.weighted] = shape.weighted ? 1 : 0;
  to[header.places] = shape.places ?? 0;
}

export function readShape(from: Float64Array): PackedShape {
  const common = {
    rows: from[header.rows]!,
    dimension: from[header.dimension]!,
    stored: from[header.stored]!,
    weighted: from[header.weighted] === 1,
  };
  return from[header.compact] === 1
    ? { kind: 'compact', ...common, places: from[header.places]! }
    : { kind: 'sparse', ...common };
}
