import { createKernels, type Kernels } from 'halfspace/rules';

/**
 * Returns the kernels of this run. `HALFSPACE_KERNELS=reference` selects those without WebAssembly, which give the same
 * bits.
 */
export function kernelsOfRun(): Kernels {
  return createKernels(process.env.HALFSPACE_KERNELS === 'reference' ? 'reference' : 'wasm');
}
