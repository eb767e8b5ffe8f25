import fc from 'fast-check';

/** A result of JSON.parse. */
// biome-ignore lint/suspicious/noExplicitAny: whatever is in the text
export type Json = any;
export type Bytes = Uint8Array;
export const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);
export const textOf = (bytes: Bytes): string => new TextDecoder().decode(bytes);

/** Texts that often break readers: extreme numbers, unusual spellings, control characters, names of built-in members. */
const nasty = [
  ...['nan', '-inf', '1e999', '1e308', '0x10', '1_0', '--1', '1.2.3', '.', '-', '1e', '-0', '0', '9'.repeat(400)],
  ...['4294967296', '18446744073709551616', '9007199254740993', '5e-324', '', ' ', '\t', '\r', '\n', '\r\n', '\n\n'],
  ...['\0', '\x01', '\x1b[2J', '\x7f', '\u202e', '\ufeff', '\u2028', '\ufffd', '💥', 'e\u0301', '?', '*', '%', '\\'],
  ...[':', '::', '|', "'", '"', '""', ',', ',,', ';', '#', '{', '}', '[', ']', 'null', 'true', 'NA', 'undefined'],
  ...['__proto__', 'constructor', 'length', '{"a":1}', '\xff\xff\xff\xff', '\n1 1:1\n', '1,2,p\n'],
].map(bytesOf);
const odd: readonly unknown[] = [
  ...[null, true, false, 0, -0, 1, -1, 2, 0.5, 255, 65536, 2 ** 28, 2 ** 31, 2 ** 32, 2 ** 53, 1e200, -1e308, 5e-324],
  ...['', 'a', '1', 'NaN', '__proto__', 'constructor', '\n', '\x1b[2J', '\ud800', 'AAAAAAAA8D8=', [], {}, [0], [[]]],
  ...[[null], { kind: 'number' }, { length: 1e9 }, JSON.parse(`${'['.repeat(5000)}1${']'.repeat(5000)}`)],
];

const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** A change of bytes or of a JSON value. Places are parts of the length, so that an edit fits every input. */
export const edits = fc.array(
  fc.record({
    how: fc.nat(9),
    at: part,
    length: fc.oneof({ weight: 3, arbitrary: fc.nat(12) }, fc.nat(4096)),
    byte: fc.nat(255),
    piece: fc.constantFrom(...nasty),
    times: fc.oneof({ weight: 30, arbitrary: fc.constant(1) }, fc.nat(20_000)),
    path: fc.array(part, { maxLength: 8 }),
    value: fc.constantFrom(...odd),
  }),
  { minLength: 1, maxLength: 4 },
);
type Edit = typeof edits extends fc.Arbitrary<(infer T)[]> ? T : never;

/** Returns the bytes with all edits made, in the value if they are JSON and `inValue` says so. */
export function changed(bytes: Bytes, other: Bytes, some: readonly Edit[], inValue: boolean): Bytes {
  if (inValue)
    try {
      let value = JSON.parse(textOf(bytes));
      for (const edit of some) value = changedValue(value, edit.path, edit);
      return bytesOf(JSON.stringify(value) ?? 'null');
    } catch {
      // It is no JSON.
    }
  return some.reduce((before, edit) => changedBytes(before, other, edit), bytes);
}

function changedBytes(bytes: Bytes, other: Bytes, { how, at, length, byte, piece, times }: Edit): Bytes {
  const place = Math.floor(at * (bytes.length + 1));
  const [before, behind] = [bytes.subarray(0, place), bytes.subarray(place)];
  const copy = bytes.slice();
  switch (how) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, behind.subarray(length)]);
    case 2:
      return Buffer.concat([before, behind.subarray(0, length), behind]);
    case 3:
      copy[place] = byte;
      return copy;
    case 4:
      copy[place]! ^= 1 << (byte & 7);
      return copy;
    case 5: {
      const from = Math.floor(at * other.length * (byte / 256));
      return Buffer.concat([before, other.subarray(from, from + length), behind]);
    }
    case 6: {
      // A number of 32 bits, as binary formats have for lengths.
      const view = new DataView(copy.buffer, copy.byteOffset, copy.length);
      const aligned = place & ~3;
      if (aligned + 4 <= copy.length)
        view.setInt32(aligned, [0, 1, -1, 2 ** (byte & 31), view.getInt32(aligned, true) + 1][byte % 5]!, true);
      return copy;
    }
    default:
      return Buffer.concat([before, ...Array<Bytes>(times).fill(piece), how === 7 ? behind : behind.subarray(length)]);
  }
}

/** Returns the value with the part at the end of the path changed. */
function changedValue(value: Json, path: readonly number[], edit: Edit): Json {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const [first, ...more] = path;
  if (first === undefined || keys.length === 0) {
    if (typeof value === 'number' && edit.how < 5)
      return [value + 1, -value, value * 1e300, value / 3, 1 / value][edit.how];
    return typeof value === 'string' && edit.how < 5 ? value.slice(0, edit.length) + edit.byte : edit.value;
  }
  const key = keys[Math.floor(first * keys.length)]!;
  if (Array.isArray(value)) {
    const copy: Json[] = [...value];
    if (edit.how === 8) copy.splice(Number(key), 1);
    else if (edit.how === 9) copy.splice(Number(key), 0, copy[Number(key)]);
    else copy[Number(key)] = changedValue(copy[Number(key)], more, edit);
    return copy;
  }
  // `fromEntries` keeps a member named __proto__.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (name !== key) return [[name, member]];
      if (edit.how === 8) return [];
      return [[edit.how === 9 ? String(edit.value) : name, changedValue(member, more, edit)]];
    }),
  );
}
