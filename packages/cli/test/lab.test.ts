import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { command, halfspace, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  clear();
});

interface Served {
  readonly address: string;
  readonly origin: string;
  readonly child: ChildProcess;
}

/** Starts the command on a port that is free, and waits for its address. */
async function serve(...args: string[]): Promise<Served> {
  const child = spawn(process.execPath, [command, 'lab', '--no-open', '--port', '0', ...args], { cwd: folder });
  started.push(child);
  let out = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      out += piece;
      const found = /The lab is at (\S+)\n/.exec(out);
      if (found !== null) resolve(found[1]!);
    });
    child.once('close', (code) => reject(new Error(`ended with ${code}`)));
  });
  return { address, origin: new URL(address).origin, child };
}

/** The CSV that the page is given. */
async function dataOf({ address, origin }: Served): Promise<string> {
  const url = new URL(new URL(address).searchParams.get('data')!, `${origin}/`);
  return (await fetch(url)).text();
}

/** What an HTTP request gets that says what it wants literally. */
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
    const text = await page.text();
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
    writeFileSync(join(folder, 'empty.csv'), '');
    expect(said('empty.csv')[0]).toBe(3);
  });

  it('refuses a port that is taken', async () => {
    const { origin } = await serve();
    const { status, err } = halfspace(folder, ['lab', '--no-open', '--port', new URL(origin).port]);
    expect([status, err]).toEqual([
      2,
      `halfspace: expected a port that is free; ${new URL(origin).port} is not (EADDRINUSE): see --port\n`,
    ]);
  });
});
