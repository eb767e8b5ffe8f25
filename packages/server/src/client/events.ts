import { clientError } from './service-error.ts';
import { type Asked, type CallOptions, pause, type Transport } from './transport.ts';
import type { ModelEvent } from './types.ts';

/** An event of a stream, as it was sent. */
interface SentEvent {
  readonly type: string;
  /** The last id of the stream; empty before the first. */
  readonly id: string;
  readonly data: string;
}

/**
 * Reads server-sent events from pieces of text.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
 */
export class EventParser {
  #rest = '';
  #type = '';
  #data: string[] = [];
  #id = '';
  /** Milliseconds before a new connection, as the stream asked for them. */
  retryMs = 3000;

  /** Returns the events that a piece completes. */
  push(text: string): SentEvent[] {
    // A carriage return at the end may be the first half of a line's end.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    const events: SentEvent[] = [];
    for (const line of lines) {
      if (line !== '') this.#read(line);
      else {
        if (this.#data.length > 0)
          events.push({ type: this.#type || 'message', id: this.#id, data: this.#data.join('\n') });
        this.#type = '';
        this.#data = [];
      }
    }
    return events;
  }

  #read(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (name === 'event') this.#type = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id') this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }
}

/** The service sends at least a comment in a third of this time. */
const longestSilenceMs = 45_000;

/**
 * Yields the events of a model. A connection that ends, or is silent, is opened again, and the alarms that were missed
 * come first.
 *
 * @param after id of the last event that the caller has.
 */
export async function* eventsOf(
  transport: Transport,
  path: string,
  { signal }: CallOptions,
  after: number | undefined,
): AsyncGenerator<ModelEvent> {
  let last = after;
  for (let failures = 0; ; failures++) {
    const asked: Asked = {
      method: 'GET',
      path,
      headers: { accept: 'text/event-stream', 'last-event-id': last?.toString() },
      isRepeatable: true,
    };
    const parser = new EventParser();
    let failure: unknown;
    try {
      for await (const event of connectionOf(transport, asked, parser, signal)) {
        failures = -1;
        last = event.id;
        yield event;
        if (event.type === 'retired') return;
      }
    } catch (error) {
      failure = error;
    }
    signal?.throwIfAborted();
    // The end of a connection is no failure: the service may start anew.
    const wait = failure === undefined ? 0 : transport.waitAfter(failure, true, Math.max(0, failures));
    if (wait === null || failures >= transport.retries) throw failure ?? clientError('unreachable', 'the events ended');
    await pause(Math.max(wait, parser.retryMs * (0.5 + transport.random() / 2)), signal);
  }
}

async function* connectionOf(
  transport: Transport,
  asked: Asked,
  parser: EventParser,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent> {
  const own = new AbortController();
  const abort = () => own.abort(signal!.reason);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(clientError('timeout', 'expected events; got silence')), longestSilenceMs);
  };
  try {
    listen();
    const { body } = await transport.open(asked, own.signal);
    const reader = body!.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        if (own.signal.aborted) throw own.signal.reason;
        throw clientError('unreachable', `expected events; got ${error}`, 0, error);
      });
      if (done) return;
      listen();
      for (const { type, id, data } of parser.push(decoder.decode(value, { stream: true })))
        yield { type, id: Number(id), data: JSON.parse(data) } as ModelEvent;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    own.abort();
  }
}
