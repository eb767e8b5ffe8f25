import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from 'halfspace/runs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Certificate } from '../src/certificate.ts';
import { certify } from '../src/certify.ts';
import { check, digestOfCertificate } from '../src/check.ts';
import { WholeExamples } from '../src/exact/separator.ts';
import type { ExactBatch } from '../src/exact/values.ts';
import { canonicalRows, examplesOf } from '../src/rows.ts';
import { Frame } from '../src/search/frame.ts';
import { searchInterior } from '../src/search/interior-contradiction.ts';
import { viprPieces } from '../src/vipr.ts';
import { claimsOf } from './support/claims.ts';
import { endless } from './support/examples.ts';

/** Changes of one number of each certificate. */
const changes = Number(process.env.HALFSPACE_CHANGES ?? 20);

/** The program of current VIPR, built with -DNDEBUG. */
const viprchk = process.env.HALFSPACE_VIPRCHK ?? 'viprchk';
const runs = (name: string, ...args: string[]) => spawnSync(name, args).error === undefined;
const tools = {
  python3: runs('python3', '--version'),
  coqc: runs('python3', '--version') && runs('coqc', '--version'),
  viprchk: runs(viprchk),
};
const absent = Object.entries(tools).flatMap(([name, isThere]) => (isThere ? [] : [name]));

const folder = mkdtempSync(join(tmpdir(), 'agreement-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const run = (name: string, ...args: string[]) =>
  spawnSync(name, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });

interface Made {
  readonly certificate: Certificate;
  readonly examples: ExactBatch;
}

interface Shape {
  readonly rows: number;
  readonly features: number;
  /** The share of labels on the wrong side of a line. */
  readonly wrong: number;
  readonly numbers: 'written' | 'doubles';
  readonly seed: number;
  /** Further features, computed from the others. */
  readonly more?: (x: readonly number[]) => number[];
}

/** Rows of numbers in tenths, or near them, with labels of a line, some of them turned round. */
function rowsOf({ rows, features, wrong, numbers, seed, more = () => [] }: Shape): ExactBatch {
  const random = new Random(seed);
  const x = Array.from({ length: rows }, () =>
    Array.from({ length: features }, () => (random.below(61) - 30) / (numbers === 'written' ? 10 : 8)),
  );
  const labels = x.map((row) =>
    row.reduce((sum, each) => sum + each, 0.25) > 0 !== random.uniform() < wrong ? 1 : -1,
  );
  return examplesOf(
    x.map((row) => [...row, ...more(row)]),
    labels,
    ['-1', '1'],
    numbers,
  );
}

const noisy: Shape = { rows: 30, features: 2, wrong: 0.2, numbers: 'written', seed: 3 };
const options = { classes: ['-1', '1'], features: { kind: 'indexed', dimension: 1, firstIndex: 0 } } as const;

async function made(
  examples: ExactBatch,
  more: { errors?: boolean; signal?: AbortSignal; predict?: ExactBatch } = {},
): Promise<Made> {
  return { examples, certificate: await certify(examples, { ...options, ...more }) };
}

/** Finds an interior also of few features, which a contradiction of few rows would decide. */
async function madeInterior(examples: ExactBatch): Promise<Made> {
  const { interior } = await searchInterior(new WholeExamples(examples), new Frame(examples).factors, endless);
  const { certificate } = await made(examples, { signal: AbortSignal.abort() });
  const body = { ...certificate, verdict: 'not-separable', ceiling: null, interior: interior! } as const;
  return { examples, certificate: { ...body, digest: await digestOfCertificate(body) } };
}

/** Leaves out the separator. */
async function madeCeiling(examples: ExactBatch): Promise<Made> {
  const { certificate } = await made(examples);
  const body = { ...certificate, verdict: 'unknown', separator: null } as const;
  return { examples, certificate: { ...body, digest: await digestOfCertificate(body) } };
}

const forms: Record<string, () => Promise<Made>> = {
  'a separator of decimals': () => made(rowsOf({ ...noisy, rows: 12, wrong: 0 })),
  'a separator of doubles': () => made(rowsOf({ ...noisy, rows: 40, features: 4, wrong: 0, numbers: 'doubles' })),
  'a contradiction of decimals': () => made(rowsOf({ ...noisy, features: 5, rows: 60 })),
  'a contradiction of doubles': () => made(rowsOf({ ...noisy, features: 3, numbers: 'doubles' })),
  'contradictions with errors': () => made(rowsOf(noisy), { errors: true }),
  'pairs of equal rows with errors': () => made(rowsOf({ ...noisy, features: 1, rows: 90 }), { errors: true }),
  'predictions by contradictions': () =>
    made(rowsOf({ ...noisy, features: 5, wrong: 0 }), { predict: rowsOf({ ...noisy, rows: 9, features: 5, seed: 4 }) }),
  'predictions by cones': () => made(rowsOf(noisy), { predict: rowsOf({ ...noisy, rows: 3, seed: 4 }) }),
  'a ceiling alone': () => madeCeiling(rowsOf({ ...noisy, rows: 12, wrong: 0 })),
  'an interior': () => madeInterior(rowsOf({ ...noisy, rows: 60, features: 3 })),
  'an interior of 100 features': () => made(rowsOf({ ...noisy, rows: 260, features: 100, wrong: 0.3 })),
  'an interior of doubles with relations': () =>
    madeInterior(
      rowsOf({ ...noisy, rows: 80, features: 3, numbers: 'doubles', more: ([a, b, c]) => [b!, 0, 3 * a! - c! / 2] }),
    ),
};

/** Returns the paths of all numbers of the proofs, as text or as a number. */
function numbersOf(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\/\d+)?$/.test(value))) return [[...path]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => numbersOf(each, [...path, key]));
}

/** Returns a certificate with one number of its proofs changed, and a digest of its own. */
async function changed(certificate: Certificate, random: Random): Promise<Certificate> {
  const other = structuredClone(certificate) as unknown as Record<string, unknown>;
  const { radiusSquared, separator, ceiling, contradictions, interior, errors, predictions } = certificate;
  const paths = numbersOf({ radiusSquared, separator, ceiling, contradictions, interior, errors, predictions });
  const path = paths[random.below(paths.length)]!;
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>((at, key) => at[key] as never, other);
  const old = parent[path.at(-1)!];
  const turn = random.below(4);
  if (typeof old === 'number') parent[path.at(-1)!] = [old + 1, old - 1, -old, old / 2][turn];
  else {
    const [a, b] = String(old).split('/') as [string, string?];
    const whole = [BigInt(a) + 1n, BigInt(a) - 1n, -BigInt(a), BigInt(a) / 2n][turn];
    parent[path.at(-1)!] = b === undefined ? String(whole) : `${whole}/${b}`;
  }
  return { ...other, digest: await digestOfCertificate(other as never) } as Certificate;
}

/** Returns canonical rows as libsvm text. Binary fractions of few places have a short decimal. */
function libsvm(canonical: Uint8Array): string {
  return new TextDecoder()
    .decode(canonical)
    .replaceAll(/(-?\d+)([ep])-(\d+)/g, (_, m, base, k) => String(Number(m) / (base === 'e' ? 10 : 2) ** Number(k)));
}

function isAcceptedByPython(certificate: Certificate): boolean {
  writeFileSync(join(folder, 'c.json'), JSON.stringify(certificate));
  return run('python3', join(import.meta.dirname, 'check_certificate.py'), 'c.json', 'c.svm').status === 0;
}

function isAcceptedByCoq(certificate: Certificate): boolean {
  writeFileSync(join(folder, 'c.json'), JSON.stringify(certificate));
  const claims = run('python3', join(import.meta.dirname, '../coq/claims.py'), 'c.json', 'c.rows');
  writeFileSync(join(folder, 'Claims.v'), claims.stdout);
  return claims.status === 0 && run('coqc', '-Q', '.', '', 'Claims.v').status === 0;
}

function isAcceptedByViprchk(certificate: Certificate, canonical: Uint8Array): boolean {
  let text: string;
  try {
    text = [...viprPieces(certificate, canonical)].join('');
  } catch (error) {
    // A line through a row has no score to divide by.
    expect(error).toBeInstanceOf(RangeError);
    return false;
  }
  writeFileSync(join(folder, 'c.vipr'), text);
  const { status, stdout } = run(viprchk, 'c.vipr');
  return status === 0 && /Successfully (checked solution for feasibility|verified infeasibility)/.test(stdout);
}

describe(`checkers agree${absent.length > 0 ? ` (skipped, as they are not installed: ${absent.join(', ')})` : ''}`, () => {
  beforeAll(() => {
    if (!tools.coqc) return;
    copyFileSync(join(import.meta.dirname, '../coq/Certificate.v'), join(folder, 'Certificate.v'));
    expect(run('coqc', 'Certificate.v')).toMatchObject({ status: 0 });
  });

  test.each(Object.entries(forms))(`on %s, and with one number changed up to ${changes} times`, async (name, make) => {
    const { certificate, examples } = await make();
    const canonical = canonicalRows(examples);
    writeFileSync(join(folder, 'c.rows'), canonical);
    writeFileSync(join(folder, 'c.svm'), libsvm(canonical));
    const random = new Random(name.length);
    const verdicts = { accepted: 0, refused: 0 };
    expect(certificate.interior !== null, name).toBe(name.startsWith('an interior'));
    // In fractions, the equations of 100 features take a minute.
    const most = certificate.data.dimension < 100 ? changes : 0;
    for (let k = 0; k <= most; k++) {
      const other = k === 0 ? certificate : await changed(certificate, random);
      const said = JSON.stringify(other);
      const { holds } = await check(other, canonical);
      verdicts[holds ? 'accepted' : 'refused']++;
      if (k === 0) expect(holds, said).toBe(true);
      const { line, margin, first, contradictions, ceiling } = claimsOf(other, canonical);
      if (holds) for (const each of [margin, contradictions, ceiling]) expect(each, said).not.toBe(false);
      // An interior is checked by bounds here and in fractions there, which accept more.
      const byPython = tools.python3 && isAcceptedByPython(other);
      if (tools.python3 && (other.interior === null || holds)) expect(byPython, said).toBe(holds);
      if (tools.coqc && (other.interior === null || byPython))
        expect(isAcceptedByCoq(other), said).toBe([margin, contradictions, ceiling].every((each) => each !== false));
      if (tools.viprchk && line !== first) expect(isAcceptedByViprchk(other, canonical), said).toBe(line ?? first);
    }
    if (most > 0) expect(verdicts.refused).toBeGreaterThan(0);
  });
});
