import { createKernels, type Kernels } from 'halfspace/rules';
import { openInput } from '../data/input.ts';
import type { DataOptions, Input } from '../data/opened.ts';
import { createProgress, type Progress } from '../progress.ts';

/** The open input of a command, with its kernels and progress bar. */
export interface Session {
  readonly input: Input;
  readonly kernels: Kernels;
  readonly progress: Progress;
}

/**
 * Opens DATA, calls `work`, and closes the input and the progress bar afterwards. With `json` there is no progress bar.
 */
export async function withInput<Result>(
  data: readonly string[],
  options: DataOptions & { readonly json?: boolean | undefined },
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const kernels = createKernels();
  const input = await openInput(data, options, kernels);
  const progress = createProgress(input, options.json === true);
  try {
    return await work({ input, kernels, progress });
  } finally {
    progress.stop();
    input.close();
  }
}
