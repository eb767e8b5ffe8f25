import type { Format } from './format.ts';
import { type DataOptions, finishRejects, type Input, stemOf } from './opened.ts';
import { totalBytes } from './paths.ts';
import { RejectFile } from './rejects.ts';
import type { StandardInput } from './stdin.ts';

/** Opens tables as an input; DuckDB is loaded here and nowhere else. */
export async function openTableInput(
  paths: readonly string[],
  format: Format | 'sql',
  stdin: StandardInput | null,
  options: DataOptions,
): Promise<Input> {
  const { openTable } = await import('../tables/source.ts');
  const stem = paths.length === 0 ? 'query' : stemOf(paths[0]!);
  const rejects = new RejectFile(options.rejects ?? `${stem}.rejects`);
  const files =
    stdin === null ? paths.map((path) => ({ path, name: path })) : [{ path: await stdin.spool(format), name: '-' }];
  const features = options.model?.features;
  try {
    const source = await openTable(files, {
      format,
      sql: options.sql,
      header: options.header === false ? false : undefined,
      label: options.label,
      positive: options.positive,
      scale: options.scale ?? 'standard',
      features: options.featureOptions,
      holdout: options.holdout === undefined ? undefined : { fraction: options.holdout, seed: options.seed ?? 1 },
      labelsNeeded: options.labelsNeeded ?? true,
      encoding: features?.kind === 'table' ? features : undefined,
      reject:
        options.onError === 'skip'
          ? ({ error, text }) => {
              rejects.add(error, text);
              options.onRejected?.();
            }
          : undefined,
    });
    const input: Input = {
      source,
      format,
      name: source.name,
      stem,
      bytes: stdin === null ? totalBytes(paths) : null,
      bytesRead: 0,
      rejects,
      notes: [],
      finish() {
        finishRejects(input);
        input.notes.push(...source.notes);
      },
      close() {
        rejects.discard();
        source.close();
        stdin?.clear();
      },
    };
    return input;
  } catch (error) {
    stdin?.clear();
    throw error;
  }
}
