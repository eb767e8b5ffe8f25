import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Number of bytes that may wait for a reader; one that is slower is cut off, and may come again for the rest. */
const mostWaiting = 2 ** 16;
/** Time in milliseconds without an event after which a comment keeps the connection open. */
export const heartbeatMs = 15_000;

/** A stream of server-sent events to one reader. */
export class EventStream {
  readonly #response: ServerResponse;
  #idle = 0;

  constructor(response: ServerResponse, headers: Readonly<OutgoingHttpHeaders>, onEnd: () => void) {
    this.#response = response;
    response.once('close', onEnd);
    response.on('error', () => {});
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // Else the end of the service waits for a connection that is idle.
      connection: 'close',
      // Proxies that gather answers would hold events back.
      'x-accel-buffering': 'no',
    });
    this.#write('retry: 3000\n\n');
  }

  /** @param id of the last event that the reader has, when it comes again. */
  send(event: string, id: number, data: unknown): void {
    this.#write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Tells that time has passed, in milliseconds. */
  pass(ms: number): void {
    this.#idle += ms;
    if (this.#idle >= heartbeatMs) this.#write(':\n\n');
  }

  end(): void {
    this.#response.end();
  }

  #write(text: string): void {
    this.#idle = 0;
    this.#response.write(text);
    if (this.#response.writableLength > mostWaiting) this.#response.destroy();
  }
}
