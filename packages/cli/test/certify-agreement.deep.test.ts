import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Random } from 'halfspace/internal';
import { type Certificate, check, digestOfCertificate } from 'halfspace-certify';
import { afterAll, describe, expect, test } from 'vitest';
import { halfspace, root, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

const has = (name: string) => spawnSync(name, ['--version']).status === 0;
const python = has('python3');
const coq = python && has('coqc');
const run = (name: string, args: readonly string[]) => spawnSync(name, args, { cwd: folder, encoding: 'utf8' });

/** Changes of one number of each certificate. */
const changes = 30;

/** Rows of numbers in tenths with labels of a line, some of them turned round, as libsvm text. */
function writeRows(name: string, count: number, features: number, wrong: number): void {
  const random = new Random(count + features);
  const lines = Array.from({ length: count }, () => {
    const x = Array.from({ length: features }, () => (random.below(61) - 30) / 10);
    const isPositive = x.reduce((sum, each) => sum + each, 0.25) > 0 !== random.uniform() < wrong;
    const cells = x.flatMap((each, j) => (each === 0 ? [] : [`${j}:${each}`]));
    return [isPositive ? '1' : '-1', ...cells].join(' ');
  });
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
}

/** Returns the paths of all numbers of the proofs, as text or as a number. */
function numbersOf(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d/.test(value))) return [[...path]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => numbersOf(each, [...path, key]));
}

/** Returns a certificate with one number of its proofs changed by 1 or to its opposite, and a digest of its own. */
async function changed(certificate: Certificate, random: Random): Promise<Certificate> {
  const other = structuredClone(certificate) as unknown as Record<string, unknown>;
  const { separator, ceiling, contradictions, interior, errors } = certificate;
  const paths = numbersOf({ separator, ceiling, contradictions, interior, errors });
  const path = paths[random.below(paths.length)]!;
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>((at, key) => at[key] as never, other);
  const old = parent[path.at(-1)!];
  const [a, b] = String(old).split('/') as [string, string?];
  const turn = random.below(3);
  const next = turn === 2 ? -Number(a) : Number(a) + (turn === 0 ? 1 : -1);
  if (typeof old === 'number') parent[path.at(-1)!] = next;
  else {
    const whole = turn === 2 ? -BigInt(a) : BigInt(a) + (turn === 0 ? 1n : -1n);
    parent[path.at(-1)!] = b === undefined ? String(whole) : `${whole}/${b}`;
  }
  return { ...other, digest: await digestOfCertificate(other as never) } as Certificate;
}

/** Returns by checker if it accepts a certificate. */
function others(certificate: Certificate, data: string, rows: string): Record<string, boolean> {
  writeFileSync(join(folder, 'other.json'), JSON.stringify(certificate));
  const verdicts: Record<string, boolean> = {};
  const script = resolve(root, 'packages/certify/test/check_certificate.py');
  verdicts.python = run('python3', [script, 'other.json', data]).status === 0;
  const { separator, contradictions } = certificate;
  if (!coq || (separator === null && contradictions.length === 0)) return verdicts;
  const claims = run('python3', [resolve(root, 'packages/certify/coq/claims.py'), 'other.json', rows]);
  writeFileSync(join(folder, 'Claims.v'), claims.stdout);
  verdicts.coq = claims.status === 0 && run('coqc', ['-Q', '.', '', 'Claims.v']).status === 0;
  return verdicts;
}

if (coq) {
  copyFileSync(resolve(root, 'packages/certify/coq/Certificate.v'), join(folder, 'Certificate.v'));
  run('coqc', ['Certificate.v']);
}

const sets = {
  'a separable set': [12, 2, 0],
  'a contradiction': [30, 2, 0.2],
  'a contradiction in five features': [60, 5, 0.1],
  'a contradiction of all rows': [260, 100, 0.3],
} as const;

describe.skipIf(!python)(
  `checkers agree${python ? (coq ? '' : ' (without Coq: no coqc)') : ' (skipped: no python3)'}`,
  () => {
    test.each(Object.entries(sets))('on %s', async (_, [count, features, wrong]) => {
      const data = `${count}.svm`;
      writeRows(data, count, features, wrong);
      const files = ['--certificate', 'made.json', '--canonical', 'made.rows'];
      const flags = [...files, '--positive', '1', ...(features < 100 ? ['--errors'] : [])];
      expect(halfspace(folder, ['certify', data, ...flags])).toMatchObject({ status: 0 });
      const certificate = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8')) as Certificate;
      expect(certificate.interior === null).toBe(features < 100);
      const rows = readFileSync(join(folder, 'made.rows'));
      expect(await check(certificate, rows)).toMatchObject({ holds: true });
      for (const verdict of Object.values(others(certificate, data, 'made.rows'))) expect(verdict).toBe(true);
      const random = new Random(1);
      let refused = 0;
      for (let k = 0; k < changes; k++) {
        const other = await changed(certificate, random);
        const { holds } = await check(other, rows);
        if (!holds) refused++;
        // In fractions, the equations of 100 features take a minute.
        if (certificate.interior !== null) continue;
        const { python: byPython, coq: byCoq } = others(other, data, 'made.rows');
        expect(byPython, JSON.stringify(other)).toBe(holds);
        // Coq does not look at the bounds on errors, so it may accept what others refuse.
        if (holds && byCoq !== undefined) expect(byCoq, JSON.stringify(other)).toBe(true);
      }
      expect(refused).toBeGreaterThan(0);
    });
  },
);
