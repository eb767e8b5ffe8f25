import type { Block } from './block.ts';
import type { Kernels } from './kernels.ts';
import { newtonModule } from './newton-module.ts';
import { type NewtonKernels, type RowMemory, referenceNewton } from './reference-newton.ts';
import { moduleOf } from './wasm.ts';

type Exports = Readonly<Record<keyof NewtonKernels | 'binaryProduct', (...given: number[]) => number>>;

/** Rows in a call: the first calls run code that is not optimised yet. */
const mostRows = 2048;

let compiled: WebAssembly.Module | null = null;

/** Returns the loops for the blocks of some kernels. */
export function newtonKernels({ memory }: Kernels): NewtonKernels {
  if (memory === null) return referenceNewton;
  compiled ??= moduleOf(newtonModule);
  const instance = new WebAssembly.Instance(compiled, { env: { memory: memory as WebAssembly.Memory } });
  const exports = instance.exports as unknown as Exports;
  const at = (block: Block<Float64Array | Uint32Array>) => block.array.byteOffset;
  type Blocks = Pick<RowMemory, 'offsets' | 'indices' | 'values'>;
  const rowsAt = ({ offsets, indices, values }: Blocks) => [at(offsets), at(indices), at(values)];
  /** Calls a function for all rows, each time with the result of the last one. */
  const each = (rows: number, call: (from: number, to: number, result: number) => number): number => {
    let result = 0;
    for (let from = 0; from < rows; from += mostRows) result = call(from, Math.min(rows, from + mostRows), result);
    return result;
  };
  return {
    factorise: (matrix, width) => exports.factorise(at(matrix), width),
    substitute: (factor, width, x) => exports.substitute(at(factor), width, at(x)),
    softmaxProduct({ rows, classes, width, ...blocks }) {
      const { shares, probabilities, likeliest, weights, out, row } = blocks;
      const all = [shares, probabilities, likeliest, weights, out, row].map(at);
      exports.softmaxProduct(rows, classes, width, ...rowsAt(blocks), ...all);
    },
    scores(memory, out) {
      const given = [memory.width - 1, ...rowsAt(memory), at(memory.weights), at(out)];
      each(memory.rows, (from, to) => exports.scores(from, to, ...given));
    },
    addRows(memory) {
      const given = [memory.width - 1, ...rowsAt(memory), at(memory.slopes), at(memory.out)];
      each(memory.rows, (from, to) => exports.addRows(from, to, ...given));
    },
    product(memory) {
      const given = [...rowsAt(memory), at(memory.curvatures), at(memory.weights), at(memory.out)];
      each(memory.rows, (from, to) => exports.binaryProduct(from, to, memory.width - 1, ...given));
    },
    loss({ rows, labels, shares }, scores, change, t) {
      const given = [labels, shares, scores, change].map(at);
      return each(rows, (from, to, sum) => exports.loss(from, to, sum, ...given, t));
    },
    derive({ rows, labels, shares, slopes, curvatures }, scores) {
      const given = [labels, shares, scores, slopes, curvatures].map(at);
      each(rows, (from, to) => exports.derive(from, to, ...given));
    },
    addSquares(memory, matrix, { features, least, every }) {
      const given = [every, least, features, ...rowsAt(memory), at(memory.curvatures), at(matrix)];
      each(memory.rows, (from, to, near) => exports.addSquares(from, to, near, ...given));
    },
  };
}
