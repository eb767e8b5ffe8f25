import type { Kernels } from './kernels.ts';
import { createWasmKernels } from './wasm.ts';

/** Makes kernels as `createKernels` does, but loads the ones in TypeScript only if WebAssembly is not available. */
export async function loadKernels(): Promise<Kernels> {
  return createWasmKernels() ?? (await import('./reference.ts')).createReferenceKernels();
}
