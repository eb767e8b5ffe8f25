import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { fileAccess } from './input/file-access.ts';
import { type GivenInput, givenInput, type TextInput } from './input/input.ts';
import type { ExampleSource, OpenSourceOptions, Source } from './source.ts';
import { type RejectedLine, TextSource } from './text.ts';
import { checkBits, libsvmFormat, type TextFormat, vwFormat } from './text-format.ts';

/** Options of {@link libsvm}. */
export interface LibsvmOptions {
  /** Name for messages. Default: the path, the URL, the name of the `File`; else `text` or `stream`. */
  readonly name?: string | undefined;
  /**
   * The class that is learned against all others. Labels are numbers. Default: the larger of two; of three and more
   * every class is learned.
   */
  readonly positive?: string | number | undefined;
  /** The largest length of a line in bytes; a line must fit into memory. Default 64 MiB. */
  readonly lineBytes?: number | undefined;
  /** Called for every bad line, which is then skipped. Default: the first bad line ends the reading with its error. */
  readonly onReject?: ((rejected: RejectedText) => void) | undefined;
}

/** Options of {@link vw}. */
export interface VwSourceOptions extends LibsvmOptions {
  /**
   * Hash features to 2^bits positions with the hash of Vowpal Wabbit, bits in [1, 28]. Default: keep their names. A
   * source that is read for a model uses the model's.
   */
  readonly bits?: number | undefined;
}

/** A bad line or row of a text that was skipped. */
export interface RejectedText {
  /** The place and the reason. */
  readonly error: HalfspaceError;
  /** The line, or the row, as it is in the text. */
  readonly text: string;
}

const libsvmNames = optionNames<LibsvmOptions>()('name positive lineBytes onReject');
const vwNames = [...libsvmNames, ...optionNames<Omit<VwSourceOptions, keyof LibsvmOptions>>()('bits')];

/**
 * Makes a source from libsvm or svmlight text. It is read in batches, so memory does not grow with it.
 *
 * @example
 * const { model } = await train(libsvm('data.svm'));
 *
 * @throws HalfspaceError `option-invalid`. Reading it throws `source-unreadable`, `source-corrupt`, `row-malformed`,
 *   `number-invalid`, `index-invalid`, with the place.
 */
export function libsvm(input: TextInput, options: LibsvmOptions = {}): Source<string> {
  checkOptionNames(options, libsvmNames, 'libsvm');
  return textSource(givenInput(input, options.name), options, (kernels, encoding, name, grows) => {
    if (encoding !== undefined && encoding.kind !== 'indexed') throw otherKind(encoding, 'libsvm text', name);
    return libsvmFormat(kernels, grows ? undefined : encoding, encoding);
  });
}

/**
 * Makes a source from Vowpal Wabbit text. It is read in batches, so memory does not grow with it.
 *
 * @example
 * const { model } = await train(vw('1 |words free money\n-1 |words see you\n'));
 *
 * @throws HalfspaceError as {@link libsvm}.
 */
export function vw(input: TextInput, options: VwSourceOptions = {}): Source<string> {
  checkOptionNames(options, vwNames, 'vw');
  const { bits } = options;
  checkBits(bits);
  return textSource(givenInput(input, options.name), options, (kernels, known, name, grows) => {
    if (known !== undefined && known.kind !== 'named' && known.kind !== 'hashed')
      throw otherKind(known, 'Vowpal Wabbit text', name);
    return vwFormat(kernels, { bits, known: grows ? undefined : known, first: known });
  });
}

/** Returns the error for data of another kind than the rows that a model was trained on. */
export function otherKind({ kind }: FeatureEncoding, got: string, source: string): HalfspaceError {
  const wanted = {
    table: 'a table',
    indexed: 'numbered features, as of libsvm text',
    named: 'named features, as of Vowpal Wabbit text or bags',
    hashed: 'Vowpal Wabbit text',
  }[kind];
  return new HalfspaceError('row-malformed', `expected ${wanted}, as the model was trained on; got ${got}`, { source });
}

type FormatFor = (kernels: Kernels, encoding: FeatureEncoding | undefined, name: string, grows: boolean) => TextFormat;

function textSource(input: GivenInput, options: LibsvmOptions, formatFor: FormatFor): Source<string> {
  const { name } = input;
  const { lineBytes } = options;
  const positive = options.positive === undefined ? undefined : String(options.positive);
  if (lineBytes !== undefined && !(Number.isSafeInteger(lineBytes) && lineBytes >= 1))
    throw new HalfspaceError('option-invalid', `lineBytes must be a whole number from 1; got ${quote(lineBytes)}`);
  return { name, open: (run) => openText(input, { ...options, positive }, run, formatFor) };
}

async function openText(
  input: GivenInput,
  { lineBytes, onReject, positive }: LibsvmOptions & { readonly positive: string | undefined },
  { kernels, encoding, grows = false, signal }: OpenSourceOptions,
  formatFor: FormatFor,
): Promise<ExampleSource> {
  const { name } = input;
  const format = formatFor(kernels, encoding, name, grows);
  const opened = await input.open(signal);
  const files = await fileAccess();
  const reject = ({ error, line }: RejectedLine) => onReject!({ error, text: new TextDecoder().decode(line) });
  const text = new TextSource({
    name,
    format,
    kernels,
    lineBytes,
    open: async function* () {
      yield await opened.bytes();
    },
    onReject: onReject === undefined ? undefined : reject,
    ahead: (await files?.ahead(kernels)) ?? undefined,
  });
  return {
    name,
    classes: null,
    positive,
    get labelNames() {
      return text.labelNames;
    },
    batches: () => text.batches(),
    encoding: () => text.encoding(),
    get unknown() {
      return text.unknown;
    },
    get notes() {
      return text.notes;
    },
  };
}
