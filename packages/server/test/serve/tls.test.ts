import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/serve/serve.ts';
import { certificateOf } from '../support/certificate.ts';
import { temporaryFolder } from '../support/examples.ts';

const first = certificateOf('first');
const second = certificateOf('second');

/** Writes files of TLS, and serves with them. */
async function begin({ certificate, key }: Partial<typeof first>) {
  const folder = temporaryFolder();
  const tls = { certificate: join(folder, 'service.crt'), key: join(folder, 'service.key') };
  const write = (texts: Partial<typeof first>) => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(tls[name as keyof typeof tls], text);
  };
  write({ ...(certificate === undefined ? {} : { certificate }), ...(key === undefined ? {} : { key }) });
  let logged = '';
  const log = pino(
    new Writable({
      write(piece, _, done) {
        logged += piece;
        done();
      },
    }),
  );
  const service = await serve({ dir: join(folder, 'dir'), port: 0, log, tls, limits: { headerSeconds: 1 } });
  onTestFinished(() => service.close());
  const port = Number(new URL(service.url).port);
  return { service, port, write, log: () => logged };
}

/** Asks over a new connection that trusts one certificate. Resolves to the status, or the code of the error. */
function ask(port: number, ca: string): Promise<number | string> {
  return new Promise((resolve) => {
    get(`https://127.0.0.1:${port}/livez`, { ca, agent: false }, ({ statusCode }) => resolve(statusCode!)).on(
      'error',
      ({ code }: NodeJS.ErrnoException) => resolve(code!),
    );
  });
}

test('HTTPS answers those who trust the certificate', async () => {
  const { service, port } = await begin(first);
  expect(service.url).toMatch(/^https:/);
  expect(await ask(port, first.certificate)).toBe(200);
  expect(await ask(port, second.certificate)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
});

test('bytes that are no TLS end their connection only', async () => {
  const { port } = await begin(first);
  const sent = ['GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n', Buffer.alloc(100_000, 0x16), ''];
  const closed = sent.map(
    (bytes) =>
      new Promise<string>((resolve) => {
        let came = '';
        const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
        socket.on('data', (piece) => {
          came += piece.toString('latin1');
        });
        socket.on('error', () => {}).on('close', () => resolve(came));
      }),
  );
  for (const came of await Promise.all(closed)) expect(came).not.toContain('HTTP/1.1 200');
  expect(await ask(port, first.certificate)).toBe(200);
});

test('a hangup brings another certificate, and connections go on with the one before', async () => {
  const { service, port, write, log } = await begin(first);
  const open = connectTls({ port, host: '127.0.0.1', ca: first.certificate });
  await new Promise((resolve) => open.once('secureConnect', resolve));
  write(second);
  service.reload(() => ({}));
  expect(await ask(port, second.certificate)).toBe(200);
  expect(await ask(port, first.certificate)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  const answer = new Promise((resolve) => open.once('data', resolve));
  open.write('GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 /);
  open.destroy();
  // One that was written by half.
  write({ certificate: first.certificate });
  service.reload(() => ({}));
  expect(log()).toMatch(/stay as they are: .*service\.key: expected the private key of the first certificate/);
  expect(await ask(port, second.certificate)).toBe(200);
});

test('of a certificate that ended the log warns', async () => {
  const { log, port } = await begin(certificateOf('late', -1));
  expect(log()).toMatch(/"level":40.*clients refuse the certificate: it ended at 2/);
  expect(await ask(port, first.certificate)).toMatch(/CERT/);
});

describe('the service does not start with', () => {
  const encrypted = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
  }).privateKey;
  test.each<[what: string, files: Partial<typeof first>, message: RegExp]>([
    ['no certificate', { key: first.key }, /^\S*service\.crt: expected a certificate in PEM; got no such file$/],
    [
      'no key',
      { certificate: first.certificate },
      /^\S*service\.key: expected a private key in PEM; got no such file$/,
    ],
    [
      'other text',
      { ...first, certificate: 'none' },
      /^\S*service\.crt: expected a certificate in PEM; got other text$/,
    ],
    ['a broken certificate', { ...first, certificate: first.certificate.replace(/\n.{20}/, '\n') }, /service\.crt: /],
    [
      'a key in other text',
      { ...first, key: 'none' },
      /^\S*service\.key: expected a private key in PEM; got other text$/,
    ],
    ['an encrypted key', { ...first, key: encrypted }, /service\.key: .*got a key with a password/],
    ['the key of another one', { ...first, key: second.key }, /service\.key: expected the private key of the first/],
    [
      'swapped files',
      { certificate: first.key, key: first.certificate },
      /service\.crt: expected a certificate in PEM/,
    ],
  ])('%s', async (_, files, message) => {
    const failed = await begin(files).catch((error: Error) => error);
    expect(failed).toMatchObject({ name: 'HalfspaceError', message: expect.stringMatching(message) });
  });
});
