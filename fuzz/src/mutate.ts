import type { Random } from 'halfspace/internal';
import { bytesOf } from './target.ts';

/**
 * Texts that often break readers: extreme numbers, unusual spellings, control characters, names of built-in members.
 */
const nasty = [
  ...[
    'nan',
    'inf',
    '-inf',
    '1e999',
    '-1e999',
    '1e-999',
    '1e308',
    '1e200',
    '0x10',
    '1_0',
    '--1',
    '1.2.3',
    '.',
    '-',
    '1e',
    '-0',
    '0',
  ],
  ...['4294967295', '4294967296', '18446744073709551616', '9007199254740993', '1e22', '0.1', '5e-324', '9'.repeat(400)],
  ...[
    '',
    ' ',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '\n\n',
    '\0',
    '\x01',
    '\x1b[2J',
    '\x7f',
    '\x9b',
    '\u202e',
    '\ufeff',
    '\u2028',
    '\ufffd',
  ],
  ...[':', '::', '|', "'", '"', '""', ',', ',,', ';', '#', '{', '}', '[', ']', '\\', '/', '?', '*', '%'],
  ...[
    'null',
    'true',
    'NA',
    'undefined',
    '__proto__',
    'constructor',
    'toString',
    'length',
    'é',
    'e\u0301',
    '日本',
    '💥',
  ],
].map(bytesOf);

const join = (...parts: Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** Maximum length of an input after copies. Only the rare flood exceeds it. */
const longest = 1 << 14;

/** Mutates an input in one to four places; it may insert parts of `other`. */
export function mutate(input: Uint8Array, other: Uint8Array, words: readonly Uint8Array[], random: Random): Uint8Array {
  let bytes = input;
  for (let changes = 1 + random.below(4); changes > 0; changes--) bytes = change(bytes, other, words, random);
  return bytes.length > 16 * longest ? bytes.slice(0, 16 * longest) : bytes;
}

function change(bytes: Uint8Array, other: Uint8Array, words: readonly Uint8Array[], random: Random): Uint8Array {
  const { length } = bytes;
  const at = random.below(length + 1);
  const to = Math.min(length, at + (random.below(4) === 0 ? random.below(length + 1) : random.below(12)));
  const [before, behind] = [bytes.subarray(0, at), bytes.subarray(at)];
  const pick = (list: readonly Uint8Array[]) => list[random.below(list.length)]!;
  switch (random.below(12)) {
    case 0:
      return before.slice();
    case 1:
      return join(before, bytes.subarray(to));
    case 2:
      return length > longest ? before.slice() : join(bytes.subarray(0, to), behind);
    case 3:
    case 4: {
      const changed = bytes.slice();
      if (length > 0) changed[random.below(length)] = random.below(256);
      return changed;
    }
    case 5: {
      const changed = bytes.slice();
      if (length > 0) changed[random.below(length)]! ^= 1 << random.below(8);
      return changed;
    }
    case 6: {
      const from = random.below(other.length + 1);
      return join(before, other.subarray(from, from + random.below(40)), behind);
    }
    case 7:
      // A flood: one piece, repeated many times.
      if (random.below(20) !== 0) return join(before, pick(nasty), behind);
      return join(
        before,
        ...Array.from({ length: 1 + random.below(20_000) }, () => pick(words)).fill(pick(words)),
        behind,
      );
    case 8:
      return join(before, pick(nasty), bytes.subarray(to));
    default:
      return words.length === 0 ? join(before, pick(nasty), behind) : join(before, pick(words), bytes.subarray(to));
  }
}
