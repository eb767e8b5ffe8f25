import type { Random } from 'halfspace/internal';
import { bytesOf, type Json, textOf } from './target.ts';

const odd: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    2,
    0.5,
    3,
    255,
    65536,
    2 ** 28,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    1e200,
    -1e200,
    1e308,
    5e-324,
  ],
  ...['', 'a', '1', 'NaN', '__proto__', 'constructor', '\n', '\x1b[2J', '\ud800', 'AAAAAAAA8D8=', 'not base64!'],
  ...[[], {}, [0], [[]], [null], { kind: 'number' }, { length: 1e9 }],
];

/**
 * Changes one to three values of a JSON text; null for other text.
 *
 * @param finish called before the JSON is written again.
 */
export function mutateJson(
  bytes: Uint8Array,
  random: Random,
  finish: (value: Json) => unknown = (value) => value,
): Uint8Array | null {
  let value: unknown;
  try {
    value = JSON.parse(textOf(bytes));
  } catch {
    return null;
  }
  for (let changes = 1 + random.below(3); changes > 0; changes--) value = changed(value, random);
  try {
    return bytesOf(JSON.stringify(finish(value)) ?? 'null');
  } catch {
    return null;
  }
}

/** Returns the value with one of its parts changed, chosen by a random walk from the root. */
function changed(value: unknown, random: Random): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.length === 0 || random.below(8) === 0) return replacement(value, random);
  const key = keys[random.below(keys.length)]!;
  const copy: Json = Array.isArray(value) ? [...value] : { ...(value as object) };
  switch (random.below(10)) {
    case 0:
      if (Array.isArray(copy)) copy.splice(Number(key), 1);
      else delete copy[key];
      return copy;
    case 1:
      if (Array.isArray(copy)) copy.splice(Number(key), 0, copy[Number(key)]);
      else Object.defineProperty(copy, String(odd[20 + random.below(9)]), { value: copy[key], enumerable: true });
      return copy;
    case 2: {
      const from = keys[random.below(keys.length)]!;
      copy[key] = copy[from];
      return copy;
    }
    default:
      Object.defineProperty(copy, key, { value: changed(copy[key], random), enumerable: true, writable: true });
      return copy;
  }
}

function replacement(value: unknown, random: Random): unknown {
  if (typeof value === 'number' && random.below(2) === 0)
    return [value + 1, value - 1, -value, value * 1e300, value / 3, value * 2, 1 / value][random.below(7)];
  if (typeof value === 'string' && value.length > 0 && random.below(2) === 0) {
    const at = random.below(value.length);
    return [
      value.slice(0, at),
      value + value,
      value.slice(0, at) + String.fromCharCode(random.below(300)) + value.slice(at + 1),
    ][random.below(3)];
  }
  if (random.below(200) === 0) return nested(1 + random.below(20_000));
  return odd[random.below(odd.length)];
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let k = 0; k < depth; k++) value = k % 2 === 0 ? [value] : { a: value };
  return value;
}
