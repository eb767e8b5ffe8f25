import type { Kernels } from '../../src/kernels/kernels.ts';
import { createWasmKernels } from '../../src/kernels/wasm.ts';
import { TextReferenceKernels } from '../oracles/text/tokens.ts';

/** The WebAssembly kernels. Fails without them, because falling back would compare the reference with itself. */
export function wasm(): Kernels {
  const kernels = createWasmKernels();
  if (kernels === null) throw new Error('this runtime does not compile the WebAssembly kernels');
  return kernels;
}

/** The kernels in plain TypeScript, with the readers of text that only tests have. */
export const reference = (): Kernels => new TextReferenceKernels();

/** For `describe.each`. */
export const implementations: readonly (readonly [name: string, create: () => Kernels])[] = [
  ['wasm', wasm],
  ['reference', reference],
];
