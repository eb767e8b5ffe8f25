import type { Kernels } from './kernels.ts';
import { createReferenceKernels } from './reference.ts';
import { createWasmKernels } from './wasm.ts';

/**
 * Makes kernels with separate memory: WebAssembly if available, otherwise the TypeScript reference, with the same bits.
 * Kernels serve one run at a time; parallel runs need separate kernels.
 *
 * @param prefer `'reference'`: use the TypeScript kernels even if WebAssembly is available.
 */
export function createKernels(prefer: 'wasm' | 'reference' = 'wasm'): Kernels {
  return (prefer === 'wasm' ? createWasmKernels() : null) ?? createReferenceKernels();
}
