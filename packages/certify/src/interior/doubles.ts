import type { SparseBatch } from 'halfspace/rules';

/**
 * Returns canonical rows as doubles: each number as the nearest double, or within a share of 2⁻⁵³ of it.
 *
 * @param lines rows that the checker has read, so their form is right.
 */
export function doublesOf(lines: readonly string[], dimension: number): SparseBatch {
  const offsets = new Uint32Array(lines.length + 1);
  const labels = new Float64Array(lines.length);
  let indices = new Uint32Array(1 << 14);
  let values = new Float64Array(1 << 14);
  let end = 0;
  lines.forEach((line, i) => {
    labels[i] = line.startsWith('+') ? 1 : -1;
    for (let blank = line.indexOf(' '); blank >= 0; ) {
      const colon = line.indexOf(':', blank);
      const next = line.indexOf(' ', colon);
      if (end === indices.length) {
        indices = longer(indices);
        values = longer(values);
      }
      indices[end] = Number(line.slice(blank + 1, colon));
      values[end++] = doubleOf(line.slice(colon + 1, next < 0 ? undefined : next));
      blank = next;
    }
    offsets[i + 1] = end;
  });
  return { kind: 'sparse', rows: lines.length, dimension, offsets, indices, values, labels, importance: null };
}

/** Returns the double of 3, -25e-1 (−25/10) or 5p-3 (5/2³). The power is in two parts: it may be below doubles. */
function doubleOf(text: string): number {
  const at = text.indexOf('p');
  if (at < 0) return Number(text);
  const places = Number(text.slice(at + 2));
  const half = places >> 1;
  return Number(text.slice(0, at)) * 2 ** -half * 2 ** (half - places);
}

function longer<T extends Uint32Array | Float64Array>(array: T): T {
  const copy = new (array.constructor as new (length: number) => T)(2 * array.length);
  copy.set(array as never);
  return copy;
}
