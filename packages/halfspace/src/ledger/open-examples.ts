import { openSource } from '../data/open-source.ts';
import type { ExampleSource, Source } from '../data/source.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Ledger } from './ledger.ts';

/**
 * Opens the data of a ledger's run with the encoding and the classes of the run. A truncated ledger does not have them;
 * then the data and the options determine them again.
 */
export function openExamples(
  { opening, closing }: Pick<Ledger, 'opening' | 'closing'>,
  source: Source | ExampleSource,
  kernels: Kernels,
  signal?: AbortSignal,
): Promise<ExampleSource> {
  const { as, holdout, seed } = opening;
  return openSource(source, {
    kernels,
    signal,
    ...(closing === null ? {} : { encoding: closing.features, classes: closing.classes }),
    holdout: holdout > 0 ? { fraction: holdout, seed } : undefined,
    scale: as === null ? 'standard' : 'none',
  });
}
