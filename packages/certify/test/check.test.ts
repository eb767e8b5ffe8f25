import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SparseBatch } from 'halfspace/rules';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '../src/certificate.ts';
import { certify } from '../src/certify.ts';
import { check, digestOfBytes, digestOfCertificate } from '../src/check.ts';
import { canonicalRows } from '../src/rows.ts';
import { checkFor, examplesOf } from './support/examples.ts';

/** Mutations of each kind that the suite makes; more on demand. */
const mutations = Number(process.env.HALFSPACE_MUTATIONS ?? 600);

/** Numbers for choosing, the same in every run (a linear congruence). */
function chooser(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const grid = Array.from({ length: 40 }, (_, i) => [(i * 7) % 11, ((i * i) % 13) / 8, (i % 5) - 1.1]);
const cases: Record<string, { examples: SparseBatch; certificate: Certificate }> = {};
for (const [name, label] of Object.entries({
  separable: (x: readonly number[]) => (x[0]! + 3 * x[1]! - x[2]! > 6.05 ? 1 : -1),
  'not separable': (x: readonly number[]) => ((x[0]! - 5) * (x[1]! - 0.7) > 0 ? 1 : -1),
})) {
  const examples = await examplesOf(grid, grid.map(label));
  const features = { kind: 'indexed', dimension: 3, firstIndex: 1 } as const;
  cases[name] = { examples, certificate: await certify(examples, { classes: ['-1', '1'], features, errors: true }) };
}

/** Where numbers stand in JSON text, those within strings included. */
function numbersIn(text: string): { from: number; to: number }[] {
  return [...text.matchAll(/\d+(\.\d+)?(e[+-]?\d+)?/g)].map(({ index, 0: digits }) => ({
    from: index,
    to: index + digits.length,
  }));
}

/** The text with one of its numbers changed. */
function mutated(text: string, choose: (below: number) => number): string {
  const places = numbersIn(text);
  const { from, to } = places[choose(places.length)]!;
  const old = text.slice(from, to);
  const changed = [
    () => String(Number(old) + 1),
    () => String(BigInt(old.replace(/\D.*/, '')) + 1n),
    () => `${old}0`,
    () => String(choose(1000)),
    () => old.replace(/\d/, (digit) => String((Number(digit) + 1 + choose(8)) % 10)),
  ][choose(5)]!();
  return changed === old ? mutated(text, choose) : text.slice(0, from) + changed + text.slice(to);
}

async function holds(text: string, examples: SparseBatch): Promise<boolean> {
  let certificate: unknown;
  try {
    certificate = JSON.parse(text);
  } catch {
    // No JSON any more, such as a number with a leading 0.
    return false;
  }
  return (await checkFor(certificate, examples)).holds;
}

describe.each(Object.entries(cases))('the certificate of data that are %s', (verdict, { examples, certificate }) => {
  const text = JSON.stringify(certificate);

  test('holds', async () => {
    expect(certificate.verdict).toBe(verdict.replace(' ', '-'));
    expect(await checkFor(JSON.parse(text), examples)).toMatchObject({ holds: true });
  });

  test('holds as text, as bytes, and with its members in another order, as databases return them', async () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .map(([name, each]) => [name, turned(each)] as const)
          .reverse(),
      );
    };
    const other = JSON.stringify(turned(certificate), null, 2);
    expect(other).not.toContain(text.slice(1, 40));
    const bytes = new TextEncoder().encode(`\uFEFF${other}`);
    for (const kept of [other, `\uFEFF${other}`, bytes, bytes.buffer, Buffer.from(other), JSON.parse(other)])
      expect(await checkFor(kept, examples)).toMatchObject({ holds: true });
    expect(await checkFor(other.slice(0, -3), examples)).toMatchObject({ holds: false });
  });

  test(`is rejected when any single number is changed (${mutations} times)`, { timeout: 600_000 }, async () => {
    const choose = chooser(1);
    for (let k = 0; k < mutations; k++) {
      const other = mutated(text, choose);
      expect(await holds(other, examples), other).toBe(false);
    }
  });

  test(`is rejected against data with any single number changed (${mutations} times)`, {
    timeout: 600_000,
  }, async () => {
    const choose = chooser(2);
    const parsed = JSON.parse(text);
    for (let k = 0; k < mutations; k++) {
      const values = examples.values.slice();
      const labels = examples.labels.slice();
      const at = choose(values.length + labels.length);
      if (at >= values.length) labels[at - values.length]! *= -1;
      else values[at] = [values[at]! * (1 + 2 ** -50), -values[at]!, values[at]! + 1, choose(100) + 0.5][choose(4)]!;
      if (at < values.length && values[at] === examples.values[at]) continue;
      expect((await checkFor(parsed, { ...examples, values, labels })).holds).toBe(false);
    }
  });

  test('is rejected by its mathematics alone: with a digest made anew', async () => {
    for (const [path, change] of changes(certificate)) {
      const other = JSON.parse(text);
      const parent = path.slice(0, -1).reduce((at, name) => at[name], other);
      parent[path.at(-1)!] = change;
      other.digest = await digestOfCertificate(other);
      const result = await checkFor(other, examples);
      expect(result.holds, `${path.join('.')} = ${change}`).toBe(false);
    }
  });

  test('is rejected without any one of its members', async () => {
    for (const name of Object.keys(certificate)) {
      const { [name]: _, ...other } = JSON.parse(text);
      if (name !== 'digest') other.digest = await digestOfCertificate(other);
      expect((await checkFor(other, examples)).holds, name).toBe(false);
    }
  });

  test('is rejected with rows in another order, with a row less, and with a feature more', async () => {
    const order = grid.map((_, i) => (i + 1) % grid.length);
    const label = (i: number) => examples.labels[i]!;
    const others = [
      await examplesOf(
        order.map((i) => grid[i]!),
        order.map(label),
      ),
      await examplesOf(
        grid.slice(1),
        grid.slice(1).map((_, i) => label(i + 1)),
      ),
      await examplesOf(
        grid.map((row, i) => [...row, i === 7 ? 1 : 0]),
        grid.map((_, i) => label(i)),
      ),
    ];
    for (const other of others) expect((await checkFor(JSON.parse(text), other)).holds).toBe(false);
  });
});

/** Changes of the numbers that prove, each of which makes a statement wrong. */
function changes({
  radiusSquared,
  separator,
  ceiling,
  contradictions,
  errors,
}: Certificate): [(string | number)[], unknown][] {
  const list: [(string | number)[], unknown][] = [
    [['radiusSquared'], '1'],
    [['verdict'], 'unknown'],
    [['data', 'examples'], 39],
    [['data', 'dimension'], 4],
    [['data', 'numbers'], 'written '],
    [['more'], 0],
    [['data', 'more'], 0],
    [['radiusSquared'], twice(radiusSquared)],
  ];
  if (separator !== null) {
    list.push([['separator', 'more'], 0], [['ceiling', 'more'], 0]);
    list.push([['separator', 'marginSquared'], twice(separator.marginSquared)]);
    list.push([['ceiling', 'marginSquared'], twice(ceiling!.marginSquared)]);
    list.push([['separator', 'marginSquared'], '1/1000'], [['separator', 'absorbedMarginSquared'], '1/1000']);
    list.push([['separator', 'bias'], `${separator.bias}0`], [['separator', 'weights', 0], '0']);
    list.push([['separator', 'weights'], separator.weights.slice(1)], [['separator'], null]);
    ceiling!.weights.forEach((w, k) => {
      list.push([['ceiling', 'weights', k], String(BigInt(w) + 1n)], [['ceiling', 'weights', k], `-${w}`]);
    });
    list.push([['ceiling', 'marginSquared'], '1/1000'], [['ceiling', 'rows', 0], 0]);
  }
  contradictions.forEach(({ rows, weights, total }, c) => {
    weights.forEach((w, k) => {
      list.push([['contradictions', c, 'weights', k], String(BigInt(w) + 1n)]);
      list.push([['contradictions', c, 'weights', k], '0'], [['contradictions', c, 'weights', k], `0${w}`]);
    });
    list.push([['contradictions', c, 'total'], String(BigInt(total) + 1n)]);
    list.push([['contradictions', c, 'rows', rows.length - 1], 41], [['contradictions', c, 'rows', 0], 1.5]);
    list.push([['contradictions', c, 'more'], 0]);
    if (errors?.cones !== null) return;
    list.push([['contradictions', contradictions.length], { rows, weights, total }]);
    list.push([['errors', 'prices', c], '2'], [['errors', 'prices', c], '0'], [['errors', 'prices', c], '-1']);
  });
  if (errors !== null) {
    list.push([['errors', 'atLeast'], errors.atLeast + 1], [['errors', 'atMost'], errors.atMost - 1]);
    list.push([['errors', 'atLeast'], errors.atLeast - 1], [['contradictions'], []]);
    list.push([['errors', 'unit'], '0'], [['errors', 'more'], 0], [['errors', 'atLeast'], `${errors.atLeast}`]);
    list.push([['errors', 'atLeast'], errors.atLeast + 0.5]);
    if (errors.cones === null) list.push([['errors', 'unit'], '2'], [['errors', 'prices'], []]);
    else {
      const { splits, pairs, centre, factors } = errors.cones;
      const at = ['errors', 'cones'];
      list.push([['errors', 'prices'], ['1']], [['errors', 'cones'], null], [[...at, 'more'], 0]);
      list.push([[...at, 'factors', 0], '0'], [[...at, 'factors', factors.length - 1], '0'], [[...at, 'factors'], []]);
      list.push([[...at, 'factors', 0], `-${factors[0]}`], [[...at, 'centre'], centre.slice(1)]);
      list.push(
        [[...at, 'splits'], splits.slice(1)],
        [
          [...at, 'splits'],
          [...splits, null],
        ],
      );
      list.push(
        [[...at, 'pairs'], pairs.slice(1)],
        [
          [...at, 'pairs'],
          [...pairs, []],
        ],
      );
      // The root of the first cone that is split.
      const first = splits.findIndex((split) => split !== null);
      list.push([[...at, 'splits', first, 0], -1], [[...at, 'splits', first, 0], splits[first]![1]]);
      list.push([[...at, 'splits', first, 2], '0'], [[...at, 'splits', first, 3], '-1']);
      list.push(
        [
          [...at, 'splits', first],
          [...splits[first]!, '1'],
        ],
        [[...at, 'splits', first], []],
      );
      pairs.forEach((own, c) => {
        if (own.length === 0) return;
        list.push(
          [[...at, 'pairs', c], own.slice(1)],
          [
            [...at, 'pairs', c],
            [...own, ...own.slice(0, 4)],
          ],
        );
        list.push([[...at, 'pairs', c, 0], own[2]], [[...at, 'pairs', c, 0], 0], [[...at, 'pairs', c, 1], 0]);
        list.push([[...at, 'pairs', c, 1], own[1]! + 0.5], [[...at, 'pairs', c, 3], -own[3]!]);
      });
    }
  }
  return list;
}

test.each([
  '+1 0:1',
  '1 0:1\n',
  '+1 0:0\n',
  '+1 0:01\n',
  '+1 0:1.5\n',
  '+1 0:1e2\n',
  '+1 0:1e-0\n',
  '+1 0:1e-1200\n',
  '+1 0:1p-99999999999\n',
  '+1 0:1:2\n',
  '+1 1:1 0:2\n',
  '+1 0:1 0:2\n',
  '+1  0:1\n',
  '+1 0:1 \n',
  '+1 3:1\n',
  '+1 0:1\r\n',
])('%j is no canonical row of these features', async (row) => {
  const { certificate, examples } = cases.separable!;
  const whole = new TextDecoder().decode(canonicalRows(examples));
  const rows = new TextEncoder().encode(row + whole.slice(whole.indexOf('\n') + 1));
  const data = { ...certificate.data, digest: await digestOfBytes(rows) };
  const claim = { ...certificate, verdict: 'unknown', data, separator: null, ceiling: null };
  const result = await check({ ...claim, digest: await digestOfCertificate(claim as Certificate) }, rows);
  expect(result).toMatchObject({ holds: false });
  expect((result as { reason: string }).reason).not.toMatch(/digest|radius/);
});

/** The same fraction, not in lowest terms. */
function twice(fraction: string): string {
  const [a, b = '1'] = fraction.split('/') as [string, string?];
  return `${2n * BigInt(a)}/${2n * BigInt(b)}`;
}

test('rows of doubles are not said to be written, nor decimals doubles, unless dates or weighted words are among them', async () => {
  const { certificate, examples } = cases['not separable']!;
  for (const [numbers, written, changes, holds] of [
    ['doubles', false, [], true],
    ['written', true, [], true],
    ['written', false, [], false],
    ['written', false, ['dates'], true],
    ['doubles', true, [], false],
  ] as const) {
    const exact = written ? { ...examples, decimal: new Uint8Array(examples.dimension).fill(1) } : examples;
    const { data } = await certify(exact, { classes: ['-1', '1'], signal: AbortSignal.abort() });
    const open = await certify(exact, { classes: ['-1', '1'], signal: AbortSignal.abort() });
    const other = { ...open, data: { ...data, features: certificate.data.features, numbers, changes } };
    const result = await checkFor({ ...other, digest: await digestOfCertificate(other as Certificate) }, exact);
    expect(result.holds, `${numbers} ${written} ${changes}`).toBe(holds);
  }
});

test.each([['written'], 'write', 'toString', null])(
  '%j are no numbers that a certificate is about',
  async (numbers) => {
    const { certificate, examples } = cases.separable!;
    const other = { ...certificate, data: { ...certificate.data, numbers } } as unknown as Certificate;
    const result = await checkFor({ ...other, digest: await digestOfCertificate(other) }, examples);
    expect(result).toMatchObject({ holds: false, reason: expect.stringContaining('expected numbers as written or') });
  },
);

test.each([10 ** 17, '100', 100.5, -1, null])('%j is no number of features', async (dimension) => {
  // Two features that are one and the same double.
  const rows = new TextEncoder().encode('-1 9007199254740992:1\n+1 9007199254740993:1\n');
  const { certificate } = cases.separable!;
  const data = { ...certificate.data, examples: 2, dimension, digest: await digestOfBytes(rows) };
  const contradictions = [{ rows: [1, 2], weights: ['1', '1'], total: '2' }];
  const open = { ...certificate, verdict: 'not-separable', data, radiusSquared: '1', contradictions };
  const claim = { ...open, separator: null, ceiling: null } as unknown as Certificate;
  const result = await check({ ...claim, digest: await digestOfCertificate(claim) }, rows);
  expect(result).toMatchObject({ holds: false, reason: expect.stringContaining('expected a number of features') });
});

test.each([null, 1, 'text', [], {}, { format: 'halfspace-certificate' }])('%j is no certificate', async (value) => {
  expect((await checkFor(value, cases.separable!.examples)).holds).toBe(false);
});

const source = join(import.meta.dirname, '../src');

test('the checker imports nothing that runs but its files, so browsers run it without what finds certificates', () => {
  const interior = readdirSync(join(source, 'interior')).map((name) => `interior/${name}`);
  const own = ['check.ts', 'cones.ts', 'exact-rows.ts', 'digest.ts', 'members.ts', ...interior];
  for (const file of own) {
    const text = readFileSync(join(source, file), 'utf8');
    const imports = [...text.matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']*)'/gms)].map(
      (found) => found[1]!,
    );
    for (const name of imports) expect(own).toContain(join(dirname(file), name));
    expect(text).not.toMatch(/\bimport\('|require\(|process\.|\bBuffer\b/);
  }
  expect(interior.length).toBeGreaterThan(2);
});

test('the two files that must be trusted have fewer than 230 lines of code together', () => {
  const code = ['check.ts', 'exact-rows.ts'].flatMap((file) =>
    readFileSync(join(source, file), 'utf8')
      .replaceAll(/\/\*\*.*?\*\//gs, '')
      .split('\n')
      .filter((line) => !/^\s*(\/\/.*)?$/.test(line)),
  );
  expect(code.length).toBeGreaterThan(100);
  expect(code.length).toBeLessThan(230);
});

test('nothing in the package but what the command adds needs Node', () => {
  const folder = join(import.meta.dirname, '../src');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts')))
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/from 'node:/);
});
