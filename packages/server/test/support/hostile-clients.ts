import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';

/*
 * Bytes that no client of good will sends, on a real socket, to a service with the model `f` of flowers and the limits
 * below at 127.0.0.1.
 */

export const hostileLimits = { body: 100_000, headerSeconds: 0.5, requestSeconds: 1, depth: 16 };

/** Sends bytes and returns all that comes back until the connection ends. */
export function exchange(port: number, bytes: string | Buffer, then?: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      then?.(socket);
    });
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

const post = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}, path = '/v1/models/f/predict') => {
  const all = {
    host: '127.0.0.1',
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), Buffer.from(body)]);
};
export const get = (path: string, host = '127.0.0.1') =>
  `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;

/** Returns the problem of an answer. Fails if the answer is none. */
function problemIn(answer: string): { status: number; code: string; detail: string } {
  const [head, body] = answer.split('\r\n\r\n') as [string, string];
  const problem = JSON.parse(body);
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${problem.status} `));
  expect(head).toMatch(/\r\ncontent-type: application\/problem\+json/i);
  expect(problem).toMatchObject({ type: 'about:blank', title: expect.any(String), detail: expect.any(String) });
  return problem;
}

const row = '{"row":{"size":1}}';
const proto = '{"row":{"__proto__":{"size":1}},"rows":[]}';

type Refused = readonly [what: string, bytes: () => string | Buffer, status: number, code: string];

/** Requests that are refused, each with its status and the code of its problem. */
export const refusedRequests: readonly Refused[] = [
  ['bytes that are no HTTP', () => '\u0000\u0001hello\r\n\r\n', 400, 'request-malformed'],
  ['TLS to HTTP', () => Buffer.from('160301020001000001fc0303', 'hex'), 400, 'request-malformed'],
  ['two lengths', () => post(row, { 'transfer-encoding': 'chunked' }), 400, 'request-malformed'],
  [
    'a bad chunk',
    () => post('zz\r\n', { 'transfer-encoding': 'chunked', 'content-length': '4' }),
    400,
    'request-malformed',
  ],
  ['no host', () => `GET /v1/models HTTP/1.1\r\nconnection: close\r\n\r\n`, 400, 'request-malformed'],
  [
    'large headers',
    () => `GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers-too-large',
  ],
  ['another host', () => get('/v1/models', 'evil.example'), 421, 'host-refused'],
  ['a large body', () => post('x'.repeat(100_001)), 413, 'body-too-large'],
  ['a body said to be huge', () => post('', { 'content-length': '99999999999' }), 413, 'body-too-large'],
  ['a deep body', () => post(`{"row":${'['.repeat(40_000)}${']'.repeat(40_000)}}`), 400, 'body-malformed'],
  ['a body of brackets', () => post('{"a":'.repeat(15_000)), 400, 'body-malformed'],
  [
    'a body that is no UTF-8',
    () => post(Buffer.from('7b22726f77223a7b22c328223a317d7d', 'hex')),
    400,
    'body-malformed',
  ],
  ['__proto__', () => post(proto), 400, 'body-malformed'],
  ['__proto__ in escapes', () => post(proto.replaceAll('_', '\\u005f')), 400, 'body-malformed'],
  ['another media type', () => post(row, { 'content-type': 'text/xml' }), 415, 'media-type-unknown'],
  ['a media type that is none', () => post(row, { 'content-type': 'json;;;=' }), 415, 'media-type-unknown'],
  ['no media type', () => post(row, { 'content-type': '' }), 415, 'media-type-unknown'],
  ['a compressed body', () => post(row, { 'content-encoding': 'br' }), 415, 'encoding-unknown'],
  ['a method without its media type', () => get('/livez').replace('GET', 'QUERY'), 405, 'method-refused'],
  ['steps up', () => get('/v1/models/../../etc/passwd'), 404, 'path-unknown'],
  ['escaped steps up', () => get('/v1/models/%2e%2e%2f%2e%2e%2fetc%2fpasswd'), 404, 'model-unknown'],
  ['a zero byte', () => get('/v1/models/%00'), 404, 'model-unknown'],
  ['a name of the prototype', () => get('/v1/models/__proto__'), 404, 'model-unknown'],
  ['a long path', () => get(`/v1/models/${'x'.repeat(10_000)}`), 414, 'path-too-long'],
  ['bad percent-encoding', () => get('/v1/models/%'), 400, 'path-malformed'],
  ['another address', () => get('http://evil.example/v1/models/none'), 404, 'model-unknown'],
];

/** Sends a request of {@link refusedRequests}, and fails unless it is refused. */
export async function expectRefusal(port: number, [what, bytes, status, code]: Refused): Promise<void> {
  expect({ what, ...problemIn(await exchange(port, bytes())) }).toMatchObject({ what, status, code });
}

/** Fails unless headers and bodies that do not come in time are refused. */
export async function expectNoPatience(port: number): Promise<void> {
  const slow = (socket: Socket) => {
    const timer = setInterval(() => socket.write('x'), 50);
    socket.on('close', () => clearInterval(timer));
  };
  const found = await Promise.all([
    exchange(port, 'GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ', slow),
    exchange(port, post('{', { 'content-length': '50000' }), slow),
    exchange(port, '', () => {}),
  ]);
  for (const answer of found.slice(0, 2))
    expect(problemIn(answer)).toMatchObject({ status: 408, code: 'request-late' });
  expect(found[2]).toMatch(/^$|^HTTP\/1\.1 408 /);
}

/** Fails unless the service answers a good request. */
export async function expectAnswer(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/models/f/predict`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: row,
  });
  expect(response.status).toBe(200);
}
