import type { ExampleSource } from 'halfspace';
import { createKernels, type Kernels } from 'halfspace/rules';
import { openInput } from '../data/input.ts';
import type { DataOptions, Input } from '../data/opened.ts';
import { isPipe } from '../files/paths.ts';
import { createProgress, type Progress } from '../progress.ts';
import { unlessStopped } from '../signals.ts';
import { usage } from '../usage.ts';

/** The ways in which a search reads DATA. */
interface Readings<Scale> {
  readonly features?: string | readonly string[] | undefined;
  readonly scale?: Scale | readonly Scale[] | undefined;
}

/** A way to read DATA, with a name where there are several. */
export interface Reading<Scale extends string = 'none' | 'standard'> {
  readonly features: string | undefined;
  readonly scale: Scale | undefined;
  readonly name: string;
}

/** Returns every combination of the ways. @throws HalfspaceError `option-invalid` for a list with other scalings. */
export function readingsOf<Scale extends string>({
  features,
  scale,
}: Readings<Scale>): readonly [Reading<Scale>, ...Reading<Scale>[]] {
  const files: readonly (string | undefined)[] = [features].flat();
  const scales = [scale].flat() as readonly (Scale | undefined)[];
  const other = scales.find((how) => how !== 'none' && how !== 'standard');
  if (scales.length > 1 && other !== undefined) throw usage(`several --scale are none and standard; got ${other}`);
  const readings = files.flatMap((file) =>
    scales.map((how): Reading<Scale> => {
      const parts = [files.length > 1 ? file! : [], scales.length > 1 ? `scale ${how}` : []].flat();
      return { features: file, scale: how, name: parts.join(', ') };
    }),
  );
  return readings as unknown as readonly [Reading<Scale>, ...Reading<Scale>[]];
}

/** Opens DATA once for each further way, calls `work` with all sources, and closes what it opened. */
export async function withReadings<Result>(
  data: readonly string[],
  options: DataOptions,
  [, ...others]: readonly Reading<string>[],
  { input, kernels }: Session,
  work: (sources: readonly ExampleSource[]) => Promise<Result>,
): Promise<Result> {
  if (others.length > 0 && (data.some(isPipe) || options.onError === 'skip'))
    throw usage(
      `expected a file and --on-error fail for several --features and --scale, which read DATA again; got ${data.some(isPipe) ? 'a pipe' : '--on-error skip'}`,
    );
  const opened: Input[] = [];
  try {
    for (const { features, scale } of others)
      opened.push(
        await openInput(
          data,
          { ...options, features, scale: scale as Reading['scale'], rejects: input.rejects },
          kernels,
        ),
      );
    return await work([input, ...opened].map(({ source }) => source));
  } finally {
    for (const each of opened) each.close();
  }
}

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
  const opening = openInput(data, options, kernels);
  const { signal } = options;
  const input = await (signal === undefined ? opening : unlessStopped(opening, signal));
  const progress = createProgress(input, options.json === true);
  try {
    return await work({ input, kernels, progress });
  } finally {
    progress.stop();
    input.close();
  }
}
