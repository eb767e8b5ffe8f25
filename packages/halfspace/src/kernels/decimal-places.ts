/**
 * Returns 1 / 10^places in two parts, so that m / 10^places costs two products and a sum. A division would be the
 * slowest part of a pass over compact examples.
 *
 * `high` has 22 bits, so m · high is exact for every 32-bit m. `low` is the rest, within 2⁻⁷⁵ of the whole, like the
 * rounding of m · low. A quotient m / 10^p is never nearer than 2⁻⁵⁴ · 10⁻ᵖ (relative) to a rounding boundary of
 * doubles. So for p ≤ 6 the one rounding of m · high + m · low gives the same double as the division. For larger p it
 * nearly always does; `Kernels.compactInto` tests every value.
 */
interface SplitReciprocal {
  readonly high: number;
  readonly low: number;
}

/** Maximum number of decimal places of compact values. */
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

/** Decodes `count` compact values from position `start` on, and writes the doubles to `target` at `at`. */
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
