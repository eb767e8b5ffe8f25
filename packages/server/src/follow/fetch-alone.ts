import * as http from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/**
 * Asks as `fetch` does, each time on a connection of its own. A request in the pool of Node's `fetch` may wait for ever
 * after the service has been started again.
 */
export const fetchAlone: typeof fetch = (input, { headers, signal } = {}) =>
  new Promise((resolve, reject) => {
    const url = new URL(String(input));
    const { request } = url.protocol === 'https:' ? https : http;
    const options = {
      agent: false,
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal == null ? {} : { signal }),
    };
    const sent = request(url, options, (answer) => {
      const names = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
      const body = Readable.toWeb(answer) as ReadableStream<Uint8Array> as unknown as BodyInit;
      resolve(new Response(body, { status: answer.statusCode!, headers: names }));
    });
    sent.on('error', reject).end();
  });
