import { closeSync, openSync, writeSync } from 'node:fs';

const bufferBytes = 1 << 22;

/**
 * A file written through one large buffer, so that the memory needed does not grow with the file. Call `room` before
 * writing into `bytes` from `end` on, and move `end`.
 */
export class ByteFile {
  /** @param {string} path */
  constructor(path) {
    this.descriptor = openSync(path, 'w');
    this.bytes = Buffer.allocUnsafe(bufferBytes);
    this.end = 0;
    this.flushed = 0;
  }

  /** Makes room for `count` bytes, at most the buffer's size. */
  room(count) {
    if (this.end + count > bufferBytes) this.flush();
  }

  text(text) {
    this.room(text.length);
    this.end += this.bytes.write(text, this.end, 'latin1');
  }

  flush() {
    for (let from = 0; from < this.end; ) from += writeSync(this.descriptor, this.bytes, from, this.end - from);
    this.flushed += this.end;
    this.end = 0;
  }

  /** Returns the number of bytes written. */
  close() {
    this.flush();
    closeSync(this.descriptor);
    return this.flushed;
  }
}

/** Writes decimal digits of a non-negative integer, at least `digits` of them. Returns the end. */
export function putInteger(bytes, at, value, digits) {
  let width = digits;
  for (let limit = 10 ** digits; value >= limit; limit *= 10) width++;
  for (let k = at + width - 1; k >= at; k--) {
    const tenth = (value / 10) >>> 0;
    bytes[k] = 48 + value - 10 * tenth;
    value = tenth;
  }
  return at + width;
}
