import { arrays, train } from 'halfspace';
import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import { contradict } from '../src/exact/contradiction.ts';
import { decideExactly } from '../src/exact/linear-programme.ts';
import { endless, isSeparable, type Labelled, labelled, nearlyDegenerate } from './support/examples.ts';

const rules = [
  'perceptron',
  'averaged',
  'margin',
  'passive-aggressive',
  'pocket',
  'sgd',
  'arow',
  'voted',
  'kernel',
] as const;

const whole = fc.integer({ min: -3, max: 3 });

/** Returns what the report of a short run says about separability: null: nothing. */
async function reported({ rows, labels }: Labelled, rule: (typeof rules)[number]): Promise<boolean | null> {
  const { report } = await train(arrays(rows, labels), { rule, passes: 2, separability: contradict });
  const { lower, upper, bound } = report.bracket!;
  expect(lower).toBeLessThanOrEqual(upper);
  expect(bound === null).toBe(lower === 0);
  return lower > 0 ? true : upper === 0 ? false : null;
}

test('a report proves what the exact simplex method decides, and leaves little open', async () => {
  let [all, open] = [0, 0];
  await forAllAsync(300, fc.oneof(labelled(whole), nearlyDegenerate), fc.constantFrom(...rules), async (data, rule) => {
    // Training refuses rows whose squared lengths are below the range of doubles.
    fc.pre(data.rows.flat().every((x) => x === 0 || Math.abs(x) > 1e-100));
    const said = await reported(data, rule);
    all++;
    if (said === null) open++;
    else expect(said).toBe(await isSeparable(data));
  });
  expect(open / all).toBeLessThan(0.1);
});

test('a report proves of each class what holds against all others', async () => {
  await forAllAsync(
    100,
    labelled(whole),
    fc.infiniteStream(fc.constantFrom('a', 'b', 'c')),
    async ({ rows }, names) => {
      const labels = ['a', 'b', 'c', ...names.take(Math.max(0, rows.length - 3))].slice(0, rows.length);
      fc.pre(new Set(labels).size === 3);
      const { report } = await train(arrays(rows, labels), { rule: 'averaged', passes: 2, separability: contradict });
      for (const { class: name, lower, upper } of report.classBrackets!) {
        const against = { rows, labels: labels.map((label) => (label === name ? 1 : -1)) };
        if (lower > 0 || upper === 0) expect(lower > 0, name).toBe(await isSeparable(against));
      }
    },
  );
});

test('a report proves if weights of all classes together are right on every row, as the exact simplex method decides', async () => {
  let [all, open] = [0, 0];
  await forAllAsync(150, labelled(whole), fc.infiniteStream(fc.nat(2)), async ({ rows }, numbers) => {
    const labels = [0, 1, 2, ...numbers.take(Math.max(0, rows.length - 3))].slice(0, rows.length);
    fc.pre(new Set(labels).size === 3);
    // The class that a name gets is the place of its first row.
    const { report } = await train(arrays(rows, labels.map(String)), { rule: 'averaged', separability: contradict });
    const { lower, upper, radius } = report.multiclassBracket!;
    expect(lower).toBeLessThanOrEqual(upper);
    expect(radius ** 2).toBeCloseTo(2 * Math.max(...rows.map((row) => 1 + row.reduce((sum, x) => sum + x * x, 0))), 6);
    all++;
    if (lower === 0 && upper > 0) return void open++;
    const differences = rows.flatMap((row, i) =>
      [0, 1, 2]
        .filter((other) => other !== labels[i])
        .map((other) =>
          [0, 1, 2].flatMap((k) => [...row, 1].map((x) => BigInt(k === labels[i] ? x : k === other ? -x : 0))),
        ),
    );
    expect(lower > 0).toBe((await decideExactly(differences, endless))!.separator !== null);
  });
  expect(open / all).toBeLessThan(0.1);
});

test('without a test of contradictions the margins are as narrow, and nothing is claimed', async () => {
  const rows = [[0], [1], [3]];
  const { report } = await train(arrays(rows, ['a', 'b', 'a']), { rule: 'sgd', separability: true });
  expect(report.bracket).toMatchObject({ lower: 0, updates: null, bound: null });
  await expect(train(arrays(rows, ['a', 'b', 'a']), { rule: 'tree', separability: true })).rejects.toThrow(
    'separability is for rules that learn hyperplanes; got the rule tree',
  );
});
