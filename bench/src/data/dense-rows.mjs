import { Random } from './random.mjs';

/**
 * Dense numeric rows in the manner of the HIGGS data: 28 measurements, some symmetric, some positive with a long tail,
 * some in a few steps, and a class that a linear model gets right more often than not but far from always.
 */

export const columns = 28;

const stream = { model: 1, train: 3, heldout: 4 };
/** Standard deviation of the noise, and strength of a product of two columns that no linear model can see. */
const noise = 0.6;
const curvature = 0.5;

/** @param {{ seed: number }} options */
export function createRowModel({ seed }) {
  const random = new Random(seed, stream.model);
  const direction = Float64Array.from({ length: columns }, () => random.normal());
  const length = Math.hypot(...direction);
  const unit = direction.map((v) => v / length);
  return {
    /** @param {'train' | 'heldout'} part */
    rows: (part) => rowsOf(unit, new Random(seed, stream[part])),
  };
}

/**
 * The next row at every call: ten-thousandths as integers, and a label of −1 or +1. Overwritten by the next call.
 *
 * @returns {() => { values: Int32Array, label: number }}
 */
function rowsOf(unit, random) {
  const row = { values: new Int32Array(columns), label: 1 };
  return () => {
    let z = noise * random.normal();
    for (let j = 0; j < columns; j++) {
      const standard = standardised(j, random);
      z += unit[j] * standard;
      row.values[j] = Math.round(1e4 * (standard + offset(j)));
    }
    z += curvature * (row.values[0] / 1e4) * (row.values[4] / 1e4);
    row.label = z > 0 ? 1 : -1;
    return row;
  };
}

/** A draw of column j with mean 0 and variance 1. */
function standardised(j, random) {
  if (j % 4 === 1) return -Math.log(1 - random.uniform()) - 1;
  if (j % 4 === 3) return Math.sqrt(1.5) * (random.below(3) - 1);
  return random.normal();
}

/** Moves the columns that are positive by nature to where they begin. */
function offset(j) {
  return j % 4 === 1 ? 1 : j % 4 === 3 ? Math.sqrt(1.5) : 0;
}
