/**
 * 1 / 10^places in two parts, so that m / 10^places costs two products and a sum instead of a division, which is what would
 * take longest in a pass over compact examples.
 *
 * `high` has 22 bits: m · high is exact for every 32-bit m. `low` is the rest, to 2⁻⁷⁵ of the whole, and so is the rounding of m · low. A
 * quotient m / 10^p is never nearer than 2⁻⁵⁴ · 10⁻ᵖ of itself to where the rounding of doubles turns. For p ≤ 6 the one
 * rounding of m · high + m · low therefore gives the very double that the division gives. For larger p it nearly always
 * does; `Kernels.compactInto` looks at every value.
 */
export interface SplitReciprocal {
  readonly high: number;
  readonly low: number;
}

/** The most decimal places that compact values have. */
export const mostPlaces = 9;

const reciprocals: readonly SplitReciprocal[] = Array.from({ length: mostPlaces + 1 }, (_, places) => {
  const ten = 10 ** places;
  const unit = 2 ** (21 + Math.ceil(Math.log2(ten)));
  const high = Math.floor(unit / ten) / unit;
  return { high, low: (1 - high * ten) / ten };
});

/** @param places in [0, 9]. */
export function splitReciprocal(places: number): SplitReciprocal {
  return reciprocals[places]!;
}

/** Writes `count` compact values, from position `start` on, to `target` at `at` as the doubles that they stand for. */
export function decodeInto(
  values: Int32Array,
  start: number,
  count: number,
  places: number,
  target: Float64Array | Float32Array,
  at: number,
): void {
  const { high, low } = splitReciprocal(places);
  for (let k = 0; k < count; k++) target[at + k] = values[start + k]! * high + values[start + k]! * low;
}
