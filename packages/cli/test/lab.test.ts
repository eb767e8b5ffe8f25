import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import { commands } from '../src/options.ts';
import { command, halfspace, root, temporaryFolder } from './run.ts';

const folder = temporaryFolder();
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

interface Served {
  readonly address: string;
  readonly origin: string;
  readonly child: ChildProcess;
  /** Returns its standard error so far. */
  readonly said: () => string;
}

/** Starts the command on a port that is free, and waits for its address. */
async function serve(...args: string[]): Promise<Served> {
  return start(['--no-open', ...args]);
}

async function start(args: readonly string[], env: object = {}): Promise<Served> {
  const child = spawn(process.execPath, [command, 'lab', '--port', '0', ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  started.push(child);
  let out = '';
  let err = '';
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      out += piece;
      const found = /The lab is at (\S+)\n/.exec(out);
      if (found !== null) resolve(found[1]!);
    });
    child.once('close', (code) => reject(new Error(`ended with ${code}`)));
  });
  return { address, origin: new URL(address).origin, child, said: () => err };
}

/** The CSV that the page is given. */
async function dataOf({ address, origin }: Served): Promise<string> {
  const url = new URL(new URL(address).searchParams.get('data')!, `${origin}/`);
  return (await fetch(url)).text();
}

/** The path of the CSV, with its token. */
function dataPathOf({ address }: Served): string {
  return `/${new URL(address).searchParams.get('data')!}`;
}

/** Sends bytes, which may be invalid HTTP, and returns the response. */
function answerTo({ origin }: Served, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

const get = (path: string, host = '127.0.0.1') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

/** Sends a literal HTTP request and returns the response. */
function raw(origin: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, method }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}

describe('halfspace lab', () => {
  it('serves the page and nothing else, to this machine alone, until it is interrupted', async () => {
    const served = await serve();
    const page = await fetch(served.address);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-encoding')).toBe('gzip');
    const text = await page.text();
    const plain = await fetch(served.address, { headers: { 'accept-encoding': 'identity' } });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, text]);
    expect(await raw(served.origin, '/', { 'if-none-match': plain.headers.get('etag')! })).toBe(304);
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(text)![1]!;
    expect((await fetch(`${served.origin}/${script}`)).headers.get('content-type')).toContain('javascript');
    for (const path of ['/nothing', '/../package.json', '/..%2fpackage.json', '/assets', '/%00', '//etc/passwd'])
      expect(await raw(served.origin, path), path).toBe(404);
    expect(await raw(served.origin, '/%')).toBe(400);
    expect(await raw(served.origin, '/', { host: 'lab.example.com' })).toBe(403);
    expect(await raw(served.origin, '/', {}, 'POST')).toBe(405);
    const ended = new Promise((resolve) => served.child.once('close', resolve));
    served.child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('takes no more than an origin for one', () => {
    const { parse } = commands.lab.options.frame;
    expect(parse('http://a-b.example:8000', ['https://a.org'])).toEqual(['https://a.org', 'http://a-b.example:8000']);
    for (const none of [
      ...['https://example.org/', 'https://example.org/a', 'example.org', 'https://EXAMPLE.org', 'http://a:80', ''],
      ...['*', 'null', 'https://*.org', "https://a;script-src'self'", 'https://a b', 'https://a@b', 'file:///a'],
    ])
      expect(parse(none), none).toBeUndefined();
  });

  it('lets pages of the given origins show it in a frame, and no others', async () => {
    const framing = async (...args: string[]) => {
      const { headers } = await fetch((await serve(...args)).address);
      return /frame-ancestors ([^;]+)/.exec(headers.get('content-security-policy')!)![1];
    };
    expect(await framing()).toBe("'none'");
    const origins = ['https://example.org', 'http://localhost:8000'];
    expect(await framing(...origins.flatMap((origin) => ['--frame', origin]))).toBe(origins.join(' '));
  });

  it('gives a CSV file to the page byte by byte, and other tables as CSV with the same numbers', async () => {
    const csv = '\ufeffx1;x2;class\r\n0.1;1e-7;a\r\n-2.50;"3";b\r\n';
    writeFileSync(join(folder, 'as it is.csv'), csv);
    expect(await dataOf(await serve('as it is.csv'))).toBe(csv.slice(1));
    writeFileSync(join(folder, 'packed.csv.gz'), gzipSync('x,y\n1,a\n2,b\n'));
    expect(await dataOf(await serve('packed.csv.gz', '--label', 'y'))).toBe('x,y\n1,a\n2,b\n');
    writeFileSync(join(folder, 'rows.ndjson'), '{"x":0.1,"y":"a, \\"b\\"","z":[1]}\n{"x":3e300,"y":null,"z":[]}\n');
    expect(await dataOf(await serve('rows.ndjson'))).toBe('x,y\n0.1,"a, ""b"""\n3e+300,\n');
    writeFileSync(join(folder, 'bare.csv'), '1,2\n3,4\n');
    expect(await dataOf(await serve('bare.csv', '--no-header'))).toBe('column0,column1\n1,2\n3,4\n');
    expect(await dataOf(await serve('--sql', "select 1.5 as x, 'a' as y"))).toBe('x,y\n1.5,a\n');
  });

  it('gives the table to who has the token of its address, and to nobody else', async () => {
    writeFileSync(join(folder, 'secret.csv'), 'x,y\n271828,a\n2,b\n');
    const served = await serve('secret.csv');
    const other = await serve('secret.csv');
    const path = dataPathOf(served);
    const token = path.split('/')[2]!;
    expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16);
    const wrong = [
      '/data/secret.csv',
      '/data/',
      '/data//secret.csv',
      `/data/${token}`,
      `/data/${token}/`,
      `/data/${token}/other.csv`,
      `/data/${token.slice(0, -1)}/secret.csv`,
      `/data/${token}A/secret.csv`,
      `/data/${token.toLowerCase()}/secret.csv`,
      `/DATA/${token}/secret.csv`,
      `/data/${'A'.repeat(token.length)}/secret.csv`,
      dataPathOf(other),
      `/secret.csv?${token}`,
    ];
    for (const each of wrong) {
      const answer = await answerTo(served, get(each));
      expect([each, statusOf(answer)]).toEqual([each, 404]);
      expect(answer).not.toContain('271828');
    }
    expect(await answerTo(served, get(path, 'lab.example.com'))).not.toContain('271828');
    expect(await answerTo(served, get(path))).toContain('271828');
    expect(await answerTo(served, get(path, 'localhost:1234'))).toContain('271828');
  });

  it('lets no other site use what it serves', async () => {
    writeFileSync(join(folder, 'own.csv'), 'x,y\n1,a\n2,b\n');
    const served = await serve('own.csv');
    for (const path of ['/', '/sw.js', '/nothing', '/%', dataPathOf(served)]) {
      const { headers } = await fetch(`${served.origin}${path}`);
      expect([path, headers.get('cross-origin-resource-policy')]).toEqual([path, 'same-origin']);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });

  it('answers whatever it is asked with 200 or 4xx, and tells nothing of the machine', async () => {
    writeFileSync(join(folder, 'asked.csv'), 'x,y\n1,a\n2,b\n');
    const served = await serve('asked.csv');
    const holds = async (bytes: string) => {
      const answer = await answerTo(served, bytes);
      const status = statusOf(answer);
      expect([bytes.slice(0, 200), status === 200 || (status >= 400 && status < 500)]).toEqual([
        bytes.slice(0, 200),
        true,
      ]);
      if (status !== 200)
        for (const part of [folder, root, 'node:', '.ts', '    at ']) expect(answer).not.toContain(part);
    };
    const paths = [
      `/${'a'.repeat(300)}`,
      `/${'a'.repeat(5000)}`,
      `/${'a/'.repeat(4000)}`,
      `/${'a'.repeat(20_000)}`,
      `/assets/${'%41'.repeat(4000)}`,
      '/assets/\x01',
      '/%00',
      '/index.html%00',
      '/%ff%fe',
      '/..%2f..%2fpackage.json',
      '/%2e%2e/%2e%2e/package.json',
      '/..%5c..%5cpackage.json',
      '/assets/../../package.json',
      '//127.0.0.1/../etc/passwd',
      '/index.html/',
      '/assets',
      '*',
      'http://[/',
      `http://127.0.0.1/${'a'.repeat(300)}`,
      '?data=1',
      '#',
    ];
    for (const path of paths) await holds(get(path));
    for (const host of [
      '',
      'example.com',
      '127.0.0.1.example.com',
      'localhost.example.com:80',
      '[::1]',
      '127.0.0.1:x',
      'a'.repeat(9000),
    ]) {
      const answer = await answerTo(served, get('/', host));
      expect([host.slice(0, 99), statusOf(answer)]).toEqual([host.slice(0, 99), 403]);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'])
      await holds(`${method} /data/x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    await holds(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`);
    await holds('GET / HTTP/1.1\r\n\r\n');
    await holds('nonsense\r\n\r\n');
    const signs = fc.constantFrom(
      '/',
      '.',
      '..',
      '%',
      '%2e',
      '%2f',
      '%5c',
      '\\',
      '%00',
      '%c0%af',
      'assets',
      'data',
      'é',
      '?',
      ':',
      '@',
    );
    await forAllAsync(200, fc.array(signs, { maxLength: 30 }), (parts) => holds(get(`/${parts.join('')}`)));
    expect(statusOf(await answerTo(served, get('/')))).toBe(200);
    expect(served.said()).toBe('');
  });

  it('says on the terminal why data can no longer be read, and to the reader only that', async () => {
    writeFileSync(join(folder, 'gone.csv'), 'x,y\n1,a\n2,b\n');
    const served = await serve('gone.csv');
    rmSync(join(folder, 'gone.csv'));
    const response = await fetch(`${served.origin}${dataPathOf(served)}`);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe(
      'expected to read the data; got an error, which the terminal of halfspace lab shows\n',
    );
    await expect.poll(served.said).toContain('gone.csv: expected a readable file; got no such file');
  });

  it.skipIf(process.platform !== 'linux')(
    'tells the token to no list of processes: the browser gets a file',
    async () => {
      const bin = join(folder, 'bin');
      mkdirSync(bin);
      writeFileSync(join(folder, 'shown.csv'), 'x,y\n1,a\n2,b\n');
      writeFileSync(
        join(bin, 'xdg-open'),
        `#!/bin/sh\nprintf '%s\\n' "$@" > ${folder}/asked\nstat -c '%a %F' "$1" > ${folder}/mode\ncp "$1" ${folder}/page\nmv ${folder}/asked ${folder}/arguments\n`,
      );
      chmodSync(join(bin, 'xdg-open'), 0o755);
      const served = await start(['shown.csv'], { PATH: `${bin}:${process.env.PATH}` });
      await expect.poll(() => existsSync(join(folder, 'arguments')), { timeout: 30_000 }).toBe(true);
      const told = readFileSync(join(folder, 'arguments'), 'utf8');
      const token = dataPathOf(served).split('/')[2]!;
      expect(told).not.toContain(token);
      expect(readFileSync(join(folder, 'mode'), 'utf8')).toBe('600 regular file\n');
      expect(readFileSync(join(folder, 'page'), 'utf8')).toContain(
        `content="0; url=${served.address.replaceAll('&', '&amp;')}"`,
      );
      const ended = new Promise((resolve) => served.child.once('close', resolve));
      served.child.kill('SIGINT');
      expect(await ended).toBe(0);
      expect(existsSync(told.trim())).toBe(false);
    },
  );

  it('says what is wrong, and starts nothing', () => {
    const said = (...args: string[]) => {
      const { status, err } = halfspace(folder, ['lab', '--no-open', ...args]);
      return [status, err];
    };
    writeFileSync(join(folder, 'text.svm'), '1 1:2\n');
    expect(said('text.svm')).toEqual([
      2,
      'halfspace: the lab reads tables (csv, tsv, json, ndjson, parquet); got libsvm text\n',
    ]);
    expect(said('none.csv')).toEqual([3, 'halfspace: none.csv: expected a readable file; got no such file\n']);
    expect(said('--port', '70000')[0]).toBe(2);
    expect(said('--frame', 'https://example.org', '--frame', 'https://example.org/a')).toEqual([
      2,
      'halfspace: expected --frame to be an origin without a path, such as https://example.org or http://localhost:8000; got https://example.org/a (see halfspace lab --help)\n',
    ]);
    writeFileSync(join(folder, 'empty.csv'), '');
    expect(said('empty.csv')[0]).toBe(3);
  });

  it('refuses a port that is taken', async () => {
    const { origin } = await serve();
    const { status, err } = halfspace(folder, ['lab', '--no-open', '--port', new URL(origin).port]);
    expect([status, err]).toEqual([
      2,
      `halfspace: expected a free port; got ${new URL(origin).port} (EADDRINUSE): see --port\n`,
    ]);
  });
});
