import { existsSync } from 'node:fs';
import { PackedBatch } from '../../data/packed.ts';
import type { Renumbering } from '../../data/renumbering.ts';
import type { PlainFile } from '../../data/source.ts';
import type { TextAhead } from '../../data/text.ts';
import type { TextFormat } from '../../data/text-format.ts';
import { createTextParser, type TextParser } from '../../data/text-parser.ts';
import type { TextPart } from '../../data/text-reader.ts';
import { HalfspaceError } from '../../errors.ts';
import type { Block } from '../../kernels/block.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { compiledModule } from '../../kernels/wasm.ts';
import type { ParseJob } from './parse-protocol.ts';
import {
  leastBytes,
  ParserPool,
  type SlotPart,
  threadModule,
  threadsShareFiles,
  usefulThreads,
} from './parser-pool.ts';
import { RangeParser, type RangePart } from './range-parser.ts';

/**
 * A range that is parsed before its turn. Its first part (usually all of it) waits in the parser's own buffers, so the
 * parser must not parse another range meanwhile.
 */
class HeldRange {
  readonly number: number;
  readonly #parts: AsyncGenerator<RangePart>;
  #first: IteratorResult<RangePart> | null = null;
  #failure: { readonly error: unknown } | null = null;

  private constructor(number: number, parts: AsyncGenerator<RangePart>) {
    this.number = number;
    this.#parts = parts;
  }

  static async begin(number: number, parts: AsyncGenerator<RangePart>): Promise<HeldRange> {
    const held = new HeldRange(number, parts);
    try {
      held.#first = await parts.next();
    } catch (error) {
      held.#failure = { error };
    }
    return held;
  }

  /** @throws the errors of parsing. */
  async *parts(): AsyncGenerator<RangePart> {
    if (this.#failure !== null) throw this.#failure.error;
    for (let next = this.#first!; next.done !== true; next = await this.#parts.next()) yield next.value;
  }
}

export interface ParseAheadOptions {
  /**
   * The number of working threads, the caller's included; 1: only the caller's. Default: the machine's cores, at most
   * 4. Deno uses one thread, because its threads cannot share an open file.
   */
  readonly threads?: number | undefined;
  /** The caller's thread alone reads smaller files. Default 8 MiB, which take less time than starting a thread. */
  readonly leastBytes?: number | undefined;
  /** A pool to use; no other threads are started. Closed when the reading ends. */
  readonly pool?: ParserPool | undefined;
  /**
   * Bytes per range. Default 2 MiB: large enough that switching costs little, small enough for the memory of the ranges
   * that wait for their turn.
   */
  readonly rangeBytes?: number | undefined;
}

/** False in a bundle of a program that lacks the module of the threads; then the caller's thread reads everything. */
export const hasThreads = (): boolean => existsSync(threadModule());

/**
 * Reads large plain files in several threads. The caller's thread takes the parts in order, and parses too if none is
 * ready. So models have the same bits for any number of threads.
 *
 * @param kernels of the caller's run.
 */
export function parseAhead(kernels: Kernels, options: ParseAheadOptions = {}): TextAhead {
  const threads = options.pool === undefined ? (options.threads ?? usefulThreads()) : options.pool.threads + 1;
  const least = Math.max(1, options.leastBytes ?? leastBytes);
  const rangeBytes = options.rangeBytes ?? 2 * 1024 * 1024;
  let pool = options.pool ?? null;
  return {
    parts({ name, file }, format, { lineBytes }) {
      if (threads < 2 || !threadsShareFiles || file === undefined || file.size < least) return null;
      // A given pool may have been closed by another reading.
      if (pool === null || pool.closed) pool = new ParserPool(threads - 1);
      const ranges = Math.ceil(file.size / rangeBytes);
      const cut = { descriptor: file.descriptor, name, ranges, rangeBytes, lineBytes };
      return new FileParts(kernels, pool, format, file, cut).parts();
    },
    close() {
      pool?.close();
      pool = null;
    },
  };
}

/** The largest number of ranges that the caller's thread parses early; enough that it hardly waits for others. */
const mostHeld = 3;

/** Reads one file with a pool. */
class FileParts {
  readonly #kernels: Kernels;
  readonly #pool: ParserPool;
  readonly #file: PlainFile;
  readonly #job: ParseJob;
  readonly #next: Int32Array;
  /** The parser of this thread, and the translation of its numbers. */
  readonly #own: TextParser;
  readonly #ownNumbers: Renumbering | null;
  /** Its range parsers, and those that are idle; see {@link HeldRange}. */
  readonly #ranges: RangeParser[] = [];
  readonly #spare: RangeParser[] = [];
  readonly #threadNumbers: readonly (Renumbering | null)[];
  /** Buffer for rows from another thread. */
  readonly #staging: Block<Uint8Array>;

  constructor(
    kernels: Kernels,
    pool: ParserPool,
    format: TextFormat,
    file: PlainFile,
    cut: Omit<ParseJob, 'number' | 'next' | 'recipe' | 'module'>,
  ) {
    this.#kernels = kernels;
    this.#pool = pool;
    this.#file = file;
    const next = new SharedArrayBuffer(4);
    this.#next = new Int32Array(next);
    this.#job = pool.start({ ...cut, next, recipe: format.recipe, module: compiledModule() });
    this.#own = createTextParser(kernels, format.recipe);
    this.#ownNumbers = format.renumbering();
    this.#threadNumbers = Array.from({ length: pool.threads }, () => format.renumbering());
    this.#staging = kernels.uint8(0);
  }

  async *parts(): AsyncGenerator<TextPart> {
    const { ranges, rangeBytes } = this.#job;
    const held: { readonly range: HeldRange; readonly parser: RangeParser }[] = [];
    try {
      for (let range = 0; range < ranges; range++) {
        if (held[0]?.range.number === range) {
          const first = held.shift()!;
          for await (const part of first.range.parts()) yield renumbered(part, this.#ownNumbers);
          this.#spare.push(first.parser);
        } else if (Atomics.compareExchange(this.#next, 0, range, range + 1) === range) {
          const parser = this.#takeParser();
          for await (const part of parser.parts(this.#job, range)) yield renumbered(part, this.#ownNumbers);
          this.#spare.push(parser);
        } else {
          for (let last = false; !last; ) {
            const part = this.#pool.take(range);
            if (part === null) {
              // Another thread is parsing this range: parse a later one meanwhile.
              const further: number | null = held.length < mostHeld ? this.#claim() : null;
              if (further === null) {
                await this.#pool.wait();
                continue;
              }
              const parser = this.#takeParser();
              held.push({ range: await HeldRange.begin(further, parser.parts(this.#job, further)), parser });
              continue;
            }
            last = part.last;
            const received = this.#received(part);
            this.#pool.release(part);
            if (received !== null) yield received;
          }
        }
        this.#file.onRead(Math.min(rangeBytes, this.#file.size - range * rangeBytes));
      }
      this.#file.check();
    } finally {
      for (const parser of this.#ranges) parser.free();
      this.#own.free();
      this.#ownNumbers?.free();
      this.#staging.free();
      for (const numbers of this.#threadNumbers) numbers?.free();
    }
  }

  #takeParser(): RangeParser {
    const spare = this.#spare.pop();
    if (spare !== undefined) return spare;
    const parser = new RangeParser(this.#kernels, this.#job, this.#own);
    this.#ranges.push(parser);
    return parser;
  }

  /** Takes the next free range, or returns null. */
  #claim(): number | null {
    const range = Atomics.add(this.#next, 0, 1);
    return range < this.#job.ranges ? range : null;
  }

  /** Copies a part to this thread's memory; null: it is empty. @throws the parser's error. */
  #received({ thread, content }: SlotPart): TextPart | null {
    if (content === null) return null;
    if (content.kind === 'failure') {
      if (content.code === null) throw new Error(content.message);
      throw new HalfspaceError(content.code, content.message, content.where);
    }
    if (content.kind !== 'rows') return content;
    const { shape, lines, facts, bytes, names } = content;
    if (this.#staging.length < bytes.length) this.#staging.resize(bytes.length);
    this.#staging.array.set(bytes);
    const { batch } = new PackedBatch(this.#staging, shape);
    const numbers = this.#threadNumbers[thread]!;
    const entries = { ...names, block: this.#staging, first: numbers?.known ?? 0 };
    return renumbered({ kind: 'rows', batch, lines, facts, names: entries }, numbers);
  }
}

/** Translates a part's feature numbers to those of the whole file. */
function renumbered(part: RangePart, numbers: Renumbering | null): TextPart {
  if (numbers === null || part.kind !== 'rows' || part.batch.kind === 'dense') return part;
  return { ...part, batch: numbers.apply(part.batch, part.names!) };
}
