// A row of any layout as a list: its values other than 0 one after the other, and where their features lie. The kernels that look
// at a row several times, and at more than its weights, are then written once for all layouts, zeros cost nothing, written out or
// not, and compact values are decoded once.
//
// A list has three columns of `capacity` places, a multiple of 4 and at least 4 more than the longest row has values: values (f64),
// room for a number of the kernel's own (f64), places (u32); and 32 bytes after them. The place of feature j is
// base + (j << shift): an address, or the distance from one. The list is filled up to a multiple of 4, with values 0 of a feature
// of no row whose place are those 32 bytes, so that a kernel can go by twos and fours: a sum starts at +0 and so is not changed by a product 0.
// Lists are written sixteen bytes at a time and read so: a load waits for stores that it does not lie in one of.

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
  const nowhere = i32x4.splat(<i32>(list + (<usize>capacity) * 20));
  let x = list, place = list + ((<usize>capacity) << 4);

  // Four at a time, of which most often none is 0, or of dense rows all are. The last four may be less; what is read beyond them is
  // memory (readBeyond of src/kernels/wasm.ts), but no part of the row.
  for (; k < end; k += 4) {
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
    const rest = i32x4.splat(<i32>(end - k));
    const isPart = i32x4.gt_s(rest, i32x4(0, 1, 2, 3));
    const places = v128.bitselect(i32x4.add(i32x4.shl(j, shift), bases), nowhere, isPart);
    const inFront = i64x2.extend_low_i32x4_s(isPart), inBack = i64x2.extend_high_i32x4_s(isPart);
    front = v128.and(front, inFront);
    back = v128.and(back, inBack);
    const atFront = f64x2.ne(front, zero), atBack = f64x2.ne(back, zero);
    v128.store(x, front);
    v128.store(x, back, 16);
    v128.store(place, places);
    if (i64x2.all_true(v128.and(v128.or(atFront, v128.not(inFront)), v128.or(atBack, v128.not(inBack))))) {
      const count = min<usize>(4, end - k);
      x += count << 3;
      place += count << 2;
    } else {
      // Two by two: both are written, the second in place of the first if that is 0, and the next over what is not there.
      const first = i64x2.extract_lane(atFront, 0), third = i64x2.extract_lane(atBack, 0);
      v128.store(x, v128.bitselect(front, v128.shuffle<f64>(front, front, 1, 1), i64x2.splat(first)));
      store<u64>(place, i64x2.extract_lane(places, 0) >> (~first & 32));
      let kept = <usize>-(first + i64x2.extract_lane(atFront, 1));
      x += kept << 3, place += kept << 2;
      v128.store(x, v128.bitselect(back, v128.shuffle<f64>(back, back, 1, 1), i64x2.splat(third)));
      store<u64>(place, i64x2.extract_lane(places, 1) >> (~third & 32));
      kept = <usize>-(third + i64x2.extract_lane(atBack, 1));
      x += kept << 3, place += kept << 2;
    }
  }
  // Where zeros were left out, the last four are not filled up yet.
  const count = (x - list) >> 3;
  for (let n = count; (n & 3) != 0; n++) {
    store<f64>(list + (n << 3), 0);
    store<u32>(list + ((<usize>capacity) << 4) + (n << 2), i32x4.extract_lane(nowhere, 0));
  }
  return <i32>count;
}

/** The values of the two lower 32-bit lanes, see compact.ts. */
// @ts-ignore: decorator
@inline
function decoded(m: v128, highs: v128, lows: v128): v128 {
  const whole = f64x2.convert_low_i32x4_s(m);
  return f64x2.add(f64x2.mul(whole, highs), f64x2.mul(whole, lows));
}
