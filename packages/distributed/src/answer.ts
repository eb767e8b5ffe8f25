import { encodeModel, errorCodes, HalfspaceError } from 'halfspace';
import { decodeMixState, type Job, type MixState, mix, modelOf, parseRequest, workOn } from 'halfspace/shards';
import { batchesOfBlocks } from './arrow-batches.ts';
import { asShard } from './arrow-shard.ts';
import { Pieces } from './pieces.ts';

/** The head of an answer, as JSON. */
interface Answer {
  /** Exit status that the command would end with. */
  readonly status: number;
  /** The sentence of a failure. */
  readonly message?: string;
  readonly progress?: object;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytesOf = (value: string) => new TextEncoder().encode(value);

/**
 * Answers requests of an engine, one after the other, until the input ends. So one process does many steps.
 *
 * Requests and answers are frames: the number of bytes (uint32, little-endian), then the bytes. A request is a head
 * (JSON), the state (empty before the first step), then blocks up to an empty frame: for `work` the rows, each block a
 * whole Arrow IPC stream; for `mix` the results. An answer is a head (JSON) and its bytes: the result, the state, or
 * the model.
 *
 * @throws HalfspaceError `source-corrupt` if the input is cut. Refused data and options are answers.
 */
export async function* answer(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const frames = new Frames(input);
  for (let head = await frames.next(); head !== null; head = await frames.next()) {
    const given = (await frames.next()) ?? new Uint8Array(0);
    const blocks = frames.untilEmpty();
    let told: Answer = { status: 0 };
    let made: Uint8Array = new Uint8Array(0);
    try {
      const { task, job, shard } = parseRequest(text(head));
      const state = given.length === 0 ? null : decodeMixState(text(given), 'state');
      if (task === 'mix') {
        made = await mixed(job, state, blocks);
        told = { status: 0, progress: progressOf(decodeMixState(text(made), 'state')) };
      } else if (task === 'work') {
        made = await workOn(
          job,
          state,
          shard,
          asShard((source) => batchesOfBlocks(source, blocks)),
        );
      } else if (task === 'check') {
        // An engine asks before it reads any row.
      } else if (state !== null) made = bytesOf(encodeModel(await modelOf(job, state)));
      else throw new HalfspaceError('option-invalid', 'expected a state of a finished training; got none');
    } catch (error) {
      if (!(error instanceof HalfspaceError) || error instanceof CutInput) throw error;
      told = { status: errorCodes[error.code].exit, message: error.message };
    }
    // Skips the blocks of a request that failed before it read them all.
    for await (const _ of blocks);
    yield framed(bytesOf(JSON.stringify(told)), made);
  }
}

/** Returns the number of rounds and updates of a state, its next step, and its errors on held-out rows. */
export function progressOf({ next, rounds, updates, ended, errors, best, heldOutErrors }: MixState): object {
  const progress = { next, rounds, updates: updates.at(-1) ?? 0, ended, errors, heldOutErrors };
  return { ...progress, best: best && { round: best.round, errors: best.errors } };
}

async function mixed(job: Job, state: MixState | null, blocks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const results: { name: string; bytes: Uint8Array }[] = [];
  for await (const block of blocks) results.push({ name: `result ${results.length}`, bytes: block.slice() });
  return bytesOf(await mix(job, state, results));
}

/** Splits an input into frames: the number of bytes (uint32, little-endian), then the bytes. */
class Frames {
  readonly #pieces: Pieces;
  #reused: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#pieces = new Pieces(input);
  }

  /**
   * Returns the bytes of the next frame, or null at the end of the input.
   *
   * @param memory is used if it is large enough.
   * @throws HalfspaceError `source-corrupt` if the input ends within a frame.
   */
  async next(memory?: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | null> {
    const head = await this.#pieces.read(4);
    if (head.length === 0) return null;
    if (head.length < 4) throw cut();
    const length = new DataView(head.buffer).getUint32(0, true);
    const bytes = await this.#pieces.read(length, memory);
    if (bytes.length < length) throw cut();
    return bytes;
  }

  /**
   * Yields frames up to an empty one. Each is valid until the next is asked for, because they share their memory. The
   * frames that a caller does not ask for are skipped at the end.
   */
  async *untilEmpty(): AsyncGenerator<Uint8Array> {
    const following = async () => {
      const frame = await this.next(this.#reused);
      if (frame === null) throw cut();
      if (frame.length > this.#reused.length) this.#reused = new Uint8Array(frame.buffer);
      return frame;
    };
    let frame = await following();
    try {
      while (frame.length > 0) {
        yield frame;
        frame = await following();
      }
    } finally {
      while (frame.length > 0) frame = await following();
    }
  }
}

/** Returns frames of some bytes, as {@link Frames} reads them. */
export function framed(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

/** An input that ends within a frame or a request. */
class CutInput extends HalfspaceError {}

function cut(): CutInput {
  return new CutInput('source-corrupt', 'expected whole frames; got an input that is cut', { source: 'requests' });
}
