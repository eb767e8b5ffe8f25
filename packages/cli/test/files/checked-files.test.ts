import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Certificate, digestOfCertificate, encodeCertificate } from 'halfspace-certify';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isDeep } from '../../../../test/support/quick.ts';
import { provesMore } from '../../src/data/certificate-file.ts';
import { command, halfspaceAlone as halfspace, temporaryFolder } from '../run.ts';
import { interruptedCertify } from '../support/interrupted-certify.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const separable = Array.from({ length: 400 }, (_, i) => `${i % 2} ${1 + (i % 2)}:1 ${3 + (i % 7)}:0.${i}\n`).join('');

beforeAll(() => {
  writeFileSync(at('good.svm'), separable);
  expect(halfspace(folder, ['train', 'good.svm', '--model', 'good.json', '--ledger', 'good.ledger'])).toMatchObject({
    status: 0,
  });
});

describe('numbers near the end of doubles', () => {
  test.each([
    [
      'a norm whose square is beyond doubles',
      'far.svm',
      '1 1:1e200 2:3\n0 1:-1e200 2:1\n1 1:2e200\n0 2:5\n',
      ['--rule', 'perceptron', '--scale', 'unit-ball'],
    ],
    [
      'a largest norm whose square is beyond doubles',
      'far.svm',
      '1 1:1e200 2:3\n0 1:-1e200 2:1\n1 1:2e200\n0 2:5\n',
      ['--rule', 'averaged', '--scale', 'max-norm'],
    ],
    [
      'counts beyond doubles',
      'heavy.vw',
      '1 1e308 | a:1\n-1 1e308 | a:2\n1 1e308 | a:3\n-1 1e308 | b:2\n',
      ['--rule', 'tree', '--drawing', 'heavy.svg'],
    ],
  ])('give a model that can be loaded, or leave the good one: %s', (_, name, data, options) => {
    writeFileSync(at(name), data);
    copyFileSync(at('good.json'), at('kept.json'));
    const names = readdirSync(folder);
    const run = halfspace(folder, ['train', name, '--model', 'kept.json', ...options]);
    // Whether the run overflows may change; but every file that it writes can be read.
    if (run.status === 0) expect(halfspace(folder, ['inspect', 'kept.json'])).toMatchObject({ status: 0 });
    else {
      expect(run).toMatchObject({ status: 3, out: '' });
      expect(run.err).toMatch(/^halfspace: [^\n]*expected [^\n]*\n$/);
      expect(read('kept.json')).toBe(read('good.json'));
    }
    if (name === 'heavy.vw')
      expect(run.err).toContain('kept.json: expected a model that can be read again; got one that cannot (');
    expect(readdirSync(folder)).toEqual(names);
  });
});

describe('a certificate that is there', () => {
  const certificateOf = async (change: object): Promise<Certificate> => {
    const { digest: _, ...body } = { ...(JSON.parse(read('line.json')) as Certificate), ...change };
    return { ...body, digest: await digestOfCertificate(body) };
  };
  const data = (digest: string) => ({ data: { ...(JSON.parse(read('line.json')) as Certificate).data, digest } });
  const open = { verdict: 'unknown', separator: null } as const;

  beforeAll(() => {
    writeFileSync(at('line.svm'), '1 1:1\n-1 1:-1\n1 1:3\n');
    expect(halfspace(folder, ['certify', 'line.svm', '--certificate', 'line.json'])).toMatchObject({ status: 0 });
  });

  test('stays where it proves more about the same data, and where a search was stopped that does not prove as much', async () => {
    const complete = await certificateOf({});
    const weaker = await certificateOf(open);
    const noCeiling = await certificateOf({ ceiling: null });
    const ofOther = await certificateOf(data('sha256:other'));
    const weakerOfOther = await certificateOf({ ...open, ...data('sha256:other') });
    const cases: [Certificate, Certificate, boolean, boolean][] = [
      // There before, found now, stays after a whole search, stays after one that was stopped.
      [complete, complete, false, false],
      [complete, weaker, true, true],
      [complete, noCeiling, true, true],
      [weaker, complete, false, false],
      // Each proves something that the other does not.
      [noCeiling, weaker, false, true],
      [complete, ofOther, false, true],
      [complete, weakerOfOther, false, true],
    ];
    for (const [before, found, stays, staysWhenStopped] of cases) {
      writeFileSync(at('before.json'), encodeCertificate(before));
      expect(await provesMore(at('before.json'), found, false)).toBe(stays);
      expect(await provesMore(at('before.json'), found, true)).toBe(staysWhenStopped);
    }
    writeFileSync(at('before.json'), '{\n  "format": "halfspace-certificate", "version": 99}');
    expect(await provesMore(at('before.json'), complete, false)).toBe(false);
    expect(await provesMore(at('before.json'), complete, true)).toBe(true);
    expect(await provesMore(at('nosuch.json'), complete, true)).toBe(false);
  });

  test.runIf(isDeep)('survives Ctrl-C, and the run says so', { timeout: 300_000 }, async () => {
    copyFileSync(at('line.json'), at('hard.certificate.json'));
    const before = read('hard.certificate.json');
    const result = await interruptedCertify(folder, () => expect(read('hard.certificate.json')).toBe(before));
    expect(result).toMatchObject({
      interrupted: true,
      kept: true,
      notes: ['the search was stopped: the certificate in hard.certificate.json stays'],
    });
    expect(read('hard.certificate.json')).toBe(before);
  });
});

describe('a signal is heard', () => {
  /** Ends a run as soon as `begun` is true, and returns its result. */
  async function ended(args: readonly string[], signal: NodeJS.Signals, begun: (child: ChildProcess) => Promise<void>) {
    mkdirSync(at('temporary'), { recursive: true });
    const child = spawn(process.execPath, [command, ...args], {
      cwd: folder,
      env: { ...process.env, TMPDIR: at('temporary') },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let err = '';
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    child.stdin.on('error', () => {});
    const closed = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
      child.once('close', (status, by) => resolve([status, by])),
    );
    await begun(child);
    child.kill(signal);
    const [status, by] = await closed;
    expect(readdirSync(at('temporary'))).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
    return { status, by, err };
  }
  const until = async (child: ChildProcess, isSo: () => boolean) => {
    while (child.exitCode === null && !isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  /** Plain files whose reading takes hours without ever waiting. */
  const long = Array.from({ length: 4000 }, () => 'good.svm');

  test('by predict while it reads plain files', async () => {
    const { status, err } = await ended(['predict', 'good.json', ...long, '--output', 'long.txt'], 'SIGTERM', (child) =>
      until(child, () => readdirSync(folder).some((name) => name.startsWith('.long.txt.'))),
    );
    expect({ status, err }).toEqual({
      status: 4,
      err: expect.stringMatching(/^halfspace: expected to judge every row; stopped after \d+\n$/),
    });
  });

  test('by evaluate, which has nothing to end in good order: the signal ends it, and its page is cleared away', async () => {
    const { by } = await ended(['evaluate', 'good.json', ...long, '--report', 'long.html'], 'SIGHUP', (child) =>
      until(child, () => readdirSync(folder).some((name) => name.startsWith('.long.html.'))),
    );
    expect(by).toBe('SIGHUP');
  });

  test('or not, by kill -9: then the next run of any command removes what is left of the table from a pipe', async () => {
    mkdirSync(at('killed'));
    const env = { ...process.env, TMPDIR: at('killed') };
    const child = spawn(process.execPath, [command, 'train', '-', '--format', 'csv'], { cwd: folder, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.write('x,label\n1,yes\n2,no\n');
    await until(child, () => readdirSync(at('killed')).length > 0);
    const others = ['halfspace-AbC123', 'mine'];
    for (const name of others) writeFileSync(at(`killed/${name}`), '');
    // While it lives, what it has is left alone.
    expect(halfspace(folder, ['inspect', 'good.json'], { env })).toMatchObject({ status: 0 });
    expect(readdirSync(at('killed'))).toHaveLength(3);
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;
    expect(halfspace(folder, ['inspect', 'good.json'], { env })).toMatchObject({ status: 0 });
    expect(readdirSync(at('killed')).sort()).toEqual(others);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s while a table comes through a pipe leaves nothing',
    async (signal) => {
      const { by } = await ended(['train', '-', '--format', 'csv'], signal, async (child) => {
        child.stdin!.write('x,label\n1,yes\n2,no\n');
        await until(child, () =>
          readdirSync(at('temporary')).some((name) => readdirSync(join(at('temporary'), name)).length > 0),
        );
      });
      expect(by).toBe(signal);
    },
  );
});
