import type { LabelNames } from './label-names.ts';
import type { ByteSource } from './source.ts';

const newline = 10;
const bar = 124;
const quote = 39;
/** Bytes of a line within which its label ends; a longer one is left to the parser, whole and in pieces. */
const longestLabel = 4096;
/** Bytes of a source that decide if its labels are words. */
const headBytes = 64 * 1024;

/** Returns the first bytes of a source: as many as one reading gives, and more while they are blank lines. */
export async function headOf(source: ByteSource): Promise<Uint8Array> {
  const head = new Uint8Array(headBytes);
  let length = 0;
  while (length < headBytes) {
    const count = await source.read(head.subarray(length));
    length += count;
    if (count === 0 || firstLabel(head.subarray(0, length)) !== null) break;
  }
  return head.subarray(0, length);
}

/** Tests if the first label of Vowpal Wabbit text is a word, as by its option `--named_labels`. */
export function hasWordLabels(head: Uint8Array): boolean {
  const at = firstLabel(head);
  if (at === null || at.from === at.to) return false;
  return !/^[+-]?(?:[\d.]|nan$|inf(?:inity)?$)/i.test(textOf(head.subarray(at.from, at.to)));
}

/** Returns where the first label of a text stands, as {@link labelIn} does, behind a byte order mark. */
function firstLabel(text: Uint8Array) {
  const isMarked = text[0] === 0xef;
  return isMarked && text.length < 3 ? null : labelIn(text, isMarked ? 3 : 0);
}

/** Returns where the first label stands from a position on; empty if a line has none; null if its end is not there. */
function labelIn(bytes: Uint8Array, start: number): { readonly from: number; readonly to: number } | null {
  let from = start;
  let line = 0;
  for (; isBlank(bytes[from]) || bytes[from] === newline; from++) if (bytes[from] === newline) line = from + 1;
  if (from === bytes.length) return null;
  // A tag stands directly before the bar, or begins with a quote.
  if (bytes[from] === bar || bytes[from] === quote) return { from, to: from };
  for (let to = from; to < bytes.length; to++) {
    if (bytes[to] === bar || to - line >= longestLabel) return { from, to: from };
    if (isBlank(bytes[to]) || bytes[to] === newline) return { from, to };
  }
  return null;
}

/** Returns a source that begins with bytes that were read of it. */
export function replayed(head: Uint8Array, source: ByteSource): ByteSource {
  let at = 0;
  return {
    name: source.name,
    read(target) {
      if (at === head.length) return source.read(target);
      const count = Math.min(target.length, head.length - at);
      target.set(head.subarray(at, at + count));
      at += count;
      return count;
    },
    close: () => source.close?.(),
  };
}

/**
 * Returns Vowpal Wabbit text whose labels are replaced by the numbers of their words. A number is filled up with blanks
 * to the length of its word, so that places in messages stay where they are, as far as possible.
 */
export function numberedLabels(source: ByteSource, labels: LabelNames): ByteSource {
  const input = new Uint8Array(headBytes);
  const encoder = new TextEncoder();
  let pending = new Uint8Array(0);
  let at = 0;
  /** The beginning of a line whose label may not be complete. */
  let begun = new Uint8Array(0);
  let isInLine = false;
  let isFirst = true;
  let isEnded = false;

  const take = (bytes: Uint8Array): Uint8Array => {
    const parts: Uint8Array[] = [];
    let from = 0;
    while (from < bytes.length) {
      if (!isInLine) {
        const end = bytes.indexOf(newline, from);
        const line = bytes.subarray(from, end === -1 ? bytes.length : end + 1);
        const label = isFirst ? firstLabel(line) : labelIn(line, 0);
        if (label === null && end === -1 && !isEnded && line.length < longestLabel) {
          begun = line.slice();
          return joined(parts);
        }
        isInLine = true;
        isFirst = false;
        if (label !== null && label.to > label.from) {
          const number = String(labels.numberOf(textOf(line.subarray(label.from, label.to))));
          parts.push(line.subarray(0, label.from), encoder.encode(number.padEnd(label.to - label.from)));
          from += label.to;
        }
      }
      const end = bytes.indexOf(newline, from);
      const to = end === -1 ? bytes.length : end + 1;
      parts.push(bytes.subarray(from, to));
      isInLine = end === -1;
      from = to;
    }
    return joined(parts);
  };

  return {
    name: source.name,
    async read(target) {
      while (at === pending.length && !isEnded) {
        const count = await source.read(input);
        isEnded = count === 0;
        const bytes = joined([begun, input.subarray(0, count)]);
        begun = new Uint8Array(0);
        pending = take(bytes) as Uint8Array<ArrayBuffer>;
        at = 0;
      }
      const count = Math.min(target.length, pending.length - at);
      target.set(pending.subarray(at, at + count));
      at += count;
      return count;
    },
    close: () => source.close?.(),
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 13;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
