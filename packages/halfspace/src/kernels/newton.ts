import type { Block } from './block.ts';
import type { Kernels } from './kernels.ts';
import { newtonModule } from './newton-module.ts';
import { type NewtonKernels, referenceNewton } from './reference-newton.ts';
import { moduleOf } from './wasm.ts';

/** The exports of assembly/newton.ts. */
interface Exports {
  factorise(matrix: number, width: number): void;
  substitute(factor: number, width: number, x: number): void;
  softmaxProduct(rows: number, classes: number, width: number, ...addresses: number[]): void;
}

let compiled: WebAssembly.Module | null = null;

/** Returns the loops for the blocks of some kernels. */
export function newtonKernels({ memory }: Kernels): NewtonKernels {
  if (memory === null) return referenceNewton;
  compiled ??= moduleOf(newtonModule);
  const instance = new WebAssembly.Instance(compiled, { env: { memory: memory as WebAssembly.Memory } });
  const exports = instance.exports as unknown as Exports;
  const at = (block: Block<Float64Array | Uint32Array>) => block.array.byteOffset;
  return {
    factorise: (matrix, width) => exports.factorise(at(matrix), width),
    substitute: (factor, width, x) => exports.substitute(at(factor), width, at(x)),
    softmaxProduct({ rows, classes, width, ...blocks }) {
      const { offsets, indices, values, shares, probabilities, likeliest, weights, out, row } = blocks;
      const all = [offsets, indices, values, shares, probabilities, likeliest, weights, out, row];
      exports.softmaxProduct(rows, classes, width, ...all.map(at));
    },
  };
}
