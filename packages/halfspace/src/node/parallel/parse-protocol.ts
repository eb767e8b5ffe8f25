import type { PackedShape } from '../../data/packed.ts';
import type { ParserRecipe } from '../../data/text-parser.ts';
import type { EndlessLine, RefusedLine } from '../../data/text-reader.ts';
import type { ErrorCode, Place } from '../../errors.ts';

/*
 * The protocol between the learning thread and the parsing threads.
 *
 * A file is cut into ranges of bytes; each thread takes the next free one. A parser puts the parts of its ranges, in
 * order, into its slots, one slot after the other. The learning thread takes parts in the order of ranges, so the part
 * it needs is always in the oldest full slot of some parser. Rows in a slot have the layout of the example store. Other
 * objects are sent as messages, before their slot is marked full; messages take far longer than everything else here.
 */

/** The number of finished parts that a parser may have waiting. */
export const slotsPerThread = 8;

/** 32-bit words shared by all threads of a pool. */
export const word = {
  /** Counts filled slots; the learning thread sleeps on it. */
  news: 0,
  /** Counts jobs; parsers sleep on it. */
  jobs: 1,
  /** 1: parsers must end. */
  ended: 2,
  /** The first of one word per slot: 1 while the slot is full. */
  slots: 3,
} as const;

/** Positions of the numbers in the header of a slot. */
export const header = {
  job: 0,
  range: 1,
  /** 1: the last part of its range. */
  last: 2,
  /** A value of {@link held}. */
  held: 3,
  /** 1: the slot has new memory, which is sent as a message. */
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
  /** Number of names that are new to the parser, and their bytes after the rows. */
  names: 14,
  nameBytes: 15,
  size: 16,
} as const;

/** Kinds of contents of a slot. */
export const held = { nothing: 0, rows: 1, message: 2 } as const;

/** The data that a parser starts with. */
export interface ParserSetup {
  /** The parser's `MessagePort`. (As `unknown`, because that type would make users of these types install Node's.) */
  readonly port: unknown;
  readonly words: SharedArrayBuffer;
  /** The headers of all slots. */
  readonly headers: SharedArrayBuffer;
  readonly thread: number;
}

/** A file to parse. */
export interface ParseJob {
  readonly number: number;
  readonly descriptor: number;
  readonly name: string;
  readonly ranges: number;
  readonly rangeBytes: number;
  /** See `TextBufferSizes.lineBytes`. */
  readonly lineBytes: number | undefined;
  /** One word: the next free range. */
  readonly next: SharedArrayBuffer;
  readonly recipe: ParserRecipe;
  /** The compiled kernels, a `WebAssembly.Module`, which types of Node lack; null: use those in TypeScript. */
  readonly module: object;
}

/** A message from a parser. */
export type ParseMessage = SharedArrayBuffer | RefusedLine | EndlessLine | ParseFailure;

/** The error that ended a parser's work on a range. */
export interface ParseFailure {
  readonly kind: 'failure';
  /** Null: not a refusal, but a bug. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly where: Place;
}

/** Returns the bytes [from, to) of a range. The last range goes to the end of the file, also if the file grows. */
export function rangeOf({ ranges, rangeBytes }: ParseJob, range: number): [from: number, to: number] {
  return [range * rangeBytes, range === ranges - 1 ? Infinity : (range + 1) * rangeBytes];
}

/** Returns the header of a slot, counted over all threads. */
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
