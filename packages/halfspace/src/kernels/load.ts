import type { Kernels } from './kernels.ts';
import { createReferenceKernels } from './reference.ts';
import { createWasmKernels } from './wasm.ts';

/**
 * Kernels with a memory of their own: WebAssembly where the runtime compiles it, otherwise the TypeScript reference. Both
 * compute the same bits. They serve one run at a time: runs side by side need kernels of their own.
 *
 * @param prefer `'reference'` asks for the TypeScript kernels even where WebAssembly is there.
 */
export function createKernels(prefer: 'wasm' | 'reference' = 'wasm'): Kernels {
  return (prefer === 'wasm' ? createWasmKernels() : null) ?? createReferenceKernels();
}
