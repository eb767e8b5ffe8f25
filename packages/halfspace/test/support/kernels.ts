import type { Kernels } from '../../src/kernels/kernels.ts';
import { createReferenceKernels } from '../../src/kernels/reference.ts';
import { createWasmKernels } from '../../src/kernels/wasm.ts';

/** The WebAssembly kernels. Fails without them, because falling back would compare the reference with itself. */
export function wasm(): Kernels {
  const kernels = createWasmKernels();
  if (kernels === null) throw new Error('this runtime does not compile the WebAssembly kernels');
  return kernels;
}

export const reference = createReferenceKernels;

/** For `describe.each`. */
export const implementations: readonly (readonly [name: string, create: () => Kernels])[] = [
  ['wasm', wasm],
  ['reference', reference],
];
