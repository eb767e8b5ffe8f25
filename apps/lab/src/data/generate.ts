import type { Label, Point } from './dataset.ts';

/**
 * Pseudorandom numbers, equal for equal seeds in every browser: uses only +, −, ×, shifts and square roots, which have
 * the same bits everywhere. Math.log and Math.sin may differ.
 *
 * State: 32 bits that take all 2³² values as a Weyl sequence (adds an odd constant from the golden ratio). Output: the
 * state mixed by shifts and two multiplications, as in splitmix (Steele, Lea & Flood 2014, Fast splittable
 * pseudorandom number generators). Good enough for pictures; not tested for other uses.
 */
export class Chance {
  #state: number;

  /** @param seed a whole number; its lowest 32 bits count. */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Uniform in [0, 1), a multiple of 2⁻³². */
  uniform(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
    bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
  }

  between(from: number, to: number): number {
    return from + (to - from) * this.uniform();
  }

  /**
   * Close to normal with mean 0 and deviation 1: the sum of twelve uniform numbers less 6 (Irwin–Hall), so always in
   * (−6, 6).
   */
  bell(): number {
    let sum = -6;
    for (let k = 0; k < 12; k++) sum += this.uniform();
    return sum;
  }

  /** Uniform in the disc of radius 1 about 0. */
  disc(): [x: number, y: number] {
    for (;;) {
      const [x, y] = [this.between(-1, 1), this.between(-1, 1)];
      if (x * x + y * y <= 1) return [x, y];
    }
  }

  /** A point of that disc as a unit vector and its distance from 0: a random direction without a sine. */
  direction(): [x: number, y: number, length: number] {
    const [dx, dy] = this.disc();
    const length = Math.sqrt(dx * dx + dy * dy) || 1;
    return [dx / length, dy / length, length];
  }

  /** Returns the numbers 0 … n − 1 in random order (Fisher & Yates). */
  permutation(n: number): number[] {
    const order = Array.from({ length: n }, (_, k) => k);
    for (let k = n - 1; k > 0; k--) {
      const other = Math.floor(this.uniform() * (k + 1));
      [order[k], order[other]] = [order[other]!, order[k]!];
    }
    return order;
  }
}

/** Rounds to three decimals, which are short to read in a file. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000 + 0;

export const pointAt = (x: number, y: number, label: Label): Point => ({ x: rounded(x), y: rounded(y), label });

/**
 * Normal of the line between generated clouds: a unit vector between right and up.
 */
const normal = [0.6, 0.8] as const;

/**
 * Makes two clouds on either side of a line with the normal (0.6, 0.8). The line has the largest margin: two positive
 * points and one negative point are at that distance, and the foot of the negative one is between the feet of the
 * others. All points are within 3.2 of the centre, which is on the line.
 *
 * @param margin in (0, 2]; exact up to rounding to three decimals.
 * @param count at least 4.
 */
export function separableClouds({
  margin,
  count,
  seed,
  centre: [centreX, centreY] = [1, 1.8],
}: {
  readonly margin: number;
  readonly count: number;
  readonly seed: number;
  readonly centre?: readonly [x: number, y: number];
}): Point[] {
  const chance = new Chance(seed);
  // Coordinates along the line and across it.
  const placed = (along: number, across: number): Point =>
    pointAt(
      centreX + normal[0] * across - normal[1] * along,
      centreY + normal[1] * across + normal[0] * along,
      across > 0 ? 1 : -1,
    );
  const tight = [placed(2, margin), placed(0, -margin), placed(-2, margin)];
  const loose: Point[] = [];
  for (let k = tight.length; k < count; k++) {
    const side = k % 2 === 0 ? 1 : -1;
    for (;;) {
      const [along, across] = [1.5 * chance.bell(), side * (margin + Math.abs(chance.bell()) + 0.02)];
      if (along * along + across * across > 10.24) continue;
      loose.push(placed(along, across));
      break;
    }
  }
  const all = [...tight, ...loose];
  return chance.permutation(all.length).map((k) => all[k]!);
}

/** Makes two clouds with deviation 0.8 about (2, 1.5) and (−2, −1.5); classes alternate. */
export function twoClouds({ count, seed }: { readonly count: number; readonly seed: number }): Point[] {
  const chance = new Chance(seed);
  return Array.from({ length: count }, (_, k) => {
    const label = k % 2 === 0 ? 1 : -1;
    for (;;) {
      const [x, y] = [0.8 * chance.bell(), 0.8 * chance.bell()];
      if (0.8 * x + 0.6 * y < -1.8 || 0.8 * x + 0.6 * y > 1.8) continue;
      return pointAt(label * 2 + x, label * 1.5 + y, label);
    }
  });
}

/**
 * Makes a cloud about each corner (±1.5, ±1.5): positive if exactly one coordinate is.
 *
 * @param spread deviation of each cloud; 0 with one point each: XOR itself.
 */
export function xorCorners({
  each,
  spread,
  seed,
}: {
  readonly each: number;
  readonly spread: number;
  readonly seed: number;
}): Point[] {
  const chance = new Chance(seed);
  const points: Point[] = [];
  for (let k = 0; k < each; k++)
    for (const [x, y] of [
      [1.5, 1.5],
      [1.5, -1.5],
      [-1.5, -1.5],
      [-1.5, 1.5],
    ] as const)
      points.push(pointAt(x + spread * chance.bell(), y + spread * chance.bell(), x * y > 0 ? -1 : 1));
  return points;
}

/** Options of clouds that noise spreads. */
interface Noisy {
  readonly count: number;
  readonly noise: number;
  readonly seed: number;
}

/** Makes two half rings, each around the end of the other. @param noise deviation about the rings. */
export function twoMoons({ count, noise, seed }: Noisy): Point[] {
  const chance = new Chance(seed);
  return Array.from({ length: count }, (_, k) => {
    const label = k % 2 === 0 ? 1 : -1;
    const [x, y] = chance.direction();
    return pointAt(
      2.4 * (label * x - label * 0.5) + noise * chance.bell(),
      2.4 * (label * Math.abs(y) - label * 0.2) + noise * chance.bell(),
      label,
    );
  });
}

/** Makes three clouds around the corners of a triangle; classes take turns. The classes are 0, 1 and 2. */
export function threeClouds({
  count,
  seed,
}: {
  readonly count: number;
  readonly seed: number;
}): { readonly x: number; readonly y: number; readonly cloud: number }[] {
  const chance = new Chance(seed);
  const centres = [
    [-2.2, -1.4],
    [2.2, -1.4],
    [0, 2.4],
  ] as const;
  return Array.from({ length: count }, (_, k) => {
    const cloud = k % centres.length;
    const [x, y] = centres[cloud]!;
    const { x: across, y: up } = pointAt(x + 0.85 * chance.bell(), y + 0.85 * chance.bell(), 1);
    return { x: across, y: up, cloud };
  });
}

/** Makes a disc of one class inside a ring of the other, around the origin. @param noise deviation about both. */
export function circles({ count, noise, seed }: Noisy): Point[] {
  const chance = new Chance(seed);
  return Array.from({ length: count }, (_, k) => {
    const label = k % 2 === 0 ? 1 : -1;
    const [x, y, length] = chance.direction();
    // The disc is filled, the ring is a circle.
    const radius = label > 0 ? 1.5 * length : 3.4;
    return pointAt(radius * x + noise * chance.bell(), radius * y + noise * chance.bell(), label);
  });
}

/** Makes two spirals, each the other one turned by half a turn. @param turns of each spiral. */
export function twoSpirals({
  count,
  turns,
  noise,
  seed,
}: {
  readonly count: number;
  readonly turns: number;
  readonly noise: number;
  readonly seed: number;
}): Point[] {
  const chance = new Chance(seed);
  const each = Math.ceil(count / 2);
  // A rotation by a small angle from a rational point of the circle: no sine. It turns by about 2·t.
  const t = (turns * 2 * Math.PI) / (2 * each);
  const [cos, sin] = [(1 - t * t) / (1 + t * t), (2 * t) / (1 + t * t)];
  let [x, y] = [1, 0];
  const points: Point[] = [];
  for (let k = 0; k < each; k++) {
    [x, y] = [x * cos - y * sin, x * sin + y * cos];
    const radius = 0.5 + (3.6 * (k + 1)) / each;
    for (const label of [1, -1] as const)
      if (points.length < count)
        points.push(
          pointAt(label * radius * x + noise * chance.bell(), label * radius * y + noise * chance.bell(), label),
        );
  }
  return points;
}

/**
 * Makes two clouds with a gap between them, about ±(1.6, 1.2); then each label is flipped by chance.
 *
 * @param flipped probability of a wrong label.
 */
export function noisyClouds({
  count,
  flipped,
  seed,
}: {
  readonly count: number;
  readonly flipped: number;
  readonly seed: number;
}): Point[] {
  const chance = new Chance(seed);
  return twoClouds({ count, seed }).map(({ x, y, label }) =>
    pointAt(0.8 * x, 0.8 * y, chance.uniform() < flipped ? (-label as Label) : label),
  );
}
