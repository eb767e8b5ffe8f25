import type { PackedShape } from '../data/packed.ts';
import type { ParserRecipe } from '../data/text-parser.ts';
import type { EndlessLine, RefusedLine, RowFacts } from '../data/text-reader.ts';
import type { ErrorCode, Place } from '../errors.ts';

/*
 * What passes between the thread that learns and those that parse for it.
 *
 * A file is cut into ranges of bytes; whoever is free takes the next one. A parser writes its rows into slots, pieces of shared
 * memory of its own, and sends a message for each part; the learning thread takes parts in the order of the ranges and gives
 * the slots back. The messages of a range come in order, the last one of kind `end`.
 */

/** Parts that a parser may have finished without their being taken. */
export const slotsPerThread = 4;

/** 32-bit words that all threads of a pool share. */
export const word = {
  /** Counts messages, so that the learning thread can sleep until one comes. */
  news: 0,
  /** Counts jobs, so that parsers can sleep until one comes. */
  jobs: 1,
  /** 1: parsers are to end. */
  ended: 2,
  /** From here on, a word per slot: 1 while it holds rows. */
  slots: 3,
} as const;

/** A parser's first data. */
export interface ParserSetup {
  /** Its end of a `MessagePort`. (By that name it would ask users of these types for those of Node.) */
  readonly port: unknown;
  readonly words: SharedArrayBuffer;
  readonly thread: number;
}

/** A file to be parsed. */
export interface ParseJob {
  readonly number: number;
  readonly descriptor: number;
  readonly name: string;
  readonly ranges: number;
  readonly rangeBytes: number;
  /** One word: the next range that nobody has taken. */
  readonly next: SharedArrayBuffer;
  readonly recipe: ParserRecipe;
  /** The compiled kernels; null: those in plain TypeScript. */
  readonly module: WebAssembly.Module | null;
}

/** What a parser tells of a range. */
export type ParseMessage = { readonly job: number; readonly range: number } & (
  | PackedRows
  | RefusedLine
  | EndlessLine
  | ParseFailure
  | { readonly kind: 'end' }
);

/** Rows in a slot. */
export interface PackedRows {
  readonly kind: 'rows';
  readonly shape: PackedShape;
  readonly lines: number;
  readonly facts: RowFacts;
  readonly slot: number;
  /** The slot's memory, when it is new. */
  readonly memory: SharedArrayBuffer | null;
  /** Names that the parser numbered for the first time. */
  readonly names: Uint8Array | null;
}

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
