import type { FeatureOptions } from 'halfspace';
import {
  type BagChoice,
  BagEvidence,
  characterEncoding,
  checkTableHead,
  needsTable,
  openBytes,
  openTable,
  type TableFile,
  type TableOptions,
} from 'halfspace/node';
import { saidMissing } from 'halfspace/tables';
import { type Format, showsFormat } from '../files/formats.ts';
import { totalBytes } from '../files/paths.ts';
import type { StandardInput } from '../files/stdin.ts';
import { tablesOf } from '../tables/source.ts';
import { usage } from '../usage.ts';
import { type DataOptions, finishRejects, type Input, rejectFileOf } from './opened.ts';

/** Opens tables as an input. */
export async function openTableInput(
  paths: readonly string[],
  format: Format | 'sql',
  pipes: ReadonlyMap<string, StandardInput>,
  options: DataOptions,
  featureOptions: FeatureOptions | undefined,
  given?: TableOptions['given'],
): Promise<Input> {
  const rejects = rejectFileOf(options);
  const encoding = characterEncoding(options.encoding);
  if (encoding !== null && (format === 'parquet' || format === 'sql'))
    throw usage(`--encoding is for text; got ${format === 'sql' ? '--sql' : format}`);
  const clear = () => {
    for (const pipe of pipes.values()) pipe.clear();
  };
  const features = options.encodedFor?.features;
  // With a model's encoding, one pass over a stream is enough. Everything else reads the table twice or out of order.
  const isStreamed = options.once === true && features !== undefined && format !== 'parquet';
  try {
    const files: TableFile[] = [];
    for (const path of paths) {
      const pipe = isStreamed ? undefined : pipes.get(path);
      if (pipe !== undefined) await checkTableHead(await beginning(path, pipe), format, path, encoding);
      files.push({
        ...{ path: pipe === undefined ? path : await pipe.spool(format), name: path, encoding },
        signal: options.signal,
      });
    }
    const tableOptions: TableOptions = {
      format: format as TableOptions['format'],
      header: options.header,
      given,
      label: options.label,
      positive: options.positive,
      joinLabels: options.joinLabels,
      scale: options.scale ?? 'standard',
      features: featureOptions,
      triesLetters: options.triesLetters,
      ...saidMissing(options.missing),
      weight: options.weight,
      holdout: options.holdout === undefined ? undefined : { fraction: options.holdout, seed: options.seed ?? 1 },
      keepsUnknown: options.keepsUnknown,
      watch: options.watch,
      signal: options.signal,
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
    };
    const tables = await tablesOf(files, format, options.sql);
    const source = await openTable(tables, tableOptions, bagChoice(format, options, featureOptions));
    const input: Input = {
      source,
      format,
      name: source.name,
      carried: source.carried ?? [],
      leaks: source.leaks ?? [],
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
        source.close?.();
        clear();
      },
    };
    return input;
  } catch (error) {
    clear();
    throw error;
  }
}

/** Returns the first bytes of the data, decompressed. */
export async function beginning(path: string, pipe: StandardInput | null): Promise<Uint8Array> {
  const head = new Uint8Array(64 * 1024);
  let length = 0;
  try {
    const peeked = pipe === null ? {} : { stdin: once(await pipe.peek(head.length, showsFormat)) };
    const source = await openBytes(pipe === null ? path : '-', { ...peeked, threads: 1 });
    for (;;) {
      const count = await source.read(head.subarray(length));
      length += count;
      if (count === 0 || length === head.length) break;
    }
    source.close?.();
  } catch (error) {
    // The beginning of an archive always ends in an error. Reading the whole archive finds the real ones.
    if (length === 0 && pipe === null) throw error;
  }
  return head.subarray(0, length);
}

async function* once(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece;
}

/**
 * Decides if rows of JSON are bags of features: as the model was trained on, else as the rows show.
 *
 * @throws HalfspaceError `option-invalid` for options of tables beside a model of bags.
 */
function bagChoice(
  format: Format | 'sql',
  { scale, ...options }: DataOptions,
  features: FeatureOptions | undefined,
): BagChoice {
  const { encodedFor, grows, keepsUnknown } = options;
  const encoding = encodedFor?.features;
  if (encoding?.kind === 'named') {
    if (needsTable({ ...options, features }))
      throw usage('--column, --features, --missing, --weight and --join-labels are for tables; got bags of features');
    return { run: { encoding, classes: encodedFor!.classes, grows, keepsUnknown } };
  }
  const isJson = format === 'json' || format === 'ndjson';
  const isOpen = isJson && encoding === undefined && !needsTable({ ...options, scale, features });
  return isOpen ? { evidence: new BagEvidence(options.label) } : {};
}

/** Returns the request for columns. Rows of JSON are carried as text, because each has its own fields. */
function carryFor(format: Format | 'sql', { carry }: DataOptions): DataOptions['carry'] {
  return carry?.names === null && (format === 'json' || format === 'ndjson') ? { ...carry, names: [] } : carry;
}
