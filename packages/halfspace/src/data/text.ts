import type { StoredBatch } from '../batch.ts';
import { type ErrorCode, HalfspaceError, type Place, quote } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import type { UnknownValues } from '../features/unknown.ts';
import type { Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { LabelNames } from './label-names.ts';
import { type OwnedBatch, pack } from './packed.ts';
import type { ByteSource, ExampleSource } from './source.ts';
import type { TextFormat } from './text-format.ts';
import type { NewNames } from './text-parser.ts';
import {
  defaultLineBytes,
  type EndlessLine,
  type RefusedLine,
  type RowFacts,
  readText,
  type TextBufferSizes,
  TextBuffers,
  type TextPart,
} from './text-reader.ts';
import { hasWordLabels, headOf, numberedLabels, replayed } from './word-labels.ts';

/** The error code and the expectation for each fault of a text kernel. */
const faults: Record<number, readonly [code: ErrorCode, expected: string]> = {
  [layout.statusBinary]: ['source-corrupt', 'expected text; got binary data'],
  [layout.statusLabel]: ['row-malformed', 'expected a number as label'],
  [layout.statusNumber]: ['number-invalid', 'expected a number'],
  [layout.statusNotFinite]: ['number-invalid', 'expected a finite number'],
  [layout.statusColon]: ['row-malformed', 'expected index:value'],
  [layout.statusIndex]: ['index-invalid', 'expected a feature index (a whole number)'],
  [layout.statusIndexRange]: ['index-invalid', 'expected a feature index in [0, 4294967295]'],
  [layout.statusIndexOrder]: ['index-invalid', 'expected feature indices to rise within a line'],
  [layout.statusQid]: ['row-malformed', 'expected index:value; ranking queries (qid) are not supported'],
  [layout.statusManyLabels]: ['row-malformed', 'expected one label; lines with several labels are not supported'],
  [layout.statusImportance]: ['number-invalid', 'expected an importance weight in [0, ∞)'],
  [layout.statusBase]: ['row-malformed', 'expected no base, or 0, after the importance'],
  [layout.statusBar]: ['row-malformed', 'expected a bar before the features'],
  [layout.statusUtf8]: ['source-corrupt', 'expected UTF-8 text; got other bytes'],
};

/**
 * Makes the error for a refused line.
 *
 * @param line the whole line; the fault is at [from, to).
 * @param isNamed true if features have names, as in Vowpal Wabbit text. Default false.
 */
function describeFault(
  status: number,
  line: Uint8Array,
  from: number,
  to: number,
  where: Place,
  isNamed = false,
): HalfspaceError {
  const [code, expected] = faults[status] ?? (['row-malformed', 'expected a line of this format'] as const);
  if (status === layout.statusBinary || status === layout.statusUtf8) return new HalfspaceError(code, expected, where);
  if (looksBinary(line)) return new HalfspaceError(...faults[layout.statusBinary]!, where);
  const word = isNamed ? wordAround(line, from) : '';
  if ((status === layout.statusNumber || status === layout.statusColon) && word.includes(':'))
    return new HalfspaceError(
      code,
      `expected a feature name:value, whose name cannot contain ":" and whose value is a number; got ${quote(word)}`,
      where,
    );
  const also = isNamed && status === layout.statusLabel ? ', or words from the first line on' : '';
  return new HalfspaceError(code, `${expected}${also}; got ${came(line, from, Math.max(from, to))}`, where);
}

/** Returns the token at the fault, up to the next blank. */
function came(line: Uint8Array, from: number, to: number): string {
  let end = to;
  while (end < line.length && line[end] !== 32 && line[end] !== 9 && line[end] !== 13 && end - from < 200) end++;
  if (end > from) return quote(new TextDecoder().decode(line.subarray(from, end)));
  return from === line.length || line[from] === 13 ? 'the end of the line' : 'a blank';
}

/** Returns the word at a position of a line. */
function wordAround(line: Uint8Array, at: number): string {
  const isEnd = (byte: number | undefined) => byte === undefined || [9, 13, 32, 124].includes(byte);
  let [from, to] = [at, at];
  while (from > 0 && !isEnd(line[from - 1])) from--;
  while (!isEnd(line[to])) to++;
  return new TextDecoder().decode(line.subarray(from, Math.min(to, from + 200)));
}

/** Tests if a refused line is binary: control bytes other than blanks, or invalid UTF-8. */
function looksBinary(line: Uint8Array): boolean {
  if (line.some((byte) => byte < 9 || (byte > 13 && byte < 32))) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(line);
    return false;
  } catch {
    return true;
  }
}

/** A line that was refused and skipped. */
export interface RejectedLine {
  /** The place and the reason. */
  readonly error: HalfspaceError;
  /** The line without its line end. Valid during the call only. */
  readonly line: Uint8Array;
}

/** Reads sources in other threads, ahead of the caller; `halfspace/node` implements it. */
export interface TextAhead {
  /** Returns the parts of a source in order, with features numbered by `format`; null: read it in this thread. */
  parts(
    source: ByteSource,
    format: TextFormat,
    sizes: Pick<TextBufferSizes, 'lineBytes'>,
  ): AsyncIterable<TextPart> | null;
  /** Ends the threads, also in the middle of a source. More sources may be read afterwards. */
  close(): void;
}

export interface TextSourceOptions extends TextBufferSizes {
  /** Returns the files, each opened when it is needed. Called for every reading. */
  readonly open: () => Iterable<ByteSource> | AsyncIterable<ByteSource>;
  readonly name: string;
  readonly format: TextFormat;
  readonly kernels: Kernels;
  /** Called for every refused line. Absent: the first refused line ends the reading with its error. */
  readonly onReject?: ((rejected: RejectedLine) => void) | undefined;
  /** Reads large files in other threads. Absent: this thread reads everything. The examples are the same. */
  readonly ahead?: TextAhead | undefined;
}

const textSourceOptionNames = optionNames<TextSourceOptions>()(
  'open name format kernels onReject ahead lineBytes textBytes batchValues batchRows',
);

/** Parsed rows, whose features have the numbers of their parser. */
interface ParsedRows {
  readonly batch: StoredBatch & { dimension: number };
  readonly facts: RowFacts;
  readonly names: NewNames | null;
}

type Waiting = Omit<ParsedRows, 'batch'> & { readonly owned: OwnedBatch };

/** A source of examples from libsvm or Vowpal Wabbit text, parsed in batches with constant memory. */
export class TextSource implements ExampleSource {
  readonly name: string;
  readonly classes = null;
  readonly #options: TextSourceOptions;
  readonly #format: TextFormat;
  readonly #labels = new LabelNames();
  /** True if labels are words, as the first one says; undefined: nothing was read yet. */
  #hasWords: boolean | undefined;

  /** @throws HalfspaceError `option-invalid`. */
  constructor(options: TextSourceOptions) {
    checkOptionNames(options, textSourceOptionNames, 'TextSource');
    this.name = options.name;
    this.#options = options;
    this.#format = options.format;
    if (options.format.recipe.format !== 'vw') this.#hasWords = false;
  }

  get labelNames(): LabelNames | null {
    return this.#hasWords === true ? this.#labels : null;
  }

  get notes(): readonly string[] {
    return this.#format.notes();
  }

  get unknown(): UnknownValues | null {
    return this.#format.unknown;
  }

  encoding(): FeatureEncoding {
    return this.#format.encoding();
  }

  async *batches(): AsyncGenerator<StoredBatch> {
    const { kernels } = this.#options;
    const format = this.#format;
    /** Rows whose features have no positions yet. */
    const waiting: Waiting[] = [];
    function* finished(): Generator<StoredBatch> {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { owned, facts, names } = next;
        try {
          const rows = format.finish(owned.packed.batch, facts, names);
          if (rows.rows > 0) yield rows;
        } finally {
          owned.block.free();
        }
      }
    }
    let fault: { readonly error: unknown } | null = null;
    try {
      try {
        for await (const { batch, facts, names } of this.#parsed()) {
          if (format.meet?.(batch) === false) {
            waiting.push({ owned: pack(kernels, batch), facts: { ...facts }, names });
            continue;
          }
          yield* finished();
          const rows = format.finish(batch, facts, names);
          if (rows.rows > 0) yield rows;
        }
      } catch (error) {
        // Rows before a fault come first, however the text is cut.
        fault = { error };
      }
      format.settle?.();
      yield* finished();
      if (fault !== null) throw fault.error;
    } finally {
      for (const { owned } of waiting) owned.block.free();
    }
  }

  /** Yields rows as they are parsed. */
  async *#parsed(): AsyncGenerator<ParsedRows> {
    const { open, kernels, ahead } = this.#options;
    let buffers: TextBuffers | null = null;
    try {
      for await (const opened of open()) {
        let source = opened;
        try {
          if (this.#hasWords === undefined) {
            const head = await headOf(source);
            this.#hasWords = hasWordLabels(head);
            // A file is opened again, so that other threads can read it.
            if (source.file !== undefined) return yield* this.#parsed();
            source = replayed(head, source);
          }
          if (this.#hasWords) source = numberedLabels(source, this.#labels);
          let parts = ahead?.parts(source, this.#format, this.#options) ?? null;
          if (parts === null) {
            buffers ??= new TextBuffers(kernels, this.#options);
            parts = readText(source, this.#format.parser, buffers);
          }
          yield* this.#file(source.name, parts);
        } finally {
          opened.close?.();
        }
      }
    } finally {
      buffers?.free();
      ahead?.close();
    }
  }

  async *#file(name: string, parts: AsyncIterable<TextPart>): AsyncGenerator<ParsedRows> {
    let lines = 0;
    for await (const part of parts) {
      if (part.kind === 'rows') {
        lines += part.lines;
        const names = part.names === undefined ? this.#format.parser.newNames() : part.names;
        yield { batch: part.batch, facts: part.facts, names };
      } else if (part.kind === 'refused') {
        this.#refuse(part, name, lines + 1);
        lines++;
      } else {
        throw this.#endless(part, { source: name, line: lines + 1 });
      }
    }
  }

  #endless({ zero, byte }: EndlessLine, where: Place): HalfspaceError {
    if (zero >= 0)
      return describeFault(layout.statusBinary, new Uint8Array(0), 0, 0, {
        ...where,
        column: zero + 1,
        byte: byte + zero,
      });
    const most = this.#options.lineBytes ?? defaultLineBytes;
    return new HalfspaceError(
      'row-malformed',
      `expected lines of at most ${most} bytes, which lineBytes raises (--longest-line of the command); got a longer one`,
      { ...where, byte },
    );
  }

  /** Reports a refused line. @throws HalfspaceError if there is no `onReject`, or if the line is binary. */
  #refuse({ status, line, from, to, byte }: RefusedLine, source: string, number: number): void {
    const { onReject } = this.#options;
    const where = { source, line: number, column: from + 1, byte: byte + from };
    const error = describeFault(status, line, from, to, where, this.#format.recipe.format === 'vw');
    if (onReject === undefined || status === layout.statusBinary) throw error;
    onReject({ error, line: line.subarray(0, line[line.length - 1] === 13 ? line.length - 1 : line.length) });
  }
}
