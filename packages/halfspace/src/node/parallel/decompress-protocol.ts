import type { Compression } from '../../data/compression.ts';

/*
 * The protocol between a thread that decompresses a file and the thread that reads the result. They share a ring of
 * blocks: one fills them in order, the other empties them in order. Both only count, so neither needs a lock.
 */

/** Blocks of the ring, and bytes of a block. Together they bound the memory. */
export const blocks = 8;
export const blockBytes = 512 * 1024;

/** 32-bit words shared by both threads. The counts wrap. */
export const word = {
  /** Counts filled blocks; the reading thread sleeps on it. */
  filled: 0,
  /** Counts emptied blocks; the decompressing thread sleeps on it. */
  emptied: 1,
  /** 1: the decompressing thread must end. */
  ended: 2,
  /** The first of one word per block: the number of its bytes, or a value of {@link last}. */
  lengths: 3,
} as const;

/** Lengths of the last block, which has no bytes: the end, or an error, which is sent as a message. */
export const last = { end: -1, failure: -2 } as const;

/** The data that the thread starts with. */
export interface DecompressJob {
  /** The thread's `MessagePort`. (As `unknown`, because that type would make users of these types install Node's.) */
  readonly port: unknown;
  readonly descriptor: number;
  readonly name: string;
  readonly compression: Compression;
  readonly words: SharedArrayBuffer;
  /** Per block: the bytes of the archive that were read before it was filled. */
  readonly archiveBytes: SharedArrayBuffer;
  readonly ring: SharedArrayBuffer;
}

/** The number of words. */
export const words = word.lengths + blocks;
