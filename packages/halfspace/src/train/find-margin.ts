import { openSource } from '../data/open-source.ts';
import type { ExampleSource, Source } from '../data/source.ts';
import type { StoreOptions } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/load-late.ts';
import { MarginSearch, type MaximumMargin, type MaximumMarginOptions } from '../margin/maximum-margin.ts';
import { Intake } from './intake.ts';

/** Options of {@link findMaximumMargin}. */
export interface FindMarginOptions extends MaximumMarginOptions {
  /** The positive class, for sources of numeric labels. */
  readonly positive?: string | undefined;
  /** Default: new kernels. */
  readonly kernels?: Kernels | undefined;
  /** Storage of the examples between passes. */
  readonly store?: StoreOptions | undefined;
  /** Called after every pass with bounds that are not yet rounded to the safe side. */
  readonly onProgress?: ((bracket: { readonly lower: number; readonly upper: number }) => void) | undefined;
  /** Ends the search early with the best result so far. While the source is read, it throws `interrupted`. */
  readonly signal?: AbortSignal | undefined;
}

const marginSearchNames = optionNames<FindMarginOptions>()(
  'bias biasConstant gap passes support positive kernels store onProgress signal',
);

/**
 * Finds the hyperplane with the largest margin on the examples of a source with two classes. Reads the source once.
 *
 * @param data a source as for `train`, or examples.
 * @throws HalfspaceError `option-invalid`, `source-empty`, `label-missing`, `label-classes`, `interrupted`, and any
 *   error of the source.
 */
export async function findMaximumMargin(
  data: Source | ExampleSource,
  options: FindMarginOptions = {},
): Promise<MaximumMargin & { readonly classes: readonly string[] }> {
  checkOptionNames(options, marginSearchNames, 'findMaximumMargin');
  const { positive, store = {}, signal, onProgress } = options;
  const kernels = options.kernels ?? (await loadKernels());
  const source = await openSource(data, { kernels, signal });
  const intake = new Intake(kernels, source, { positive, split: null, keepAll: true, store });
  let search: MarginSearch | null = null;
  try {
    for await (const _ of intake.batches())
      if (signal?.aborted === true)
        throw new HalfspaceError('interrupted', 'expected to read all examples; stopped before that');
    const classes = intake.classes();
    if (classes.length > 2)
      throw new HalfspaceError('label-classes', `expected two classes; got ${classes.length}`, { source: source.name });
    search = new MarginSearch(intake.store, kernels, options);
    while (search.step()) {
      onProgress?.(search.bracket);
      // Gives the event loop a turn, so that signals arrive and pages respond.
      await new Promise((resolve) => setTimeout(resolve));
      if (signal?.aborted === true) break;
    }
    return { ...search.result(), classes };
  } finally {
    search?.free();
    intake.free();
  }
}
