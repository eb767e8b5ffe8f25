import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { OnlineOptions } from 'halfspace';
import { quote } from 'halfspace/checks';
import type { LearningLimits, ModelContent, PutContent } from '../models/contract.ts';
import { parseJson } from './json.ts';
import { Refusal } from './problem.ts';

/** The body of a request that says what a model shall be. */
export interface GivenContent {
  /** That of the model. */
  readonly name: string;
  readonly body: Uint8Array;
  readonly isSnapshot: boolean;
  /** Largest depth of JSON. */
  readonly depth: number;
}

/** The message of a thread: a content, or the members of the refusal. */
export type ToldContent =
  | { readonly content: PutContent }
  | { readonly refused: Pick<Refusal, 'status' | 'code' | 'message' | 'headers'> & { readonly where?: object } };

/** Size of a body in bytes from which a thread reads it: that takes about as long as the thread takes to start. */
const leastInThread = 2 ** 20;
const thread = new URL('./content-thread.js', import.meta.url);

/**
 * Returns what a body says a model shall be. A thread reads a large one, whose bytes are no longer there afterwards.
 *
 * @throws Refusal; for a large one also what `Models.put` refuses.
 */
export async function givenContent(given: GivenContent): Promise<PutContent> {
  if (given.body.length < leastInThread || !existsSync(thread)) return contentOf(given);
  const told = await new Promise<ToldContent>((resolve, reject) => {
    const { buffer, byteLength } = given.body;
    // A part of other memory is copied.
    const transferList = byteLength === buffer.byteLength ? [buffer as ArrayBuffer] : [];
    const worker = new Worker(thread, { workerData: given, transferList, execArgv: [], stdin: false });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('expected the content of a thread; it ended')));
  });
  if ('content' in told) return told.content;
  const { status, code, message, headers, where } = told.refused;
  throw Object.assign(new Refusal(status, code, message, headers), where === undefined ? {} : { where });
}

/** Returns what a body says a model shall be. @throws Refusal. */
export function contentOf({ body, isSnapshot, depth }: GivenContent): ModelContent {
  if (isSnapshot) return { kind: 'snapshot', bytes: body };
  const bytes = Buffer.from(body.buffer as ArrayBuffer, body.byteOffset, body.length);
  const value = parseJson(bytes, depth);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unknownContent(value);
  const { format, kind, options = {}, limits, ...others } = value as Record<string, unknown>;
  if (format === 'halfspace-model') return { kind: 'frozen', file: bytes.toString() };
  if (format === 'halfspace-online') return { kind: 'learned', state: bytes.toString() };
  const [other] = Object.keys(others);
  if (format !== undefined || kind !== 'learning' || other !== undefined) throw unknownContent(format ?? other ?? kind);
  for (const [name, member] of Object.entries({ options, limits: limits ?? {} }))
    if (typeof member !== 'object' || member === null || Array.isArray(member))
      throw new Refusal(400, 'request-invalid', `expected "${name}" as an object; got ${quote(member)}`);
  return {
    kind: 'learning',
    options: options as OnlineOptions,
    limits: limits as Partial<LearningLimits> | undefined,
  };
}

function unknownContent(got: unknown): Refusal {
  return new Refusal(
    400,
    'request-invalid',
    `expected a model file, a state, or {"kind": "learning", "options": {…}, "limits": {…}}; got ${quote(got)}`,
  );
}
