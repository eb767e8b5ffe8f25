import type { DelimitedOptions } from 'halfspace';
import { HalfspaceError } from 'halfspace';
import type { TableOptions } from 'halfspace/node';
import { FileState, guessFormat, openBytes, openLines } from 'halfspace/node';
import type { Kernels } from 'halfspace/rules';
import { wrappedSource } from 'halfspace/runs';
import { givenDialect } from 'halfspace/tables';
import { commonFormat, type Format, formatOfName, isTable } from '../files/formats.ts';
import { expandPaths, isPipe, totalBytes } from '../files/paths.ts';
import { StandardInput } from '../files/stdin.ts';
import { hearingSignals } from '../signals.ts';
import { usage } from '../usage.ts';
import { readFeatureOptions } from './feature-file.ts';
import { type DataOptions, finishRejects, type Input, rejectFileOf } from './opened.ts';
import { beginning, openTableInput } from './table-input.ts';
import { TagReader } from './tags.ts';

type GivenDialect = NonNullable<TableOptions['given']>;

/**
 * Opens DATA for training, or for the model in `options.encodedFor`.
 *
 * @throws HalfspaceError for files that are missing, of several formats, or of another format than the model's.
 */
export async function openInput(data: readonly string[], options: DataOptions, kernels: Kernels): Promise<Input> {
  const featureOptions = readFeatureOptions(options.features, options.column);
  if (options.sql !== undefined) {
    if (data.length > 0) throw usage('expected DATA or --sql; got both');
    return interruptible(await openTableInput([], 'sql', new Map(), options, featureOptions));
  }
  const given = dialectOf(options);
  const { paths, pipes, format, guessed } = await findData(data, options.format, given !== undefined);
  if (given !== undefined && format !== 'csv' && format !== 'tsv')
    throw usage(`${dialectFlags} are for delimited text; got ${format}`);
  checkModelReads(format, options, paths[0]!);
  if (featureOptions !== undefined && !isTable(format))
    throw usage(`--column and --features are for tables; got ${format} text`);
  if (options.encoding !== undefined && !isTable(format)) throw usage(`--encoding is for tables; got ${format} text`);
  if (options.missing !== undefined && !isTable(format)) throw usage(`--missing is for tables; got ${format} text`);
  if (options.weight !== undefined && !isTable(format))
    throw usage(
      `--weight names a column of a table; got ${format} text${format === 'vw' ? ', whose lines have their importance behind the label' : ''}`,
    );
  if (options.label !== undefined && !isTable(format))
    throw usage(`--label names a column of a table; got ${format} text, whose lines begin with the label`);
  if (options.joinLabels === true && !isTable(format))
    throw usage(`--join-labels is for tables; got ${format} text, whose labels are numbers`);
  if (options.header === false && !isTable(format)) throw usage(`--no-header is for tables; got ${format} text`);
  if (options.bits !== undefined && format !== 'vw')
    throw usage(`--bits is for Vowpal Wabbit text, whose features have names; got ${format}`);

  const input = isTable(format)
    ? await openTableInput(paths, format, pipes, options, featureOptions, given)
    : openTextInput(paths, format as 'libsvm' | 'vw', pipes, options, kernels);
  if (guessed) input.notes.unshift(`${input.name} is read as ${format}; --format names another format`);
  return interruptible(input);
}

/** DATA before anything but their beginning is read. */
export interface ReadData {
  readonly paths: readonly string[];
  /** The open pipes among them, by their paths. */
  readonly pipes: ReadonlyMap<string, StandardInput>;
  readonly format: Format;
  /** True if neither an option nor the file name shows the format. */
  readonly guessed: boolean;
}

export const dialectFlags = '--delimiter, --quote, --comment and --skip-lines';

/** Returns what the flags say about delimited text; undefined: nothing. */
export function dialectOf(options: DelimitedOptions): GivenDialect | undefined {
  const { delimiter, quote, comment, skipLines } = options;
  const isGiven = [delimiter, quote, comment, skipLines].some((each) => each !== undefined);
  return isGiven ? givenDialect(options) : undefined;
}

/**
 * Finds the files of DATA and their format.
 *
 * @param isDelimited true if the data are delimited text, unless a name shows another format.
 * @throws HalfspaceError `option-invalid`, `source-unreadable`.
 */
export async function findData(
  data: readonly string[],
  given: Format | undefined,
  isDelimited = false,
): Promise<ReadData> {
  const paths = await expandPaths(data);
  const pipes = new Map(paths.filter(isPipe).map((path) => [path, new StandardInput(path)]));
  const format =
    given ??
    commonFormat(paths, paths.map(formatOfName)) ??
    (isDelimited ? 'csv' : null) ??
    guessFormat(await beginning(paths[0]!, pipes.get(paths[0]!) ?? null));
  return { paths, pipes, format, guessed: given === undefined && formatOfName(paths[0]!) === null };
}

function interruptible(input: Input): Input {
  const { source } = input;
  return Object.defineProperty(input, 'source', {
    value: wrappedSource(source, { batches: () => hearingSignals(source.batches()) }),
  });
}

function checkModelReads(format: Format, { encodedFor, grows }: DataOptions, path: string): void {
  if (encodedFor === undefined) return;
  const { kind } = encodedFor.features;
  const isJson = format === 'json' || format === 'ndjson';
  const fits = {
    table: isTable(format),
    indexed: format === 'libsvm',
    named: format === 'vw' || isJson,
    hashed: format === 'vw',
  };
  if (fits[kind]) return;
  const wanted = {
    table: 'a table',
    indexed: 'libsvm text',
    named: 'named features, as of Vowpal Wabbit text or JSON',
    hashed: 'Vowpal Wabbit text',
  }[kind];
  const owner = grows === true ? 'state' : 'model';
  throw new HalfspaceError('row-malformed', `expected ${wanted}, as the ${owner} was trained on; got ${format}`, {
    source: path,
  });
}

export function openTextInput(
  paths: readonly string[],
  format: 'libsvm' | 'vw',
  pipes: ReadonlyMap<string, StandardInput>,
  options: DataOptions,
  kernels: Kernels,
): Input {
  const name = displayName(paths);
  const rejects = rejectFileOf(options);
  const features = options.encodedFor?.features;
  /** The states of the files when they were first opened; every later reading must find the same. */
  const states = new Map<string, FileState>();
  const tags = options.onTag === undefined ? null : new TagReader(options.onTag);
  const { source, notes } = openLines({
    ...{ name, format, kernels, bits: options.bits, first: features, inOrder: tags !== null },
    ...{ threads: options.threads, parsers: options.parsers },
    known: options.grows === true ? undefined : features,
    lineBytes: options.longestLine === undefined ? undefined : options.longestLine * 1024 * 1024,
    async *open() {
      for (const path of paths) {
        const pipe = pipes.get(path);
        if (pipe === undefined && !states.has(path)) states.set(path, FileState.of(path));
        const bytes = await openBytes(pipe === undefined ? path : '-', {
          name: path,
          threads: options.threads,
          ...(pipe === undefined ? { state: states.get(path)! } : { stdin: pipe.pieces() }),
          onRead: (count) => {
            input.bytesRead += count;
          },
        });
        yield tags?.watch(bytes) ?? bytes;
      }
    },
    onReject:
      options.onError === 'skip'
        ? ({ error, line }) => {
            rejects.add(error, line);
            options.onRejected?.();
          }
        : undefined,
  });
  const input: Input = {
    name,
    format,
    live: pipes.size > 0,
    bytes: totalBytes(paths),
    bytesRead: 0,
    rejects,
    notes: [],
    source,
    finish() {
      finishRejects(input);
      input.notes.push(...notes());
    },
    close: () => rejects.discard(),
  };
  return input;
}

export function displayName(paths: readonly string[]): string {
  return paths.length === 1 ? paths[0]! : `${paths[0]} and ${paths.length - 1} more`;
}
