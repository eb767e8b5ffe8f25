import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { halfspace, root, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const penguins = join(root, 'node_modules/vega-datasets/data/penguins.json');
const compare = (...options: string[]) => halfspace(folder, ['compare', penguins, '--label', 'Species', ...options]);

describe('halfspace compare', () => {
  test('shows rules side by side, and whether they differ by more than chance', () => {
    const run = compare('--rules', 'averaged', 'sgd', 'perceptron', '--folds', '3', '--repeats', '2');
    expect(run).toMatchObject({ status: 0, err: '' });
    expect(run.out).toMatch(/^Read .*penguins\.json: 344 rows of 3 classes\n/);
    expect(run.out).toMatch(/by 3-fold cross-validation, 2 times; 10 passes each/);
    for (const rule of ['averaged', 'sgd', 'perceptron'])
      expect(run.out).toMatch(new RegExp(`${rule}.* +\\d+\\.\\d\\d +±`));
    expect(run.out).toMatch(/less, p (=|<) 0\.\d+: (may be|more than) chance|none/);
  });

  test('tells a program so, with the share of every fold, the same each time', () => {
    const [one, two] = [1, 2].map(() => JSON.parse(compare('--json', '--passes', '3', '--repeats', '1').out));
    expect(one.compared.map(({ rule }: { rule: string }) => rule)).toContain('arow');
    for (const each of one.compared) expect(each.foldAccuracies).toHaveLength(5);
    expect({ ...one, seconds: null }).toEqual({ ...two, seconds: null });
  });

  test('has a tree and models in dual form among them where they are named, and only there', () => {
    const rules = (...options: string[]): string[] =>
      JSON.parse(compare(...options, '--folds', '2', '--repeats', '1', '--passes', '1', '--json').out)
        .compared.map(({ rule }: { rule: string }) => rule)
        .sort();
    expect(rules('--rules', 'tree', 'averaged', 'kernel')).toEqual(['averaged', 'kernel', 'tree']);
    expect(rules()).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(tree|kernel|voted)$/)]));
  });

  test('takes options of a rule that is compared alone, and refuses them otherwise', () => {
    const alone = JSON.parse(compare('--rules', 'sgd', '--loss', 'hinge', '--json').out);
    expect(alone.compared[0].options.loss).toBe('hinge');
    const without = compare('--loss', 'hinge');
    expect(without.status).toBe(2);
    expect(without.err).toMatch(/options of a rule need --rules with that rule alone/);
    expect(compare('--rules', 'svm').status).toBe(2);
  });
});

describe('lists of values', () => {
  const lists = ['--rules', 'sgd', '--alpha', '1e-3,1e-4', '--passes', '1,2', '--repeats', '1'];

  test('are searched within a budget of time, by every combination, with the ways to read the data', () => {
    writeFileSync(join(folder, 'cut.json'), '{"columns":{"Body Mass (g)":{"bins":5}}}');
    writeFileSync(join(folder, 'plain.json'), '{}');
    const ways = ['--features', 'cut.json,plain.json', '--scale', 'none,standard', '--class-weight', 'Adelie=1,3'];
    const all = JSON.parse(compare(...lists, ...ways, '--json').out);
    expect(all.compared).toHaveLength(2 * 2 * 2 * 2 * 2);
    expect(all.sources[3]).toBe('plain.json, scale standard');
    expect(new Set(all.compared.map((each: object) => JSON.stringify(each))).size).toBe(32);
    const told = compare(...lists, ...ways, '--seconds', '600').out;
    expect(told).toMatch(
      / sgd, loss logistic, alpha 0\.0001, passes 2, class weight Adelie=3, plain.json, scale none /,
    );
    const few = JSON.parse(compare(...lists, ...ways, '--seconds', '1', '--repeats', '60', '--json').out);
    expect(few.compared.length + few.untried.length).toBe(32);
  });

  test('are searched by train, whose page draws them', () => {
    const flags = [...lists.slice(1, -2), '--class-weight', 'none,balanced', '--scale', 'none,standard'];
    const run = (...more: string[]) =>
      halfspace(folder, [
        'train',
        penguins,
        '--label',
        'Species',
        '--rule',
        ...flags,
        '--model',
        'listed.json',
        ...more,
      ]);
    const { search, model: _, ...rest } = JSON.parse(run('--json', '--report', 'listed.html').out);
    expect(search.tried).toHaveLength(16);
    expect([search.sources, search.untried]).toEqual([['scale none', 'scale standard'], []]);
    const chosen = search.tried[search.taken];
    expect([rest.rule, rest.passes]).toEqual([chosen.rule, chosen.passes]);
    const page = readFileSync(join(folder, 'listed.html'), 'utf8');
    expect(page).toContain('Bars: one standard error');
    expect(page.match(/class="whisker"/g)).toHaveLength(16);
    expect(page).toMatch(/sgd, loss logistic, alpha 0\.0001, class weight balanced, scale none/);
    expect(run('--seconds', '1').out).toMatch(/^Chosen .*(\n.*)* → sgd, loss logistic, alpha/m);
  });

  test.each([
    [['--passes', '1,x'], '--passes to be a whole number from 1; got 1,x'],
    [['--class-weight', 'none,x'], '--class-weight to be balanced, or CLASS=NUMBER with a number above 0, or a list'],
    [['--scale', 'none,unit'], '--scale to be'],
    [['--scale', 'none,standard', '--on-error', 'skip'], 'which read DATA again; got --on-error skip'],
  ])('with a value that does not fit are refused: %j', (flags, message) => {
    const run = compare(...flags);
    expect(run.status).toBe(2);
    expect(run.err).toContain(message);
  });
});

describe('halfspace train without a rule', () => {
  const rows = 'a,b,label\n';
  /** Two noisy classes in a table. */
  const table = rows.concat(
    ...Array.from({ length: 300 }, (_, i) => {
      const noise = Math.sin(i * 12.9898) * 2;
      return `${(noise + (i % 2)).toFixed(3)},${Math.cos(i * 78.233).toFixed(3)},${i % 2 === 0 ? 'no' : 'yes'}\n`;
    }),
  );
  writeFileSync(join(folder, 'noisy.csv'), table);

  test('says what it tried, how that did, and what it took', () => {
    const run = halfspace(folder, ['train', 'noisy.csv']);
    expect(run.status).toBe(0);
    expect(run.out).toMatch(/Chosen {5}by cross-validation, \d+ folds of 300 rows/);
    expect(run.out.match(/^ +→ /gm)).toHaveLength(1);
    expect(run.out).toMatch(/^ +arow.* \d+\.\d\d ± .*\n(.*\n)* +… and \d+ more candidates: --verbose shows all$/m);
  });

  test('tells a program so, and makes the model that naming the same makes', () => {
    const { search, rule, passes } = JSON.parse(
      halfspace(folder, ['train', 'noisy.csv', '--bend', 'none', '--json']).out,
    );
    const best = search.tried[search.taken];
    expect([rule, passes]).toEqual([best.rule, best.passes]);
    const chosen = readFileSync(join(folder, 'noisy.model.json'), 'utf8');
    const flags = Object.entries(best.options as Record<string, unknown>).flatMap(([name, value]) =>
      name === 'updateWhen' || value === false
        ? []
        : [
            `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
            ...(value === true ? [] : [String(value)]),
          ],
    );
    const course = rule === 'logistic' ? [] : ['--passes', String(passes), '--order', 'shuffled-once'];
    const named = ['--rule', rule, ...flags, ...course];
    const run = halfspace(folder, ['train', 'noisy.csv', '--model', 'named.json', ...named]);
    expect(run.status).toBe(0);
    expect(readFileSync(join(folder, 'named.json'), 'utf8')).toBe(chosen);
  });
});

describe('a metric', () => {
  const table = `x,y,label\n${Array.from({ length: 120 }, (_, i) => `${(Math.sin(i * 12.9898) + (i % 6 === 0 ? 1 : 0)).toFixed(3)},${Math.cos(i).toFixed(3)},${i % 6 === 0 ? 'yes' : 'no'}\n`).join('')}`;
  writeFileSync(join(folder, 'few.csv'), table);

  test('decides the choice and the order, and every report names it', () => {
    const told = halfspace(folder, ['train', 'few.csv', '--cost', '1,5', '--report', 'few.html']);
    expect(told.out).toMatch(/^Chosen {5}by cross-validation, .*; cost of a row ± standard deviation between folds$/m);
    expect(told.out).toMatch(/^ +→ \S.* \d\.\d{4} ± \d\.\d{4}( {2}|$)/m);
    expect(readFileSync(join(folder, 'few.html'), 'utf8')).toContain('Values of the metric, cost of a row, in cross');
    const judged = JSON.parse(halfspace(folder, ['train', 'few.csv', '--class-weight', 'balanced', '--json']).out);
    expect(judged).toMatchObject({ metric: 'balanced-accuracy', search: { metric: 'balanced-accuracy' } });
    expect(judged.notes.join()).toContain('the choice follows balanced accuracy');
    const compared = halfspace(folder, ['compare', 'few.csv', '--metric', 'log-loss', '--repeats', '1']);
    expect(compared.out).toContain('by log loss; lower is better\n');
  });

  test('moves the decision, and the model follows it', () => {
    const flags = ['--rule', 'averaged', '--cost', '1,5', '--threshold', 'best', '--report', 'few.html'];
    const told = halfspace(folder, ['train', 'few.csv', ...flags]);
    expect(told.out).toMatch(/^Threshold {2}score \S+, the best for cost of a row: \S+ out of fold, \S+ at 0; scores/m);
    expect(readFileSync(join(folder, 'few.html'), 'utf8')).toContain('the best for cost of a row');
    const made = JSON.parse(halfspace(folder, ['train', 'few.csv', ...flags, '--json']).out);
    const judged = JSON.parse(halfspace(folder, ['evaluate', 'few.model.json', 'few.csv', '--json']).out);
    expect(made.threshold).toMatchObject({ metric: 'cost' });
    expect(made.train.confusion).toEqual(judged.confusion);
    const named = [...flags.slice(0, 2), '--cost', 'false-negative=5, false-positive=1', ...flags.slice(4, 6)];
    expect(JSON.parse(halfspace(folder, ['train', 'few.csv', ...named, '--json']).out).threshold).toEqual(
      made.threshold,
    );
  });

  test.each([
    [['--metric', 'cost'], '--metric cost needs --cost'],
    [['--metric', 'f1', '--cost', '1,2'], '--cost is for --metric cost; got --metric f1'],
    [
      ['--metric', 'f1', '--rule', 'averaged'],
      '--metric f1 is for a choice of the rule, --patience or --threshold; got none',
    ],
    ...['1', '1,2,3', 'fp=1,false-positive=2', '0,0'].map((cost): [string[], string] => [
      ['--cost', cost],
      'two numbers from 0, not both 0, such as 1,10 or false-positive=1,false-negative=10',
    ]),
  ])('that decides nothing or lacks its numbers is refused: %j', (flags, message) => {
    const run = halfspace(folder, ['train', 'few.csv', ...flags]);
    expect(run.status).toBe(2);
    expect(run.err).toContain(message);
  });
});
