import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Algorithm } from '../../src/algorithm/algorithm.ts';
import { defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset } from '../../src/data/dataset.ts';
import { dataPresets } from '../../src/data/presets.ts';
import { tablePresets } from '../../src/data/table-presets.ts';
import { CommandLine } from '../support/command-line.ts';
import { installMs, LabBrowser, pictureOf, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
const line = new CommandLine();
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(async () => {
  line.clear();
  await lab?.close();
});

const moons = dataPresets.find(({ id }) => id === 'moons')!.make();

describe('the engine in a browser', () => {
  it('makes the model file that the printed command makes', async () => {
    const { page, errors } = await lab.page();
    const penguins = await tablePresets.find(({ id }) => id === 'penguins')!.load();
    const setups: readonly [Dataset, Algorithm][] = [
      [moons, { ...defaultAlgorithm, as: 'lecture-9', seed: 11, passes: 20 }],
      [penguins, { ...defaultAlgorithm, as: null, rule: 'averaged', holdout: 0.2, order: 'shuffled', seed: 3 }],
      [moons, { ...defaultAlgorithm, as: null, rule: 'kernel', options: { kernel: 'rbf', gamma: 1 }, passes: 6 }],
    ];
    for (const [dataset, algorithm] of setups) {
      const { text, encoding } = await page.evaluate(
        async (setup) => {
          const { halfspaceLab } = window;
          halfspaceLab.change(setup);
          await halfspaceLab.refresh();
          return { text: halfspaceLab.recording!.modelText, encoding: halfspaceLab.examples!.encoding };
        },
        { dataset, algorithm },
      );
      expect(text).toBe(line.model(dataset, algorithm, { encoding }));
    }
    expect(errors).toEqual([]);
  });

  it('proves that no line separates XOR, by its four corners, and shows them', async () => {
    const { page, errors } = await lab.page();
    await page.evaluate(async (dataset) => {
      window.halfspaceLab.change({ dataset });
      await window.halfspaceLab.refresh();
    }, dataPresets.find(({ id }) => id === 'xor')!.make());
    await ready(page);
    const panel = page.getByRole('region', { name: 'Verdict' });
    await panel.getByText('No line separates: 4 examples prove it').waitFor();
    expect(await panel.getByRole('button').allTextContents()).toEqual([
      '1',
      '2',
      '3',
      '4',
      'Why, and what now?',
      'Lift it',
    ]);
    await panel.getByRole('button', { name: 'Example 3' }).click();
    expect(await page.evaluate(() => window.halfspaceLab.selected)).toBe(2);
    const verdict = await page.evaluate(() => JSON.parse(JSON.stringify(window.halfspaceLab.verdict)));
    expect(verdict.combination.map(({ weight }: { weight: number }) => weight)).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(errors).toEqual([]);
  });

  it('draws the boundary of a kernel as the model scores it', async () => {
    const { page, errors } = await lab.page();
    await page.evaluate(
      async (setup) => {
        window.halfspaceLab.change(setup);
        await window.halfspaceLab.refresh();
        window.halfspaceLab.seek(Number.POSITIVE_INFINITY);
      },
      {
        dataset: moons,
        algorithm: { ...defaultAlgorithm, as: null, rule: 'kernel' as const, options: { kernel: 'rbf', gamma: 1 } },
      },
    );
    await page.waitForFunction(() => {
      const { surface, recording } = window.halfspaceLab;
      return surface !== null && surface.step === recording!.steps;
    });
    const { marks } = await pictureOf(page, '.plane .figure');
    expect(marks.some(({ id }) => id === 'surface')).toBe(true);
    // Every example on the side that the model gives it: the run ends without an error on them.
    const wrong = await page.evaluate(() => {
      const { surface, examples, recording } = window.halfspaceLab;
      const { from, to, columns, rows, scores } = surface!;
      let count = 0;
      examples!.labels.forEach((label, row) => {
        const [x, y] = [examples!.vectors[2 * row]!, examples!.vectors[2 * row + 1]!];
        const c = Math.round(((x - from[0]) / (to[0] - from[0])) * (columns - 1));
        const r = Math.round(((y - from[1]) / (to[1] - from[1])) * (rows - 1));
        if (label * scores[r * columns + c]! <= 0) count++;
      });
      return { count, errors: recording!.report.train!.errors };
    });
    expect(wrong.count).toBeLessThanOrEqual(wrong.errors + 2);
    expect(errors).toEqual([]);
  });
});
