// A row of any layout as a list: its values other than 0 one after the other, and their features. The kernels that look at a row
// several times, and at more than its weights, are then written once for all layouts, and zeros cost nothing, written out or not.
//
// A list has three columns of `capacity` places: values (f64), room for a number of the kernel's own (f64), features (u32).

export const sparseRow = 0, denseRow = 1, compactRow = 2, singleRow = 3;

/** Lists row i and returns how many values it has. */
export function listNonzeros(
  layout: i32, i: i32,
  offsets: usize, indices: usize, values: usize, dimension: i32, high: f64, low: f64,
  list: usize, capacity: i32,
): i32 {
  const features = list + ((<usize>capacity) << 4);
  let count = 0;
  if (layout == sparseRow || layout == compactRow) {
    const end = load<u32>(offsets + ((<usize>i) << 2), 4);
    for (let k = load<u32>(offsets + ((<usize>i) << 2)); k < end; k++) {
      let x: f64, j: u32;
      if (layout == sparseRow) {
        x = load<f64>(values + ((<usize>k) << 3));
        j = load<u32>(indices + ((<usize>k) << 2));
      } else {
        const m = <f64>load<i32>(values + ((<usize>k) << 2));
        x = m * high + m * low;
        j = load<u16>(indices + ((<usize>k) << 1));
      }
      store<f64>(list + ((<usize>count) << 3), x);
      store<u32>(features + ((<usize>count) << 2), j);
      count += <i32>(x != 0);
    }
  } else {
    const start = <usize>i * <usize>dimension;
    for (let j = 0; j < dimension; j++) {
      const k = start + <usize>j;
      const x = layout == denseRow ? load<f64>(values + (k << 3)) : <f64>load<f32>(values + (k << 2));
      store<f64>(list + ((<usize>count) << 3), x);
      store<u32>(features + ((<usize>count) << 2), j);
      count += <i32>(x != 0);
    }
  }
  return count;
}
