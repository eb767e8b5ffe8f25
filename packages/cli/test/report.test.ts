import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { updatesChart } from '../src/report/page/charts.ts';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

/** Pseudo-random numbers, the same everywhere (Park & Miller's generator). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** A table with noisy labels near the line a = b. Some words need escaping in HTML. */
function writeTable(name: string, rows: number, seed: number): void {
  const next = numbers(seed);
  const lines = Array.from({ length: rows }, () => {
    const a = 4 * next() - 2;
    const b = 4 * next() - 2;
    const yes = next() < 1 / (1 + Math.exp(-2 * (a - b)));
    return `${a.toFixed(3)},${b.toFixed(3)},${next() < 0.5 ? '<i>&' : 'plain'},${yes ? '>50K' : '<=50K'}`;
  });
  writeFileSync(join(folder, name), `a,b,word,income\n${lines.join('\n')}\n`);
}

writeTable('train.csv', 400, 7);
writeTable('more.csv', 200, 11);

const voidElements = new Set(['meta', 'br', 'hr', 'img', 'link', 'input']);

/** Returns the faults of a page: wrong closing tags, unescaped characters, repeated ids. */
function faultsOf(page: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const ids = new Set<string>();
  const body = page.replace(/^<!doctype html>/, '').replace(/<style>[^<]*<\/style>/, '');
  const token =
    /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>|([<>]|&(?!(?:amp|lt|gt|quot|nbsp|#\d+);))/g;
  for (const [whole, closing, name, attributes, selfClosing, stray] of body.matchAll(token)) {
    if (stray !== undefined) faults.push(`stray ${stray}`);
    else if (closing === '/') {
      const last = open.pop();
      if (last !== name) faults.push(`${whole} closes ${last}`);
    } else if (selfClosing !== '/' && !voidElements.has(name!)) open.push(name!);
    for (const [, id] of (attributes ?? '').matchAll(/\sid="([^"]*)"/g)) {
      if (ids.has(id!)) faults.push(`id ${id} twice`);
      ids.add(id!);
    }
    for (const [, referred] of (attributes ?? '').matchAll(/\saria-labelledby="([^"]*)"/g))
      if (!/^[\w -]+$/.test(referred!)) faults.push(`refers to ${referred}`);
  }
  for (const [, referred] of body.matchAll(/aria-labelledby="([^"]*)"|url\(#([^)]*)\)/g))
    for (const id of (referred ?? '').split(' ')) if (id !== '' && !ids.has(id)) faults.push(`no ${id}`);
  return [...faults, ...open.map((name) => `${name} stays open`)];
}

/** Four significant digits, as the pages have numbers. */
const four = (value: number) => String(Number(value.toPrecision(4)));

function expectSelfContained(page: string): void {
  expect(faultsOf(page)).toEqual([]);
  expect(page).not.toMatch(/https?:|<script|<link|@import|url\((?!#)|\son\w+=/i);
  expect(page).not.toMatch(/NaN|undefined|\[object/);
  // A chart is one image for a screen reader: its parts have no roles without names.
  expect(page.replaceAll(/<svg[^>]*>/g, '')).not.toContain(' role=');
  expect(page).toContain('prefers-color-scheme: dark');
}

describe('the check of pages', () => {
  test('finds what is wrong with one', () => {
    expect(faultsOf('<!doctype html><p id="a">1 < 2</p><b id="a"><i></b>')).toEqual([
      'stray <',
      'id a twice',
      '</b> closes i',
      'b stays open',
    ]);
    expect(faultsOf('<p>a & b</p>')).toEqual(['stray &']);
    expect(faultsOf('<svg aria-labelledby="x"></svg>')).toEqual(['no x']);
  });
});

test('a count has no tick between two whole numbers', async () => {
  const ticks = async (updates: number[]) =>
    Array.from((await updatesChart(updates)).matchAll(/text-anchor="end"[^>]*>([^<]*)</g), ([, tick]) => tick!);
  expect(await ticks([1, 0, 1])).toEqual(['0', '1']);
  expect(await ticks([2, 1, 1])).toEqual(['0', '1', '2']);
});

test('a curve of one point is not drawn', () => {
  writeTable('small.csv', 24, 3);
  const flags = ['--rule', 'averaged', '--passes', '1', '--report', 'small.html'];
  const { status, out } = halfspace(folder, ['train', 'small.csv', ...flags]);
  expect(status).toBe(0);
  expect(out).not.toMatch(/^(?:Passes|More rows) {2,}[▁-█] /m);
  const page = readFileSync(join(folder, 'small.html'), 'utf8');
  expect(page).not.toContain('Updates in each pass');
});

describe('train --report', () => {
  const run = halfspace(folder, ['train', 'train.csv', '--calibrate', 'platt', '--report', 'report.html', '--json']);
  const told = JSON.parse(run.out);
  const page = readFileSync(join(folder, 'report.html'), 'utf8');

  test('writes one page that needs nothing else, and has the numbers that JSON has', () => {
    expect(run.status).toBe(0);
    expectSelfContained(page);
    expect(told).toMatchObject({ page: 'report.html', ranking: { of: 'out-of-fold', examples: 400, class: '>50K' } });
    expect(page).toContain(`ROC area</dt><dd>${four(told.ranking.rocArea)}`);
    expect(page).toContain(`average precision ${four(told.ranking.averagePrecision)}`);
    const { logLoss, brierScore, examples } = told.calibration.outOfFold;
    expect(examples).toBe(400);
    for (const value of [logLoss, brierScore]) expect(page).toContain(four(value));
    for (const { examples: rows } of told.learningCurve.points) expect(page).toContain(`>${Math.round(rows)}<`);
    for (const { passes } of told.validationCurve?.points ?? []) expect(page).toContain(`>${passes}<`);
    for (const { passes } of told.search.tried) expect(page).toContain(`<td class="n">${passes}</td>`);
    const charts = told.validationCurve === undefined ? 5 : 6;
    expect(page.match(/<svg[^>]*role="img"/g)!.length).toBe(charts);
    expect(page.match(/<title id=/g)!.length).toBe(charts);
    expect(page).toContain('word=&lt;i&gt;&amp;');
  });

  test('writes the same page again, over a page but over nothing else', () => {
    const again = halfspace(folder, ['train', 'train.csv', '--calibrate', 'platt', '--report', 'report.html']);
    expect(again.status).toBe(0);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toBe(page);
    writeFileSync(join(folder, 'notes.html'), '<p>mine</p>');
    const refused = halfspace(folder, ['train', 'train.csv', '--report', 'notes.html']);
    expect(refused.status).not.toBe(0);
    expect(refused.err).toContain(
      'notes.html: expected a report, or no file, where the report goes; got a file of another kind',
    );
    expect(readFileSync(join(folder, 'notes.html'), 'utf8')).toBe('<p>mine</p>');
  });

  test('draws small charts for the terminal, as plain text', () => {
    const flags = ['--rule', 'averaged', '--calibrate', 'platt', '--report', 'text.html'];
    const { out } = halfspace(folder, ['train', 'train.csv', ...flags]);
    expect(out).toMatch(/^Ranked {5}ROC area 0\.\d+, average precision 0\.\d+: 400 rows each scored by a run/m);
    expect(out).toMatch(/^Calibrated by platt, on the scores of a 5-fold cross-validation$/m);
    expect(out).toMatch(/^More rows {2}[▁-█]{5,10} {2}held out .* right, from \d+ rows to 320$/m);
    expect(out).toMatch(/^Passes {5}[▁-█]{7,} {2}held out/m);
    expect(out).toMatch(/^Report {5}text\.html$/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the claim.
    expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    for (const line of out.split('\n'))
      if (line.includes('█│') || line.includes('░')) expect([...line].length).toBeLessThanOrEqual(80);
  });

  test('says so where only what was learned from is there to judge on, and draws every kind of model', () => {
    const lecture = halfspace(folder, 'train train.csv --as cs4780 --passes 5 --report lecture.html'.split(' '));
    expect(lecture.status).toBe(0);
    const drawn = readFileSync(join(folder, 'lecture.html'), 'utf8');
    expectSelfContained(drawn);
    expect(drawn).toContain('which makes the model look better than it is: no rows were held out');
    const kernel = 'train train.csv --rule kernel --passes 2 --holdout 0.2 --report kernel.html'.split(' ');
    expect(halfspace(folder, kernel)).toMatchObject({ status: 0 });
    expectSelfContained(readFileSync(join(folder, 'kernel.html'), 'utf8'));
    expect(halfspace(folder, ['train', 'train.csv', '--rule', 'tree', '--report', 'tree.html'])).toMatchObject({
      status: 0,
    });
    expectSelfContained(readFileSync(join(folder, 'tree.html'), 'utf8'));
    const several = 'train train.csv --label word --passes 2 --rule averaged --report word.html'.split(' ');
    expect(halfspace(folder, several)).toMatchObject({ status: 0 });
    expectSelfContained(readFileSync(join(folder, 'word.html'), 'utf8'));
  });

  test('leaves nothing behind where training fails', () => {
    writeFileSync(join(folder, 'bad.svm'), '1 1:2\n');
    const before = readdirSync(folder).sort();
    expect(halfspace(folder, ['train', 'bad.svm', '--report', 'bad.html']).status).toBe(3);
    expect(readdirSync(folder).sort()).toEqual(before);
  });
});

describe('several classes', () => {
  const next = numbers(5);
  const centres: Record<string, [number, number]> = { east: [2, 0], west: [-2, 0], north: [0, 2] };
  const lines = Array.from({ length: 150 }, (_, i) => {
    const name = Object.keys(centres)[i % 3]!;
    const [x, y] = centres[name]!;
    return `${(x + 3 * next() - 1.5).toFixed(3)},${(y + 3 * next() - 1.5).toFixed(3)},${name}`;
  });
  writeFileSync(join(folder, 'three.csv'), `u,v,class\n${lines.join('\n')}\n`);

  test('are calibrated together, and drawn side by side', () => {
    const options = '--rule sgd --calibrate isotonic --holdout 0.2 --report three.html --json'.split(' ');
    const { out, status } = halfspace(folder, ['train', 'three.csv', ...options]);
    expect(status).toBe(0);
    const told = JSON.parse(out);
    expect(told.ranking.classes.map((each: { class: string }) => each.class)).toEqual(told.classes);
    expect(told.calibration).toMatchObject({ kind: 'isotonic', holdout: { examples: told.holdout.examples } });
    const page = readFileSync(join(folder, 'three.html'), 'utf8');
    expectSelfContained(page);
    for (const { rocArea } of told.ranking.classes) expect(page).toContain(four(rocArea));
    const { out: lines } = halfspace(folder, ['predict', 'three.model.json', 'three.csv', '--probabilities']);
    for (const line of lines.trim().split('\n')) {
      const shares = line.split('\t').slice(1).map(Number);
      expect(shares.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
    }
    const evaluated = halfspace(folder, ['evaluate', 'three.model.json', 'three.csv', '--report', 'e.html', '--json']);
    const judged = JSON.parse(evaluated.out);
    expect(judged.logLoss).toBeGreaterThan(0);
    expectSelfContained(readFileSync(join(folder, 'e.html'), 'utf8'));
  });
});

describe('a calibrated model', () => {
  const trained = halfspace(
    folder,
    'train train.csv --rule averaged --calibrate platt --model c.json --json'.split(' '),
  );

  test('is what training makes without a calibration, but for that', () => {
    expect(trained.status).toBe(0);
    halfspace(folder, ['train', 'train.csv', '--rule', 'averaged', '--model', 'plain.json']);
    const of = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const [calibrated, plain] = [of('c.json'), of('plain.json')];
    expect(calibrated.weights).toEqual(plain.weights);
    expect(calibrated.training).toEqual(plain.training);
    expect(calibrated.calibration).toMatchObject([{ kind: 'platt' }]);
    expect(halfspace(folder, ['inspect', 'c.json']).out).toContain('scores become probabilities by platt calibration');
  });

  test('is judged by its probabilities, as evaluate and predict agree', () => {
    const { out } = halfspace(folder, ['evaluate', 'c.json', 'more.csv', '--json', '--report', 'evaluated.html']);
    const judged = JSON.parse(out);
    const truth = readFileSync(join(folder, 'more.csv'), 'utf8').trim().split('\n').slice(1);
    const predicted = halfspace(folder, ['predict', 'c.json', 'more.csv', '--probabilities']).out.trim().split('\n');
    let log = 0;
    let brier = 0;
    predicted.forEach((line, i) => {
      const [, no, yes] = line.split('\t').map(Number) as [number, number, number];
      const positive = truth[i]!.endsWith('>50K');
      log -= Math.log(positive ? yes : no) / truth.length;
      brier += (yes - (positive ? 1 : 0)) ** 2 / truth.length;
    });
    expect(judged.logLoss).toBeCloseTo(log, 10);
    expect(judged.brierScore).toBeCloseTo(brier, 10);
    expect(judged.reliability.groups).toHaveLength(10);
    expect(judged.reliability.groups.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0)).toBe(200);
    const page = readFileSync(join(folder, 'evaluated.html'), 'utf8');
    expectSelfContained(page);
    for (const value of [judged.logLoss, judged.brierScore, judged.rocArea]) expect(page).toContain(four(value));
    const text = halfspace(folder, ['evaluate', 'c.json', 'more.csv']).out;
    expect(text).toContain(`Probable   log loss ${four(judged.logLoss)}, Brier score ${four(judged.brierScore)}`);
    expect(halfspace(folder, ['evaluate', 'plain.json', 'more.csv']).out).not.toContain('Probable');
  });

  test.each([
    [['--as', 'lecture-9'], "--calibrate is not for the lectures' perceptrons; got --as lecture-9"],
    [['--order', 'random'], '--calibrate is not for --order random'],
    [['--scale', 'max-norm'], '--calibrate is for --scale none or standard; got --scale max-norm'],
  ])('is refused with %j', (options, message) => {
    const { status, err } = halfspace(folder, ['train', 'train.csv', '--calibrate', 'platt', ...options]);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });

  test('is refused where there are fewer examples than folds', () => {
    writeFileSync(join(folder, 'few.svm'), '1 1:1\n-1 1:2\n1 1:3\n-1 1:4\n');
    const { status, err } = halfspace(folder, ['train', 'few.svm', '--calibrate', 'platt']);
    expect(status).toBe(2);
    expect(err).toContain('expected at least 5 examples to calibrate by cross-validation; got 4');
    expect(existsSync(join(folder, 'few.model.json'))).toBe(false);
  });
});
