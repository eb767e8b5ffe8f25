import { eventsOf } from './events.ts';
import { groupsOf } from './groups.ts';
import { clientError, ServiceError } from './service-error.ts';
import type { Answered, Asked, CallOptions, Transport } from './transport.ts';
import type {
  AnyRow,
  Columns,
  Curve,
  Example,
  Explanation,
  Label,
  Learned,
  LearnedMany,
  Model,
  ModelEvent,
  NewLearner,
  Prediction,
  Predictions,
  Refused,
  Shadow,
  Version,
  Watch,
  Weights,
} from './types.ts';

export interface PredictOptions extends CallOptions {
  /** Adds the probabilities of the classes. Default false. */
  readonly probabilities?: boolean | undefined;
  /** Keeps the row, so that its label may follow by {@link ModelClient.feedback}. Default false. */
  readonly remember?: boolean | undefined;
}

export interface KeyOptions extends CallOptions {
  /**
   * Name of the request, of 1 to 100 characters: another request with this name changes nothing more. Default: a random
   * one for each call, so that what a call tries again is done once.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface GroupOptions {
  /** Largest number of rows of one request. Default 1,000. */
  readonly mostRows?: number | undefined;
}

export interface ConditionOptions extends CallOptions {
  /** Changes the model only if it has this version, or if there is `any`, or `none`, of its name. */
  readonly ifVersion?: Version | 'any' | 'none' | undefined;
}

/** A file of a model, as text, with its version. */
export interface ModelFile {
  readonly version: Version;
  readonly text: string;
}

/**
 * One model of a service. All calls throw {@link ServiceError}, or the reason of their signal.
 *
 * @typeParam Row the rows of the model. Any object does; typed arrays are sent as lists of numbers.
 * @typeParam L the labels of the model, which its predictions have too.
 */
export class ModelClient<Row extends object = AnyRow, L extends Label = Label> {
  readonly name: string;
  readonly #transport: Transport;
  readonly #path: string;

  /** @internal Use {@link ServiceClient.model}. */
  constructor(transport: Transport, name: string) {
    this.name = name;
    this.#transport = transport;
    this.#path = `v1/models/${encodeURIComponent(name)}`;
  }

  /** Answers a row. */
  predict(row: Row, { signal, ...asked }: PredictOptions = {}): Promise<Prediction<L>> {
    return this.#post('/predict', { row: plain(row), ...asked }, { signal });
  }

  /** Answers rows, all by one version of the model. A row that is refused is an error of the call. */
  predictAll(rows: readonly Row[], { signal, ...asked }: PredictOptions = {}): Promise<Predictions<L>> {
    return this.#post('/predict', { rows: rows.map(plain), ...asked }, { signal });
  }

  /**
   * Answers rows as they come, in order. Rows are read only as fast as the answers are.
   *
   * @param rows any number; if they come slowly, each is answered at once.
   */
  predictStream(
    rows: AsyncIterable<Row> | Iterable<Row>,
    { signal, mostRows, ...asked }: PredictOptions & GroupOptions = {},
  ): AsyncGenerator<Prediction<L> | Refused> {
    const query = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
    const end = query.length === 0 ? '/predict' : `/predict?${query.join('&')}`;
    return this.#lines(
      end,
      groupsOf(rows, (row) => JSON.stringify(plain(row)), mostRows ?? 1000),
      signal,
    );
  }

  /** Learns from an example. When the promise resolves, it is durable. */
  learn({ row, ...rest }: Example<Row, L>, { signal, idempotencyKey }: KeyOptions = {}): Promise<Learned<L>> {
    return this.#post('/learn', { row: plain(row), ...rest }, { signal }, idempotencyKey ?? randomKey());
  }

  /** Learns from examples, in order. A refused example is an outcome, and the others are learned. */
  learnAll(examples: readonly Example<Row, L>[], { signal, idempotencyKey }: KeyOptions = {}): Promise<LearnedMany<L>> {
    const plainly = examples.map(({ row, ...rest }) => ({ row: plain(row), ...rest }));
    return this.#post('/learn', { examples: plainly }, { signal }, idempotencyKey ?? randomKey());
  }

  /**
   * Learns from examples as they come, in order, and yields their outcomes. Number i gets the id `KEY/i`, if it has
   * none: the same examples by the same `idempotencyKey` are learned once, wherever an earlier call was cut off.
   */
  learnStream(
    examples: AsyncIterable<Example<Row, L>> | Iterable<Example<Row, L>>,
    { signal, idempotencyKey = randomKey(), mostRows }: KeyOptions & GroupOptions = {},
  ): AsyncGenerator<Learned<L> | Refused> {
    const lineOf = ({ row, ...rest }: Example<Row, L>, i: number) =>
      JSON.stringify({ id: `${idempotencyKey}/${i}`, ...rest, row: plain(row) });
    return this.#lines('/learn', groupsOf(examples, lineOf, mostRows ?? 1000), signal);
  }

  /**
   * Learns the label of an earlier answer. A repetition learns nothing more.
   *
   * @param id of the answer to a row that was to be remembered.
   */
  feedback(
    id: string,
    label: L,
    { signal, importance }: CallOptions & { readonly importance?: number | undefined } = {},
  ): Promise<Learned<L>> {
    return this.#post('/feedback', { id, label, importance }, { signal });
  }

  /** Tells the parts of a row's score. @param of a class. Default: the second of two, or the predicted one. */
  explain(row: Row, { signal, of }: CallOptions & { readonly of?: string | undefined } = {}): Promise<Explanation> {
    return this.#post('/explain', { row: plain(row), of }, { signal });
  }

  /** Tells the rule, classes, columns and figures of the model. */
  describe(options: CallOptions = {}): Promise<Model> {
    return this.#get('', options);
  }

  /** Tells the figures of the stream of examples, and the latest alarms. */
  watch(options: CallOptions = {}): Promise<Watch> {
    return this.#get('/watch', options);
  }

  /**
   * Returns the strongest weights.
   *
   * @param top largest number of weights of a class, 1 to 100. Default 10.
   * @param of a class. Default: all.
   */
  weights({
    signal,
    top,
    of,
  }: CallOptions & { readonly top?: number | undefined; readonly of?: string | undefined } = {}): Promise<Weights> {
    return this.#get(`/weights${queryOf({ top, of })}`, { signal });
  }

  /** Tells the course of the errors. */
  curve(options: CallOptions = {}): Promise<Curve> {
    return this.#get('/curve', options);
  }

  /** Tells the columns that a row may have, with their levels. */
  columns(options: CallOptions = {}): Promise<Columns> {
    return this.#get('/columns', options);
  }

  /** Returns the model file as of now, for `decodeModel` or `halfspace predict`. */
  modelFile(options: CallOptions = {}): Promise<ModelFile> {
    return this.#send({ method: 'GET', path: '/model', isRepeatable: true }, options, fileOf);
  }

  /** Returns the state from which learning goes on, for {@link put}. */
  stateFile(options: CallOptions = {}): Promise<ModelFile> {
    return this.#send({ method: 'GET', path: '/state', isRepeatable: true }, options, fileOf);
  }

  /** Creates or replaces the model. @param content a new learner, or the text of a model file or of a state. */
  put(content: NewLearner | string, { signal, ifVersion }: ConditionOptions = {}): Promise<Model> {
    const body = typeof content === 'string' ? content : JSON.stringify(content);
    return this.#send(
      { method: 'PUT', path: '', body, headers: conditionOf(ifVersion), isRepeatable: false },
      { signal },
      jsonOf<Model>,
    );
  }

  /** Takes the model out of service. */
  retire({ signal, ifVersion }: ConditionOptions = {}): Promise<void> {
    const headers = conditionOf(ifVersion);
    return this.#send({ method: 'DELETE', path: '', headers, isRepeatable: false }, { signal }, () => {});
  }

  /** Begins a second learner beside the model. @param options of `OnlineClassifier`. */
  beginShadow(options: object, { signal, idempotencyKey }: KeyOptions = {}): Promise<Shadow> {
    return this.#post('/shadow', { options }, { signal }, idempotencyKey ?? randomKey());
  }

  /** Lets the shadow give a share of the answers, in [0, 1]: to the same rows always. */
  shareAnswers(share: number, { signal, idempotencyKey }: KeyOptions = {}): Promise<Shadow> {
    const headers = { 'idempotency-key': idempotencyKey ?? randomKey() };
    const body = JSON.stringify({ share });
    return this.#send(
      { method: 'PUT', path: '/shadow', headers, body, isRepeatable: true },
      { signal },
      jsonOf<Shadow>,
    );
  }

  /** Compares the shadow with the model. */
  shadow(options: CallOptions = {}): Promise<Shadow> {
    return this.#get('/shadow', options);
  }

  /** Brings the shadow into service. The model becomes the shadow. */
  promoteShadow({ signal, idempotencyKey }: KeyOptions = {}): Promise<Shadow> {
    return this.#post('/promote', undefined, { signal }, idempotencyKey ?? randomKey());
  }

  dropShadow({ signal, idempotencyKey }: KeyOptions = {}): Promise<void> {
    const headers = { 'idempotency-key': idempotencyKey ?? randomKey() };
    return this.#send({ method: 'DELETE', path: '/shadow', headers, isRepeatable: true }, { signal }, () => {});
  }

  /**
   * Yields alarms at once, and the state while it changes, until the model is retired, the loop is left or the signal
   * is aborted. A connection that breaks is opened again, and alarms that were missed come first.
   *
   * @param after id of the last event that the caller has.
   */
  events({ signal, after }: CallOptions & { readonly after?: number | undefined } = {}): AsyncGenerator<ModelEvent> {
    return eventsOf(this.#transport, `${this.#path}/events`, { signal }, after);
  }

  #get<T>(path: string, options: CallOptions): Promise<T> {
    return this.#send({ method: 'GET', path, isRepeatable: true }, options, jsonOf<T>);
  }

  #post<T>(path: string, content: object | undefined, options: CallOptions, idempotencyKey?: string): Promise<T> {
    const body = content === undefined ? undefined : JSON.stringify(content);
    const headers = { 'idempotency-key': idempotencyKey };
    return this.#send({ method: 'POST', path, body, headers, isRepeatable: true }, options, jsonOf<T>);
  }

  #send<T>(asked: Asked, options: CallOptions, read: (answered: Answered) => T): Promise<T> {
    return this.#transport.send({ ...asked, path: this.#path + asked.path }, options, read);
  }

  async *#lines<T>(
    path: string,
    groups: AsyncGenerator<string[]>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T | Refused> {
    const headers = { 'content-type': 'application/x-ndjson' };
    for await (const lines of groups) {
      const asked = { method: 'POST', path, headers, body: `${lines.join('\n')}\n`, isRepeatable: true } as const;
      yield* await this.#send(asked, { signal }, ({ text }) => outcomesOf<T>(text, lines.length));
    }
  }
}

/** Returns the answers of lines. @throws ServiceError if the service ended the stream early, as its last line tells. */
function outcomesOf<T>(text: string, count: number): (T | Refused)[] {
  const outcomes = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T | Refused);
  if (outcomes.length === count) return outcomes;
  const last = outcomes.at(-1) as Refused | undefined;
  if (last?.problem === undefined)
    throw clientError('unreachable', `expected ${count} answers; got ${outcomes.length}`);
  throw new ServiceError(last.problem);
}

function jsonOf<T>({ text, status }: Answered): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw clientError('answer-unknown', 'expected an answer in JSON; got other text', status, error);
  }
}

function fileOf({ headers, text }: Answered): ModelFile {
  const [, sequence, digest] = /^"(\d+)-([0-9a-f]+)"$/.exec(headers.get('etag') ?? '') ?? [];
  if (sequence === undefined) throw clientError('answer-unknown', 'expected an answer with its ETag; got none', 200);
  return { version: { sequence: Number(sequence), digest: digest! }, text };
}

function conditionOf(version: ConditionOptions['ifVersion']): Record<string, string> {
  if (version === undefined) return {};
  if (version === 'none') return { 'if-none-match': '*' };
  return { 'if-match': version === 'any' ? '*' : `"${version.sequence}-${version.digest}"` };
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}

/** JSON has no typed arrays. */
function plain(row: object): object {
  if (ArrayBuffer.isView(row)) return Array.from(row as unknown as ArrayLike<number>);
  const { indices, values } = row as { readonly indices?: unknown; readonly values?: unknown };
  if (!ArrayBuffer.isView(indices) && !ArrayBuffer.isView(values)) return row;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, ArrayBuffer.isView(value) ? plain(value) : value]),
  );
}

/** Returns 128 random bits. `crypto.randomUUID` is missing in pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
