import type { SparseBatch } from '../batch.ts';
import { PackedBatch, packedLayout } from '../data/packed.ts';
import type { Renumbering } from '../data/renumbering.ts';
import type { PlainFile } from '../data/source.ts';
import type { TextAhead } from '../data/text.ts';
import type { TextFormat } from '../data/text-format.ts';
import type { TextPart } from '../data/text-reader.ts';
import { HalfspaceError } from '../errors.ts';
import type { Block, Kernels } from '../kernels/kernels.ts';
import { compiledModule } from '../kernels/wasm.ts';
import { HeldRange } from './held-range.ts';
import type { ParseJob } from './parse-protocol.ts';
import { defaultThreads, leastBytes, ParserPool, type ToldPart } from './parser-pool.ts';
import { RangeParser, type RangePart } from './range-parser.ts';

export interface ParseAheadOptions {
  /** Threads that work, the caller's among them; 1: only that. Default: as many as the machine runs at once, at most 4. */
  readonly threads?: number | undefined;
  /** Files of fewer bytes are read by the caller's thread alone. Default 8 MiB, which take less time than starting a thread. */
  readonly leastBytes?: number | undefined;
  /** Threads that were started already, which are the only ones then. Closed when the reading ends. */
  readonly pool?: ParserPool | undefined;
  /** Bytes that a thread takes at a time. Default 512 KiB: threads share the work evenly, and text and rows fit a core's cache. */
  readonly rangeBytes?: number | undefined;
}

/**
 * Reads large plain files in several threads. The caller's thread takes the parts in order, and parses too when none is ready; so
 * models are the same bits for any number of threads.
 *
 * @param kernels those of the caller's run.
 */
export function parseAhead(kernels: Kernels, options: ParseAheadOptions = {}): TextAhead {
  const threads = options.pool === undefined ? (options.threads ?? defaultThreads()) : options.pool.threads + 1;
  const least = Math.max(1, options.leastBytes ?? leastBytes);
  const rangeBytes = options.rangeBytes ?? 512 * 1024;
  let pool = options.pool ?? null;
  return {
    parts({ name, file }, format) {
      if (threads < 2 || file === undefined || file.size < least) return null;
      pool ??= new ParserPool(threads - 1);
      const cut = { descriptor: file.descriptor, name, ranges: Math.ceil(file.size / rangeBytes), rangeBytes };
      return new FileParts(kernels, pool, format, file, cut).parts();
    },
    close() {
      pool?.close();
      pool = null;
    },
  };
}

/** One file's way through a pool. */
class FileParts {
  readonly #pool: ParserPool;
  readonly #file: PlainFile;
  readonly #job: ParseJob;
  readonly #next: Int32Array;
  readonly #own: RangeParser;
  readonly #ownNumbers: Renumbering | null;
  /** For ranges taken before their turn. */
  readonly #further: RangeParser;
  readonly #furtherNumbers: Renumbering | null;
  readonly #threadNumbers: readonly (Renumbering | null)[];
  /** Rows that come from another thread. */
  readonly #staging: Block<Uint8Array>;

  constructor(
    kernels: Kernels,
    pool: ParserPool,
    format: TextFormat,
    file: PlainFile,
    cut: Omit<ParseJob, 'number' | 'next' | 'recipe' | 'module'>,
  ) {
    this.#pool = pool;
    this.#file = file;
    const next = new SharedArrayBuffer(4);
    this.#next = new Int32Array(next);
    const module = kernels.name === 'wasm' ? compiledModule() : null;
    this.#job = pool.start({ ...cut, next, recipe: format.recipe, module });
    this.#own = new RangeParser(kernels, this.#job);
    this.#ownNumbers = format.renumbering();
    this.#further = new RangeParser(kernels, this.#job);
    this.#furtherNumbers = format.renumbering();
    this.#threadNumbers = Array.from({ length: pool.threads }, () => format.renumbering());
    this.#staging = kernels.uint8(0);
  }

  async *parts(): AsyncGenerator<TextPart> {
    const { ranges, rangeBytes } = this.#job;
    let held: HeldRange | null = null;
    try {
      for (let range = 0; range < ranges; range++) {
        if (held?.range === range) {
          for await (const part of held.parts()) yield renumbered(part, this.#furtherNumbers);
          held = null;
        } else if (Atomics.compareExchange(this.#next, 0, range, range + 1) === range) {
          for await (const part of this.#own.parts(this.#job, range)) yield renumbered(part, this.#ownNumbers);
        } else {
          for (;;) {
            const told = this.#pool.take(range);
            if (told === null) {
              // Another thread is at it: meanwhile this one takes a range further on.
              const further: number | null = held === null ? this.#claim() : null;
              if (further === null) await this.#pool.wait();
              else held = await HeldRange.begin(further, this.#further.parts(this.#job, further));
              continue;
            }
            if (told.message.kind === 'end') break;
            yield this.#received(told);
          }
        }
        this.#file.onRead(Math.min(rangeBytes, this.#file.size - range * rangeBytes));
      }
    } finally {
      this.#own.free();
      this.#further.free();
      this.#staging.free();
      for (const numbers of [this.#ownNumbers, this.#furtherNumbers, ...this.#threadNumbers]) numbers?.free();
    }
  }

  /** A range that nobody has taken, or null. */
  #claim(): number | null {
    const range = Atomics.add(this.#next, 0, 1);
    return range < this.#job.ranges ? range : null;
  }

  #received({ message, thread }: ToldPart): TextPart {
    if (message.kind === 'failure') {
      if (message.code === null) throw new Error(message.message);
      throw new HalfspaceError(message.code, message.message, message.where);
    }
    if (message.kind !== 'rows') return message as Exclude<typeof message, { kind: 'end' }>;
    const { shape, lines, facts, names } = message;
    const { bytes } = packedLayout(shape);
    if (this.#staging.length < bytes) this.#staging.resize(bytes);
    this.#pool.empty(thread, message, this.#staging.array.subarray(0, bytes));
    const { batch } = new PackedBatch(this.#staging, shape);
    return renumbered({ kind: 'rows', batch, lines, facts, names }, this.#threadNumbers[thread]!);
  }
}

/** A part whose features have the numbers of the whole. */
function renumbered(part: RangePart, numbers: Renumbering | null): TextPart {
  if (numbers !== null && part.kind === 'rows') {
    numbers.learn(part.names!);
    numbers.apply(part.batch as SparseBatch & { dimension: number });
  }
  return part;
}
