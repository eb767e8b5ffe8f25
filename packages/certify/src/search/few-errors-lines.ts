import type { Highs } from 'highs';
import { type Clock, within } from '../clock.ts';
import type { Frame } from './frame.ts';
import type { Line } from './line-search.ts';
import { runModel } from './run-model.ts';
import { signedVectors } from './signed-vectors.ts';

/** Maximum number of nonzeros for the programme. */
const mostValues = 400_000;
const rounds = 8;

/** Maximum number of seconds for one round. */
const patience = 10;

/**
 * Returns lines with few errors. Minimises Σ cᵢξᵢ subject to yᵢ(u·x'ᵢ + b) + ξᵢ ≥ 1, ξ ≥ 0, repeatedly with cᵢ = 1/(ξᵢ
 * + 0.1). This approximates the number of ξ that are not 0 (Candès, Wakin and Boyd 2008, for the L1 norm).
 *
 * @returns an empty list if there are too many examples.
 */
export async function linesOfFewErrors(highs: Highs, frame: Frame, clock: Clock): Promise<Line[]> {
  const { rows, dimension } = frame.examples;
  if (frame.examples.values.length > mostValues || rows > 10_000) return [];
  const model = highs.createModel();
  try {
    model.options.set({ output_flag: false });
    const members = Array.from({ length: rows }, (_, i) => i);
    const columns = dimension + 1 + rows;
    const isSlack = (column: number) => column > dimension;
    model.passModel({
      numCols: columns,
      numRows: rows,
      colCost: Float64Array.from({ length: columns }, (_, column) => (isSlack(column) ? 1 : 0)),
      colLower: Float64Array.from({ length: columns }, (_, column) => (isSlack(column) ? 0 : -highs.infinity)),
      colUpper: new Float64Array(columns).fill(highs.infinity),
      rowLower: new Float64Array(rows).fill(1),
      rowUpper: new Float64Array(rows).fill(highs.infinity),
      matrix: {
        format: 'csr',
        numRows: rows,
        numCols: columns,
        ...signedVectors(frame, members, (label, i) => [dimension, label, dimension + 1 + i, 1]),
      },
    });
    const lines: Line[] = [];
    const own = within(clock.left() / 4, clock);
    for (let round = 0; round < rounds && (await runModel(model, within(patience, own))); round++) {
      const { colValue } = model.getSolution();
      lines.push({ u: colValue.slice(0, dimension), bias: colValue[dimension]! });
      for (let i = 0; i < rows; i++)
        model.changeColCost(dimension + 1 + i, 1 / (Math.max(0, colValue[dimension + 1 + i]!) + 0.1));
    }
    return lines;
  } finally {
    model.dispose();
  }
}
