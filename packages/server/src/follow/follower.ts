import { readFileSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';
import { ServiceError } from '../client/service-error.ts';
import { pause, Transport } from '../client/transport.ts';
import type { Models as ListedModels, Model } from '../client/types.ts';
import { type Following, type FollowingModels, ModelRefusal, type Version } from '../models/contract.ts';
import { fetchAlone } from './fetch-alone.ts';
import { chunksOf, partsIn } from './journal-stream.ts';

/** The service that is followed, as the settings have it. */
export interface FollowOptions {
  /** Address of the writer, or of another follower of it. */
  readonly url: string;
  /** Path of a file with a key of the scopes `predict` and `follow`. It is read for each connection. */
  readonly key?: string | undefined;
}

/** Something that a person should know. @param model null: it is of all. */
export type TellFollower = (level: 'info' | 'warn', message: string, model: string | null) => void;

const usualTimes = {
  /** Time in milliseconds between two lists of models: a new one is here so late. */
  listMs: 2000,
  /** Wait in milliseconds before the second attempt, which doubles; and the longest one. */
  firstWait: 250,
  longestWait: 5000,
};
/** Time in milliseconds in which an answer must begin. */
const answerMs = 30_000;

/**
 * Keeps models equal to those of a writer. It lists them again and again. For each model that learns it reads the
 * journal behind its own version for ever; where that leads no further, it begins with a snapshot of the writer.
 */
export class Follower implements Following {
  readonly writer: string;
  readonly #models: FollowingModels;
  readonly #key: string | undefined;
  readonly #tell: TellFollower;
  readonly #times: typeof usualTimes;
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  /** By model: the reading of its journal. */
  readonly #tails = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  /** Number of records of each model at the writer. */
  readonly #heads = new Map<string, number>();
  /** The latest trouble, by model; null: of the whole service. */
  readonly #troubles = new Map<string | null, string>();
  #listed: readonly string[] = [];
  /** Time in milliseconds. */
  #contact: number | null = null;
  /** Ends the wait for the next list. */
  #wake = () => {};

  /** Begins to follow. @param options that {@link checkFollow} has checked. */
  constructor(models: FollowingModels, { url, key }: FollowOptions, tell: TellFollower, times = usualTimes) {
    this.#times = times;
    this.#models = models;
    this.#key = key;
    this.writer = url;
    this.#tell = tell;
    this.#ended = this.#follow();
  }

  get contactSeconds(): number | null {
    return this.#contact === null ? null : (performance.now() - this.#contact) / 1000;
  }

  get missing(): number {
    return this.#listed.filter((name) => this.#models.get(name) === null).length;
  }

  behind(name: string): number | null {
    const head = this.#heads.get(name);
    const model = this.#models.get(name);
    return head === undefined || model === null ? null : Math.max(0, head - model.version.sequence);
  }

  /** Ends after the records that are being written. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#wake();
    await this.#ended;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    for (let failures = 0; !signal.aborted; ) {
      failures = (await this.#try(null, signal, () => this.#matchAll(signal))) ? 0 : failures + 1;
      const wait = new AbortController();
      this.#wake = () => wait.abort();
      if (!signal.aborted)
        await pause(failures === 0 ? this.#times.listMs : this.#waitAfter(failures), wait.signal).catch(() => {});
    }
    for (const name of this.#tails.keys()) await this.#endTail(name);
  }

  /** Makes the models those that the writer lists. */
  async #matchAll(signal: AbortSignal): Promise<void> {
    const answer = await this.#open('v1/models', signal);
    const { models: listed } = JSON.parse((await wholeOf(answer, signal)).toString()) as ListedModels;
    this.#contact = performance.now();
    this.#listed = listed.map(({ name }) => name);
    const own = [...this.#models.list().map(({ name }) => name), ...this.#models.setAside.keys()];
    for (const name of own) {
      const isGone = !this.#listed.includes(name);
      if (!isGone && !this.#models.setAside.has(name)) continue;
      await this.#endTail(name);
      if (await this.#try(name, signal, () => this.#models.drop(name)))
        if (isGone) this.#tell('info', 'taken out of service, as by the writer', name);
    }
    for (const each of listed) await this.#try(each.name, signal, () => this.#match(each, signal));
  }

  async #match({ name, kind, version }: Model, signal: AbortSignal): Promise<void> {
    if (kind === 'learning') {
      if (!this.#tails.has(name)) this.#beginTail(name);
      return;
    }
    await this.#endTail(name);
    const own = this.#models.get(name);
    if (own?.kind === 'frozen' && own.version.digest === version.digest) return;
    const file = await wholeOf(await this.#open(`v1/models/${name}/model`, signal), signal);
    await this.#models.take(name, { kind: 'frozen', file: file.toString() });
  }

  #beginTail(name: string): void {
    const stop = new AbortController();
    const end = () => stop.abort();
    this.#ending.signal.addEventListener('abort', end);
    if (this.#ending.signal.aborted) end();
    const ended = this.#tail(name, stop.signal).finally(() => {
      this.#ending.signal.removeEventListener('abort', end);
      this.#heads.delete(name);
      this.#tails.delete(name);
    });
    this.#tails.set(name, { stop, ended });
  }

  async #endTail(name: string): Promise<void> {
    const tail = this.#tails.get(name);
    tail?.stop.abort();
    await tail?.ended;
  }

  /** Follows a model until it does not learn any more, or is stopped. */
  async #tail(name: string, signal: AbortSignal): Promise<void> {
    let isNew = this.#models.get(name)?.kind !== 'learning';
    for (let failures = 0; !signal.aborted; ) {
      const isWell = await this.#try(name, signal, async () => {
        try {
          if (isNew) await this.#begin(name, signal);
          isNew = false;
          await this.#readOn(name, signal, () => {
            failures = 0;
          });
        } catch (error) {
          const code = codeOf(error);
          // Another model has come into service, or none.
          if (code === 'model-unknown' || code === 'model-frozen') this.#wake();
          else if (code === 'version-differs') isNew = true;
          else throw error;
        }
      });
      failures = isWell ? Math.min(failures + 1, 2) : failures + 1;
      if (!signal.aborted) await pause(this.#waitAfter(isNew && isWell ? 0 : failures), signal).catch(() => {});
    }
  }

  /** Begins a model with a snapshot. Until it is there, answers come from the model before. */
  async #begin(name: string, signal: AbortSignal): Promise<void> {
    const bytes = await wholeOf(await this.#open(`v1/models/${name}/snapshot`, signal), signal);
    const { version } = await this.#models.take(name, { kind: 'snapshot', bytes });
    this.#tell('info', `begun with a snapshot of the writer, of ${version.sequence} records`, name);
  }

  /** Reads the journal of the writer behind the own version until it ends. */
  async #readOn(name: string, signal: AbortSignal, onPart: () => void): Promise<void> {
    const { sequence, digest }: Version = this.#models.get(name)!.version;
    const response = await this.#open(`v1/models/${name}/journal?after=${sequence}-${digest}`, signal);
    for await (const part of partsIn(response, signal)) {
      this.#contact = performance.now();
      this.#heads.set(name, part.head);
      if (part.records.length > 0) await this.#models.append(name, part);
      onPart();
      this.#isWell(name);
    }
  }

  async #open(path: string, signal: AbortSignal): Promise<Response> {
    const key = this.#key === undefined ? undefined : readKey(this.#key);
    const own = new AbortController();
    const end = () => own.abort(signal.reason);
    signal.addEventListener('abort', end);
    const late = setTimeout(() => own.abort(new Error('expected an answer of the writer; got none')), answerMs);
    try {
      signal.throwIfAborted();
      const transport = new Transport(this.writer, { key, fetch: fetchAlone });
      return await transport.open({ method: 'GET', path, isRepeatable: true }, own.signal);
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', end);
    }
  }

  /** Acts, tells a failure once, and returns false then. */
  async #try(model: string | null, signal: AbortSignal, act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      this.#isWell(model);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const message = `does not follow the writer for now: ${error instanceof Error ? error.message : quote(error)}`;
      if (this.#troubles.get(model) !== message) this.#tell('warn', message, model);
      this.#troubles.set(model, message);
      return false;
    }
  }

  #waitAfter(failures: number): number {
    const { firstWait, longestWait } = this.#times;
    return Math.min(longestWait, firstWait * 2 ** failures) * (0.5 + Math.random() / 2);
  }

  #isWell(model: string | null): void {
    if (this.#troubles.delete(model)) this.#tell('info', 'follows the writer again', model);
  }
}

/** Checks what is to be followed. @throws HalfspaceError `option-invalid`. */
export function checkFollow({ url, key }: FollowOptions): void {
  const { username, password, protocol } = URL.canParse(url) ? new URL(url) : new URL('none:');
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw new HalfspaceError(
      'option-invalid',
      'expected the address of a service to follow, of http or https, without a key in it (follow.key of the settings names a file of one); got another',
    );
  if (key !== undefined) readKey(key);
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new HalfspaceError(
      'source-unreadable',
      `expected a file with a key of the writer; got ${(error as Error).message}`,
    );
  }
}

function codeOf(error: unknown): string | null {
  if (error instanceof ServiceError) return error.code;
  return error instanceof ModelRefusal ? error.reason : null;
}

/** Reads all of an answer. */
async function wholeOf(response: Response, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(response, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
