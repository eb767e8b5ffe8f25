import { readFileSync } from 'node:fs';
import { loadHighs } from '../../../packages/certify/dist/search/hull-programme.js';

/** Bound of the weights of standardised features. */
const bound = 100;

/**
 * Returns the bounds on the fewest errors of a line that HiGHS's mixed-integer solver finds by itself:
 *
 *   minimise  Σ zᵢ    subject to  yᵢ(u·x'ᵢ + b) + Mᵢzᵢ ≥ 1,  zᵢ ∈ {0, 1},  |u|, |b| ≤ 100.
 *
 * They are bounds in floating point, for lines of these weights only.
 *
 * @param {string} path of canonical rows
 * @param {number} seconds
 *
 * @returns {Promise<[least: number, most: number]>}
 */
export async function boundsOfHighs(path, seconds) {
  const { labels, x } = standardised(readFileSync(path, 'latin1'));
  const [rows, dimension] = [x.length, x[0].length];
  const columns = dimension + 1 + rows;
  const width = dimension + 2;
  const isBinary = (column) => column > dimension;
  const highs = await loadHighs();
  return highs.withModel((model) => {
    model.options.set({ output_flag: false, time_limit: seconds });
    model.passModel({
      numCols: columns,
      numRows: rows,
      colCost: Float64Array.from({ length: columns }, (_, column) => (isBinary(column) ? 1 : 0)),
      colLower: Float64Array.from({ length: columns }, (_, column) => (isBinary(column) ? 0 : -bound)),
      colUpper: Float64Array.from({ length: columns }, (_, column) => (isBinary(column) ? 1 : bound)),
      rowLower: new Float64Array(rows).fill(1),
      rowUpper: new Float64Array(rows).fill(highs.infinity),
      integrality: Int32Array.from({ length: columns }, (_, column) => (isBinary(column) ? 1 : 0)),
      matrix: {
        ...{ format: 'csr', numRows: rows, numCols: columns },
        starts: Int32Array.from({ length: rows + 1 }, (_, i) => i * width),
        indices: Int32Array.from({ length: rows * width }, (_, at) => {
          const place = at % width;
          return place <= dimension ? place : dimension + 1 + Math.floor(at / width);
        }),
        values: Float64Array.from(
          x.flatMap((row, i) => [
            ...row.map((value) => labels[i] * value),
            labels[i],
            1 + bound * row.reduce((sum, value) => sum + Math.abs(value), 1),
          ]),
        ),
      },
    });
    model.run();
    const found = Number(model.info.get('objective_function_value'));
    return [Math.max(0, Math.ceil(Number(model.info.get('mip_dual_bound')) - 1e-6)), found > rows ? rows : found];
  });
}

/** Returns labels and features with mean 0 and deviation 1. */
function standardised(text) {
  const lines = text.trim().split('\n');
  const labels = lines.map((line) => Number(line.slice(0, 2)));
  const pairs = lines.map((line) =>
    line
      .split(' ')
      .slice(1)
      .map((cell) => cell.split(':')),
  );
  const dimension = pairs.flat().reduce((most, [j]) => Math.max(most, Number(j) + 1), 1);
  const x = pairs.map((row) => {
    const own = new Array(dimension).fill(0);
    for (const [j, value] of row) own[j] = numberOf(value);
    return own;
  });
  for (let j = 0; j < dimension; j++) {
    const mean = x.reduce((sum, row) => sum + row[j], 0) / x.length;
    const deviation = Math.sqrt(x.reduce((sum, row) => sum + (row[j] - mean) ** 2, 0) / x.length) || 1;
    for (const row of x) row[j] = (row[j] - mean) / deviation;
  }
  return { labels, x };
}

function numberOf(value) {
  const [mantissa, places] = value.split('p');
  return places === undefined ? Number(value) : Number(mantissa) * 2 ** Number(places);
}
