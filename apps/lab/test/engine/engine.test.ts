import { createKernels, denseBatch } from 'halfspace/rules';
import { describe, expect, it } from 'vitest';
import { createScorer } from '../../../../packages/halfspace/src/model/kinds.ts';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Table } from '../../src/data/dataset.ts';
import { inspectTable } from '../../src/data/inspect.ts';
import { dataPresets } from '../../src/data/presets.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import type { Recording } from '../../src/engine/recording.ts';

const preset = (id: string) => dataPresets.find((each) => each.id === id)!.make();
const moons = preset('moons');
const table = (text: string, change: Partial<Table> = {}): Table => ({
  kind: 'table',
  name: 'data.csv',
  text,
  label: 'y',
  positive: null,
  columns: null,
  scale: 'none',
  ...change,
});
const request = {
  features: [0, 1] as const,
  at: new Float64Array(2),
  from: [-2, -1] as const,
  to: [2, 1] as const,
  columns: 7,
  rows: 5,
};

async function runOf(algorithm: Partial<Algorithm>): Promise<[LocalEngine, Recording]> {
  const engine = new LocalEngine();
  await engine.open(moons);
  return [engine, await engine.run({ ...defaultAlgorithm, as: null, passes: 4, ...algorithm })];
}

describe('surfaces', () => {
  it.each([
    { rule: 'kernel', options: { kernel: 'rbf', gamma: 2 } },
    { rule: 'voted', options: {} },
    { rule: 'tree', options: {} },
    { rule: 'averaged', options: {} },
  ] as const)('at the end are the scores of the model: $rule', async (algorithm) => {
    const [engine, { model, steps }] = await runOf(algorithm);
    const { grid: scores, shown } = await engine.surface({ step: steps, ...request });
    const cells = Array.from({ length: 35 }, (_, k) => [-2 + ((k % 7) * 4) / 6, -1 + Math.floor(k / 7) / 2]);
    const expected = new Float64Array(35);
    createScorer(createKernels(), model).scoreInto(
      denseBatch(
        cells,
        cells.map(() => 1),
      ),
      expected,
    );
    for (let k = 0; k < 35; k++) expect(scores[k]).toBeCloseTo(expected[k]!, 9);
    const own = new Float64Array(moons.points.length);
    createScorer(createKernels(), model).scoreInto(
      denseBatch(
        moons.points.map(({ x, y }) => [x, y]),
        moons.points.map(({ label }) => label),
      ),
      own,
    );
    expect(shown).toEqual(own);
  });

  it.each(['last', 'averaged', 'voted'])(
    'within a run of the kernel are those of a run that ends there: %s',
    async (aggregate) => {
      const options = { kernel: 'polynomial', degree: 2, aggregate };
      const [engine, whole] = await runOf({ rule: 'kernel', options, passes: 3 });
      const [short, { steps }] = await runOf({ rule: 'kernel', options, passes: 1 });
      expect(steps).toBeLessThan(whole.steps);
      expect(await engine.surface({ step: steps, ...request })).toEqual(
        await short.surface({ step: steps, ...request }),
      );
      const start = await engine.surface({ step: 0, ...request });
      expect([...start.grid, ...start.shown].every((score) => score === 0)).toBe(true);
    },
  );
});

describe('learning curves', () => {
  it('end with the accuracies of the report', async () => {
    for (const algorithm of [{ rule: 'averaged', holdout: 0.3 }, { rule: 'kernel' }, { rule: 'perceptron' }] as const) {
      const [engine, recording] = await runOf(algorithm);
      const curve = await engine.curve({ ...defaultAlgorithm, as: null, passes: 4, ...algorithm });
      const last = curve.at(-1)!;
      expect([curve[0]!.step, last.step]).toEqual([0, recording.steps]);
      expect(last.train).toBe(recording.report.train!.accuracy);
      expect(last.holdout).toBe(recording.report.holdout?.accuracy ?? null);
      expect(curve.length).toBeLessThanOrEqual(61);
    }
  });
});

describe('verdicts', () => {
  it('of points that a line separates have a bracket of the margin', async () => {
    const engine = new LocalEngine();
    await engine.open(preset('separable'));
    const verdict = await engine.verdict();
    if (verdict.kind !== 'separable') throw new Error(verdict.kind);
    expect(verdict.upper / verdict.lower - 1).toBeLessThan(2e-6);
    expect(verdict.lifted.upper / verdict.lifted.lower - 1).toBeLessThan(2e-6);
  });

  it.each(['xor', 'both-labels', 'moons'])(
    'of %s are a combination of examples that adds up to nothing',
    async (id) => {
      const engine = new LocalEngine();
      const set = preset(id);
      await engine.open(set);
      const verdict = await engine.verdict();
      if (verdict.kind !== 'not-separable') throw new Error(verdict.kind);
      const sums = [0, 0, 0, 0];
      for (const { row, weight } of verdict.combination) {
        const { x, y, label } = set.points[row]!;
        [label * x, label * y, label, 1].forEach((each, j) => {
          sums[j]! += weight * each;
        });
      }
      for (const [j, each] of [0, 0, 0, 1].entries()) expect(sums[j]).toBeCloseTo(each, 12);
      const meeting = [0, 0];
      for (const { row, weight } of verdict.combination) {
        const { x, y, label } = set.points[row]!;
        if (label < 0)
          [x, y].forEach((each, j) => {
            meeting[j]! += 2 * weight * each;
          });
      }
      for (const [j, each] of meeting.entries()) expect(verdict.meeting[j]).toBeCloseTo(each, 9);
    },
  );
});

describe('what cannot be learned from is refused with a sentence that says what to do, and what was open stays', () => {
  const wrong: Readonly<Record<string, readonly [Table, RegExp]>> = {
    'no such label': [table('a,b\n1,2\n3,4\n'), /There is no column “y” to predict. Choose one of: a, b/],
    'one class': [table('a,y\n1,2\n3,2\n'), /Two classes are needed.*only “2”.*choose another column/],
    'a label that is missing': [table('a,y\n1,2\n3,\n4,1\n'), /Row 2 has nothing.*“y”. Fill it in/],
    'an infinite cell': [table('a,y\n1,2\ninf,1\n3,1\n'), /Row 2 has “inf” in column “a”, where a finite number/],
    'a stray word': [table(`a,y\n${'1.5,1\n2.5,0\n3.25,1\n'.repeat(20)}oops,1\n`), /Row 61 has “oops” in column “a”/],
    'an uneven line': [table('a,y\n1,2\n3,4,5\n'), /Line 3: expected 2 cells; got 3. Correct that line/],
    'nothing at all': [table(' \n'), /There is nothing in it/],
    'only a header': [table('a,y\n'), /no row below it/],
    'one column': [table('y\n1\n2\n'), /only one column/],
    'too many columns': [table(`${Array.from({ length: 20_002 }, (_, j) => `c${j}`).join(',')}\n`), /20,000 columns/],
    'a spreadsheet': [table('', { file: new Blob([Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0)]) }), /Save the table as CSV/],
    'another encoding': [
      table('', { file: new Blob([Uint8Array.of(97, 44, 121, 10, 0xe9, 44, 49, 10)]) }),
      /Line 2: expected UTF-8 text; got the byte 0xe9, é in Latin-1. Save the table as CSV in UTF-8/,
    ],
    'hundreds of numbers': [
      table(`a,y\n${Array.from({ length: 300 }, (_, i) => `${i},${i / 7}\n`).join('')}`),
      /too many for classes/,
    ],
    'a class that is not there': [table('a,y\n1,2\n3,4\n', { positive: '5' }), /has no class “5”/],
    'columns that say nothing': [table('a,y\n1,2\n1,4\n'), /No column tells examples apart: a \(constant\)/],
  };
  it.each(Object.keys(wrong))('%s', async (name) => {
    const engine = new LocalEngine();
    await engine.open(moons);
    const [given, sentence] = wrong[name]!;
    await expect(engine.open(given)).rejects.toThrow(sentence);
    expect((await engine.run({ ...defaultAlgorithm, passes: 2 })).rows.length).toBeGreaterThan(0);
  });

  it('three classes are read as the first against the rest, and that is said', async () => {
    const { classes, notes } = await new LocalEngine().open(table('a,y\n1,r\n2,g\n3,b\n'));
    expect(classes).toEqual(['not b', 'b']);
    expect(notes.join(' ')).toContain('3 classes: b, g, r. “b” is set against the others');
  });
});

describe('an inspection', () => {
  it('tells columns, kinds, classes and the likely label', async () => {
    const text = 'x;Target;when\n1,5;yes;2024-01-02\n;no;2024-02-03\n3;yes;\n';
    const { columns, label, rows, whole, form } = await inspectTable({ text, name: 'data.csv', label: null });
    expect([label, rows, whole, form?.delimiter, form?.header]).toEqual(['Target', 3, true, ';', true]);
    expect(
      columns.map(({ name, kind, missing, examples, classes }) => [name, kind, missing, examples, classes]),
    ).toEqual([
      ['x', 'number', 1, ['1,5', '3'], ['1,5', '3']],
      ['Target', 'label', null, [], ['no', 'yes']],
      ['when', 'date', 1, ['2024-01-02', '2024-02-03'], ['2024-01-02', '2024-02-03']],
    ]);
  });
});
