import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type App, createApp } from '../../src/http/app.ts';
import { certificateOf } from '../support/certificate.ts';
import { naiveModels } from '../support/naive-models.ts';

/*
 * Peers that hold connections. They keep their side open whatever the service does, so only the service can free the
 * place that they take.
 */

const limits = { headerSeconds: 0.3, requestSeconds: 1, idleSeconds: 0.3, connections: 10 };
const many = limits.connections;

async function begin(tls?: { readonly certificate: string; readonly key: string }) {
  const app = await createApp(naiveModels(), { limits, tls });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  let accepted = 0;
  app.server.on('connection', () => accepted++);
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    app.closeConnections();
    await app.close();
  });
  /** Opens as many connections as there may be. @param act is called on each. */
  const hold = async (act: (socket: Socket) => void) => {
    for (let k = 0; k < many; k++) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => act(socket));
      sockets.push(socket.on('error', () => {}));
    }
    // The service may have freed the first places by then.
    await expect.poll(() => accepted, { timeout: 50_000 }).toBe(many);
  };
  return { app, port, hold };
}

const count = (app: App) => new Promise((resolve) => app.server.getConnections((_, open) => resolve(open)));
const freed = (app: App) => expect.poll(() => count(app), { timeout: 50_000 }).toBe(0);

const every = (ms: number, bytes: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(bytes), ms);
  socket.on('close', () => clearInterval(timer)).on('error', () => clearInterval(timer));
};
const ask = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;

const peers: Readonly<Record<string, (socket: Socket) => void>> = {
  'say nothing': (socket) => socket.resume(),
  'say nothing and read nothing': () => {},
  'send half a header': (socket) => socket.resume().write('GET /livez HTTP/1.1\r\nhost: '),
  'send empty lines': (socket) => every(50, '\r\n')(socket.resume()),
  'send bytes that are no HTTP': (socket) => every(50, 'no\n')(socket.resume()),
  'send headers for ever': (socket) => {
    socket.resume().write('GET /livez HTTP/1.1\r\n');
    every(50, 'x: y\r\n')(socket);
  },
  'send empty lines after an answer': (socket) => {
    socket.resume().write(ask('/livez'));
    every(50, '\r\n')(socket);
  },
  'say nothing after an answer': (socket) => socket.resume().write(ask('/livez')),
  'send half a body': (socket) =>
    socket.resume().write('POST /livez HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\n{'),
  'ask for much and read nothing': (socket) => socket.pause().write(ask('/openapi.json').repeat(200)),
};

test.each(Object.keys(peers))('peers that %s lose their places', async (name) => {
  const { app, port, hold } = await begin();
  await hold(peers[name]!);
  await freed(app);
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
});

test.each(['say nothing', 'send half a header', 'send empty lines'])(
  'peers that %s instead of a handshake lose their places',
  async (name) => {
    const { app, hold } = await begin(certificateOf('service'));
    await hold(peers[name]!);
    await freed(app);
  },
);

const hello = '\u0016\u0003\u0001\u0001\u0000\u0001';

test('a handshake that comes byte by byte ends in time', async () => {
  const { app, hold } = await begin(certificateOf('service'));
  await hold((socket) => {
    let at = 0;
    const timer = setInterval(() => socket.write(hello[at++] ?? '\u0000', 'latin1'), 50);
    socket.resume().on('close', () => clearInterval(timer));
  });
  await freed(app);
});

test.each([undefined, certificateOf('service')])('silent peers hold up no end of the service', async (tls) => {
  const { app, hold } = await begin(tls);
  await hold(() => {});
  await app.close();
  expect(await count(app)).toBe(0);
});
