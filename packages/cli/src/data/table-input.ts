import type { FeatureOptions } from 'halfspace';
import { characterEncoding, type OpenTablesOptions } from 'halfspace/internal';
import type { Format } from '../files/formats.ts';
import { totalBytes } from '../files/paths.ts';
import type { StandardInput } from '../files/stdin.ts';
import type { TableFile } from '../tables/source.ts';
import { usage } from '../usage.ts';
import { type DataOptions, finishRejects, type Input, rejectFileOf } from './opened.ts';

/** Opens tables as an input. Only this function loads DuckDB. */
export async function openTableInput(
  paths: readonly string[],
  format: Format | 'sql',
  pipes: ReadonlyMap<string, StandardInput>,
  options: DataOptions,
  featureOptions: FeatureOptions | undefined,
): Promise<Input> {
  const { openTable } = await import('../tables/source.ts');
  const rejects = rejectFileOf(options);
  const encoding = characterEncoding(options.encoding);
  if (encoding !== null && (format === 'parquet' || format === 'sql'))
    throw usage(`--encoding is for text; got ${format === 'sql' ? '--sql' : format}`);
  const clear = () => {
    for (const pipe of pipes.values()) pipe.clear();
  };
  const features = options.encodedFor?.features;
  // With a model's encoding, one pass over a stream is enough. Everything else reads the table twice or out of order.
  const isStreamed = options.once === true && features?.kind === 'table' && format !== 'parquet';
  try {
    const files: TableFile[] = [];
    for (const path of paths) {
      const pipe = isStreamed ? undefined : pipes.get(path);
      files.push({ path: pipe === undefined ? path : await pipe.spool(format), name: path, encoding });
    }
    const source = await openTable(files, {
      format,
      sql: options.sql,
      header: options.header,
      label: options.label,
      positive: options.positive,
      joinLabels: options.joinLabels,
      scale: options.scale ?? 'standard',
      features: featureOptions,
      ...missingCells(options.missing),
      weight: options.weight,
      holdout: options.holdout === undefined ? undefined : { fraction: options.holdout, seed: options.seed ?? 1 },
      keepsUnknown: options.keepsUnknown,
      labelsNeeded: options.labelsNeeded ?? true,
      carry: carryFor(format, options),
      encoding: features?.kind === 'table' ? features : undefined,
      pipes: isStreamed ? new Map(Array.from(pipes, ([path, pipe]) => [path, pipe.pieces()])) : undefined,
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
      carried: source.carried,
      leaks: source.leaks,
      live: isStreamed && pipes.size > 0,
      bytes: totalBytes(paths),
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
        clear();
      },
    };
    return input;
  } catch (error) {
    clear();
    throw error;
  }
}

/** Returns what `--missing` says: further words, and columns where the usual words are values. */
function missingCells(given: readonly string[] = []): Pick<OpenTablesOptions, 'missing' | 'notMissing'> {
  const columns = given.flatMap((word) => /^(.+)=none$/s.exec(word)?.[1] ?? []);
  const missing = given.filter((word) => word !== 'none' && !word.endsWith('=none'));
  return { missing, notMissing: given.includes('none') ? true : columns.length > 0 ? columns : undefined };
}

/** Returns the request for columns. Rows of JSON are carried as text, because each has its own fields. */
function carryFor(format: Format | 'sql', { carry }: DataOptions): DataOptions['carry'] {
  return carry?.names === null && (format === 'json' || format === 'ndjson') ? { ...carry, names: [] } : carry;
}
