import { EventParser } from './event-parser.ts';
import { clientError } from './service-error.ts';
import { type Asked, type CallOptions, pause, type Transport } from './transport.ts';
import type { ModelEvent } from './types.ts';

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
