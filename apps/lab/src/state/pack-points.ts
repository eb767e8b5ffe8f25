import type { Label, Point } from '../data/dataset.ts';

/**
 * Points on a grid: coordinates are whole numbers over 10^decimals, counted from the least in as many bits as they
 * need.
 */
export interface PointGrid {
  readonly count: number;
  readonly decimals: number;
  /** The least numbers of each coordinate, and the bits of the others above them. */
  readonly least: readonly [x: number, y: number];
  readonly bits: readonly [x: number, y: number];
}

const mostDecimals = 6;
/** Bits beyond which numbers of 32 bits overflow. */
const mostBits = 30;

/** Packs points into bytes: for each one x, y and a bit for the class. Returns null if a coordinate is on no grid. */
export function packPoints(points: readonly Point[]): { readonly grid: PointGrid; readonly bytes: Uint8Array } | null {
  const decimals = decimalsOf(points.flatMap(({ x, y }) => [x, y]));
  if (points.length === 0 || decimals === null) return null;
  const scaled = points.map(({ x, y }) => [Math.round(x * 10 ** decimals), Math.round(y * 10 ** decimals)] as const);
  const least = [0, 1].map((k) => scaled.reduce((low, place) => Math.min(low, place[k]!), Infinity));
  const bits = [0, 1].map((k) => bitsOf(scaled.reduce((most, place) => Math.max(most, place[k]! - least[k]!), 0)));
  if (Math.max(...bits) > mostBits) return null;
  const writer = new Uint8Array(Math.ceil((points.length * (bits[0]! + bits[1]! + 1)) / 8));
  let at = 0;
  const write = (value: number, width: number) => {
    for (let bit = 0; bit < width; bit++, at++) writer[at >> 3]! |= ((value >>> bit) & 1) << (at & 7);
  };
  for (const [k, { label }] of points.entries()) {
    for (const axis of [0, 1]) write(scaled[k]![axis]! - least[axis]!, bits[axis]!);
    write(label > 0 ? 1 : 0, 1);
  }
  return { grid: { count: points.length, decimals, least: pair(least), bits: pair(bits) }, bytes: writer };
}

/** Returns packed points. @throws Error if the bytes are not as many as the grid says. */
export function unpackPoints({ count, decimals, least, bits }: PointGrid, bytes: Uint8Array): Point[] {
  const wanted = Math.ceil((count * (bits[0] + bits[1] + 1)) / 8);
  const isGrid = Number.isSafeInteger(count) && bits.every((width) => width >= 0 && width <= mostBits);
  if (!isGrid || wanted !== bytes.length) throw new Error(`expected ${wanted} bytes of points; got ${bytes.length}`);
  let at = 0;
  const read = (width: number) => {
    let value = 0;
    for (let bit = 0; bit < width; bit++, at++) value |= ((bytes[at >> 3]! >> (at & 7)) & 1) << bit;
    return value;
  };
  const place = (axis: 0 | 1) => (least[axis] + read(bits[axis])) / 10 ** decimals;
  return Array.from({ length: count }, () => {
    const [x, y] = [place(0), place(1)];
    return { x, y, label: (read(1) === 1 ? 1 : -1) as Label };
  });
}

/** Returns the number of decimals that all numbers are written with; null: some have more than a grid may have. */
function decimalsOf(numbers: readonly number[]): number | null {
  for (let decimals = 0; decimals <= mostDecimals; decimals++) {
    const scale = 10 ** decimals;
    if (
      numbers.every((value) => Math.abs(value * scale) < 2 ** mostBits && Math.round(value * scale) / scale === value)
    )
      return decimals;
  }
  return null;
}

const bitsOf = (most: number): number => (most === 0 ? 0 : Math.floor(Math.log2(most)) + 1);

const pair = ([a, b]: readonly number[]): readonly [number, number] => [a!, b!];
