import type { ByteSource, ExampleSource } from '../data/source.ts';
import { type RejectedLine, TextSource } from '../data/text.ts';
import { libsvmFormat, vwFormat } from '../data/text-format.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { parseAhead } from './parallel/parse-ahead.ts';
import { type ParserPool, usefulThreads } from './parallel/parser-pool.ts';

/** Options of {@link openLines}. */
interface LinesOptions {
  /** Name for messages. */
  readonly name: string;
  readonly format: 'libsvm' | 'vw';
  readonly kernels: Kernels;
  /** Opens the files one after the other; called for each reading. */
  open(): AsyncIterable<ByteSource> | Iterable<ByteSource>;
  /** Encoding of a model to read for, with no further features. Default: features are added as they come. */
  readonly known?: FeatureEncoding | undefined;
  /** Encoding of earlier rows, whose features come first. */
  readonly first?: FeatureEncoding | undefined;
  /** Hashes features of Vowpal Wabbit text to this number of bits. */
  readonly bits?: number | undefined;
  /** Maximum length of a line in bytes. */
  readonly lineBytes?: number | undefined;
  /** Number of bytes that are parsed at once. Default: as `TextSource` has it. */
  readonly textBytes?: number | undefined;
  /** Number of threads, which then read small files, too. Default: as the machine and the size of the files ask for. */
  readonly threads?: number | undefined;
  /** Threads that were started already. */
  readonly parsers?: ParserPool | undefined;
  /** True: all bytes pass through `open`. Default: threads read large files by themselves. */
  readonly inOrder?: boolean | undefined;
  /** Called for each bad line. Default: the first one ends the reading with its error. */
  readonly onReject?: ((rejected: RejectedLine) => void) | undefined;
}

/** Opens lines of libsvm or Vowpal Wabbit text as a source of examples. `notes` are complete after a reading. */
export function openLines(options: LinesOptions): { readonly source: ExampleSource; notes(): readonly string[] } {
  const { format, kernels, known, first, bits, threads, parsers, inOrder, ...given } = options;
  const text =
    format === 'libsvm'
      ? libsvmFormat(kernels, indexed(known), indexed(first))
      : vwFormat(kernels, { known: words(known), first: words(first), bits });
  const leastBytes = threads === undefined ? undefined : 1;
  const ahead =
    inOrder === true ? undefined : parseAhead(kernels, { threads: usefulThreads(threads), leastBytes, pool: parsers });
  return { source: new TextSource({ ...given, format: text, kernels, ahead }), notes: () => text.notes() };
}

function indexed(features: FeatureEncoding | undefined) {
  return features?.kind === 'indexed' ? features : undefined;
}

function words(features: FeatureEncoding | undefined) {
  return features?.kind === 'named' || features?.kind === 'hashed' ? features : undefined;
}
