import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { command, temporaryFolder } from '../run.ts';
import { contentsOf, copyOf, makeFiles } from '../support/written-files.ts';

const folder = temporaryFolder();
const given = join(folder, 'given');
const work = join(folder, 'work');
const temporary = join(folder, 'temporary');
const preload = join(import.meta.dirname, '../support/faulty-files.cjs');

beforeAll(() => {
  mkdirSync(given);
  mkdirSync(temporary);
  makeFiles(given);
});

interface Case {
  readonly args: readonly string[];
  /** Standard input, by name. */
  readonly input?: string;
  /** Files that it writes, which are there before, from other data. */
  readonly writes: readonly string[];
  /** Number of places that are tried before the work. The files tried there are thrown away, so closing them may fail. */
  readonly tried?: number;
}

const skip = ['--on-error', 'skip', '--rejects', 'old.rejects', '--column', 'z=number'];
const cases: Readonly<Record<string, Case>> = {
  'train a tree from a pipe, with a drawing and rejects': {
    args: [
      'train',
      '-',
      '--format',
      'csv',
      '--rule',
      'tree',
      '--model',
      'old.tree',
      '--drawing',
      'old.drawing',
      ...skip,
    ],
    input: 'bad.csv',
    writes: ['old.tree', 'old.drawing', 'old.rejects'],
  },
  'train with a ledger': {
    args: ['train', 'data.svm', '--rule', 'averaged', '--model', 'old.model', '--ledger', 'old.ledger'],
    writes: ['old.model', 'old.ledger'],
  },
  'predict from a pipe': {
    args: ['predict', 'run.tree', '-', '--format', 'csv', '--output', 'old.answers'],
    input: 'data.csv',
    writes: ['old.answers'],
  },
  evaluate: { args: ['evaluate', 'run.model', 'data.svm', '--report', 'old.report'], writes: ['old.report'] },
  certify: { args: ['certify', 'data.svm', '--certificate', 'old.certificate'], writes: ['old.certificate'] },
  ledger: { args: ['ledger', 'run.ledger', 'data.svm', '--model', 'old.model'], writes: ['old.model'] },
  picture: { args: ['picture', 'data.csv', '--output', 'old.svg'], writes: ['old.svg'] },
  inspect: { args: ['inspect', 'run.tree', '--drawing', 'old.drawing'], writes: ['old.drawing'] },
  // With a file of skipped rows, a fault may also leave the state of the rows before one (learn.test.ts).
  learn: {
    args: ['learn', 'old.stream', 'data.csv', '--model', 'old.learned'],
    writes: ['old.stream', 'old.learned'],
    // The lock, and a trial of each place.
    tried: 3,
  },
  'train from a state to a state': {
    args: ['train', 'data.svm', '--continue', 'run.state', '--state', 'old.state', '--model', 'old.model'],
    writes: ['old.state', 'old.model'],
  },
};

/** Runs a case in a fresh folder with a fault, and returns whether the fault occurred. */
function run({ args, input }: Case, operation: string, number: number, effect: string) {
  rmSync(work, { recursive: true, force: true });
  copyOf(given, work);
  const report = join(folder, 'report');
  rmSync(report, { force: true });
  const { status, signal, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: work,
    input: input === undefined ? '' : readFileSync(join(given, input)),
    env: {
      ...process.env,
      TMPDIR: temporary,
      NODE_OPTIONS: `--require ${preload}`,
      FAULT: `${operation}:${number}:${effect}`,
      FAULT_UNDER: JSON.stringify([work, temporary]),
      FAULT_REPORT: report,
    },
  });
  const count = signal === null ? Number(readFileSync(report, 'utf8')) : number;
  return { status, signal, err: stderr.toString(), isHit: count >= number };
}

/** Expects complete old or new files, and no others. */
function expectWhole({ writes }: Case, after: ReadonlyMap<string, string>): void {
  const before = contentsOf(given);
  const now = contentsOf(work);
  expect([...now.keys()].sort()).toEqual([...before.keys()].sort());
  for (const [name, text] of now)
    if (writes.includes(name)) expect([before.get(name), after.get(name)], name).toContain(text);
    else expect(text, name).toBe(before.get(name));
  expect(readdirSync(temporary)).toEqual([]);
}

/** Returns the files that a case leaves without a fault. */
function outcomeOf(each: Case): Map<string, string> {
  expect(run(each, 'any', 1_000_000, 'EIO')).toMatchObject({ status: 0 });
  const after = contentsOf(work);
  expectWhole(each, after);
  for (const name of each.writes) expect(after.get(name), name).not.toBe(contentsOf(given).get(name));
  return after;
}

describe('whatever operation on a file fails, and when', () => {
  test.each(Object.entries(cases))(
    '%s leaves the old file or the whole new one, and tells',
    { timeout: 600_000 },
    (_, each) => {
      const after = outcomeOf(each);
      for (const [operation, effect, reason] of [
        ['open', 'EACCES', 'no permission'],
        ['write', 'ENOSPC', 'a full disk'],
        ['fsync', 'EIO', 'an input/output error'],
        ['rename', 'EIO', 'an input/output error'],
        ['close', 'EIO', 'an input/output error'],
      ] as const)
        for (let number = 1; ; number++) {
          const { status, err, isHit } = run(each, operation, number, effect);
          expectWhole(each, after);
          if (!isHit) {
            expect(status).toBe(0);
            break;
          }
          // A folder that cannot be opened cannot be synced, which is no fault where its file has its name already.
          if (status === 0 && operation === 'open') continue;
          if (operation === 'close' && number <= (each.tried ?? 0)) {
            expect({ status, now: contentsOf(work) }).toEqual({ status: 0, now: after });
            continue;
          }
          expect({ status, err }, `${operation} ${number}`).toEqual({
            status: 4,
            err: expect.stringMatching(new RegExp(`^halfspace: \\S+: expected [^\\n]+; got ${reason}\\n$`)),
          });
        }
      // A disk that writes less than requested at a time.
      for (let number = 1; ; number++) {
        const { status, isHit } = run(each, 'write', number, 'short');
        expect(status).toBe(0);
        expect(contentsOf(work)).toEqual(after);
        if (!isHit) break;
      }
    },
  );
});

describe('whatever signal comes, and when', () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  // The cases with the most temporary files: copies of pipes, spills, several outputs.
  const several = Object.entries(cases).slice(0, 3);
  test.each(several)(
    '%s leaves the old file or the whole new one, and nothing temporary',
    { timeout: 600_000 },
    (_, each) => {
      const after = outcomeOf(each);
      for (let number = 1; ; number++) {
        const sent = signals[number % signals.length]!;
        const { status, signal, isHit } = run(each, 'any', number, sent);
        expectWhole(each, after);
        if (!isHit) break;
        expect([0, 4, sent], `operation ${number}`).toContain(signal ?? status);
      }
    },
  );

  test.each(several)(
    'killed without a warning, what %s leaves is gone after the next run',
    { timeout: 600_000 },
    (_, each) => {
      const after = outcomeOf(each);
      for (let number = 1; ; number++) {
        const { isHit, signal } = run(each, 'any', number, 'SIGKILL');
        if (!isHit) break;
        expect(signal).toBe('SIGKILL');
        const left = contentsOf(work);
        const before = contentsOf(given);
        for (const name of each.writes) expect([before.get(name), after.get(name)], name).toContain(left.get(name));
        const { status } = spawnSync(process.execPath, [command, ...each.args], {
          cwd: work,
          input: each.input === undefined ? '' : readFileSync(join(given, each.input)),
          env: { ...process.env, TMPDIR: temporary },
        });
        expect(status).toBe(0);
        expect(contentsOf(work)).toEqual(after);
        expect(readdirSync(temporary)).toEqual([]);
      }
    },
  );
});
