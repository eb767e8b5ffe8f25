// A row of any layout as a list: its values other than 0 one after the other, and where their features lie. The kernels that look
// at a row several times, and at more than its weights, are then written once for all layouts, zeros cost nothing, written out or
// not, and compact values are decoded once.
//
// A list has three columns of `capacity` places, a multiple of 4 and at least 4 more than the longest row has values: values (f64),
// room for a number of the kernel's own (f64), places (u32); and 32 bytes after them, see `pad`. The place of feature j is
// base + (j << shift): an address, or the distance from one.

export const sparseRow = 0, denseRow = 1, compactRow = 2, singleRow = 3;

/** Lists row i and returns how many values it has. */
export function listNonzeros(
  layout: i32, i: i32,
  offsets: usize, indices: usize, values: usize, dimension: i32, high: f64, low: f64,
  list: usize, capacity: i32, base: usize, shift: i32,
): i32 {
  const isDense = layout == denseRow || layout == singleRow;
  // Of dense rows `value` moves on with the row, and features count from 0.
  let k: usize = 0, end = <usize>dimension, value = values;
  if (isDense) value += (<usize>i * <usize>dimension) << (layout == denseRow ? 3 : 2);
  else {
    k = load<u32>(offsets + ((<usize>i) << 2));
    end = load<u32>(offsets + ((<usize>i) << 2), 4);
  }
  const highs = f64x2.splat(high), lows = f64x2.splat(low), bases = i32x4.splat(<i32>base), zero = f64x2.splat(0);
  let x = list, place = list + ((<usize>capacity) << 4);

  // Four at a time: most often none of them is 0, or of dense rows all are.
  for (; k + 4 <= end; k += 4) {
    let front: v128, back: v128, j: v128;
    if (layout == compactRow) {
      const m = v128.load(value + (k << 2));
      front = decoded(m, highs, lows);
      back = decoded(v128.shuffle<i32>(m, m, 2, 3, 2, 3), highs, lows);
      j = i32x4.extend_low_i16x8_u(v128.load64_zero(indices + (k << 1)));
    } else {
      if (layout == singleRow) {
        front = f64x2.promote_low_f32x4(v128.load64_zero(value + (k << 2)));
        back = f64x2.promote_low_f32x4(v128.load64_zero(value + (k << 2), 8));
      } else {
        front = v128.load(value + (k << 3));
        back = v128.load(value + (k << 3), 16);
      }
      j = isDense ? i32x4.add(i32x4.splat(<i32>k), i32x4(0, 1, 2, 3)) : v128.load(indices + (k << 2));
    }
    const places = i32x4.add(i32x4.shl(j, shift), bases);
    const there = v128.and(f64x2.ne(front, zero), f64x2.ne(back, zero));
    if (i64x2.all_true(there)) {
      v128.store(x, front);
      v128.store(x, back, 16);
      v128.store(place, places);
      x += 32;
      place += 16;
    } else if (!isDense || v128.any_true(v128.or(f64x2.ne(front, zero), f64x2.ne(back, zero)))) {
      // Each is written, and the next over it if it is 0.
      store<f64>(x, f64x2.extract_lane(front, 0));
      store<u32>(place, i32x4.extract_lane(places, 0));
      let kept = <usize>(f64x2.extract_lane(front, 0) != 0);
      x += kept << 3, place += kept << 2;
      store<f64>(x, f64x2.extract_lane(front, 1));
      store<u32>(place, i32x4.extract_lane(places, 1));
      kept = <usize>(f64x2.extract_lane(front, 1) != 0);
      x += kept << 3, place += kept << 2;
      store<f64>(x, f64x2.extract_lane(back, 0));
      store<u32>(place, i32x4.extract_lane(places, 2));
      kept = <usize>(f64x2.extract_lane(back, 0) != 0);
      x += kept << 3, place += kept << 2;
      store<f64>(x, f64x2.extract_lane(back, 1));
      store<u32>(place, i32x4.extract_lane(places, 3));
      kept = <usize>(f64x2.extract_lane(back, 1) != 0);
      x += kept << 3, place += kept << 2;
    }
  }
  for (; k < end; k++) {
    let one: f64, j = <u32>k;
    if (layout == compactRow) {
      const m = <f64>load<i32>(value + (k << 2));
      one = m * high + m * low;
      j = load<u16>(indices + (k << 1));
    } else {
      one = layout == singleRow ? <f64>load<f32>(value + (k << 2)) : load<f64>(value + (k << 3));
      if (!isDense) j = load<u32>(indices + (k << 2));
    }
    store<f64>(x, one);
    store<u32>(place, <u32>base + (j << shift));
    const kept = <usize>(one != 0);
    x += kept << 3, place += kept << 2;
  }
  return <i32>((x - list) >> 3);
}

/**
 * Fills a list of `count` values up to a multiple of 4, with values 0 of a feature of no row, so that a kernel can go by twos and fours: a sum
 * starts at +0 and so is not changed by a product 0. That feature's 32 bytes are those after the list. Returns the new count.
 */
// @ts-ignore: decorator
@inline
export function pad(list: usize, capacity: i32, count: i32): i32 {
  const whole = (count + 3) & ~3;
  const nowhere = list + (<usize>capacity) * 20;
  for (let n = <usize>count; n < <usize>whole; n++) {
    store<f64>(list + (n << 3), 0);
    store<u32>(list + ((<usize>capacity) << 4) + (n << 2), <u32>nowhere);
  }
  return whole;
}

/** The values of the two lower 32-bit lanes, see compact.ts. */
// @ts-ignore: decorator
@inline
function decoded(m: v128, highs: v128, lows: v128): v128 {
  const whole = f64x2.convert_low_i32x4_s(m);
  return f64x2.add(f64x2.mul(whole, highs), f64x2.mul(whole, lows));
}
