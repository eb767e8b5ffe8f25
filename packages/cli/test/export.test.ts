import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { onnxFile } from '../../halfspace/test/export/onnx-file.ts';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const run = (...words: string[]) => halfspace(folder, ['export', 'm.model.json', ...words]);

beforeAll(() => {
  writeFileSync(join(folder, 'm.csv'), 'age,town,late\n1,Oslo,no\n2,Lima,no\n30,Oslo,yes\n40,Lima,yes\n');
  halfspace(folder, ['train', 'm.csv', '--label', 'late', '--rule', 'averaged', '--model', 'm.model.json']);
});

test('a program goes to standard output, or whole to a file that only another export may replace', async () => {
  const { out, status } = run('--to', 'javascript');
  expect(status).toBe(0);
  for (const _ of [1, 2]) expect(run('--to', 'javascript', '--output', 'm.mjs')).toMatchObject({ status: 0, out: '' });
  expect(readFileSync(join(folder, 'm.mjs'), 'utf8')).toBe(out);
  const { predict, score } = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'm.mjs')).href);
  expect(predict({ age: 35, town: 'Lima' })).toBe('yes');
  expect(score({ age: 1 })).toBeLessThan(0);
  expect(run('--to', 'sql', '--output', 'm.csv').err).toContain('got a file of another kind');
  expect(run('--to', 'sql', '--output', 'm.model.json').status).toBe(2);
});

test('wrong options are refused, and nothing is written', () => {
  expect(run().err).toBe(
    'halfspace: expected --to with javascript, typescript, c, sql, onnx, liblinear, scikit-learn\n',
  );
  expect(run('--to', 'c', '--form', 'module', '--output', 'n.h').err).toBe('halfspace: --form is not for --to c\n');
  expect(run('--to', 'liblinear', '--output', 'n.h')).toMatchObject({
    status: 2,
    err: 'halfspace: expected features with numbers, as in libsvm text, for LIBLINEAR; got a table\n',
  });
  expect(run('--to', 'c', '--name', '2x', '--output', 'n.h').status).toBe(2);
  expect(existsSync(join(folder, 'n.h'))).toBe(false);
  expect(run('--to', 'onnx').err).toBe('halfspace: expected --output with a file for --to onnx, which is no text\n');
});

test('an ONNX file is written with the bound of its scores, and only another export may replace it', () => {
  for (const _ of [1, 2]) {
    const { out, status } = run('--to', 'onnx', '--output', 'm.onnx');
    expect(status).toBe(0);
    expect(out).toMatch(/^Model {6}m\.onnx\nScores {5}differ from halfspace's by at most \S+e-\d+ for rows/);
  }
  expect(run('--to', 'onnx', '--output', 'm.csv').err).toContain('got a file of another kind');
});

test('a model of LIBLINEAR, or coefficients as JSON, become a model file', () => {
  writeFileSync(join(folder, 'l.svm'), '-1 1:1\n1 2:3\n-1 1:2 2:1\n1 2:1\n');
  halfspace(folder, ['train', 'l.svm', '--rule', 'averaged', '--model', 'l.json']);
  const expected = halfspace(folder, ['predict', 'l.json', 'l.svm', '--scores']).out;
  halfspace(folder, ['export', 'l.json', '--to', 'liblinear', '--output', 'l.liblinear']);
  halfspace(folder, ['export', 'l.json', '--to', 'scikit-learn', '--output', 'l.coef']);
  for (const file of ['l.liblinear', 'l.coef']) {
    const { status, err, out } = halfspace(folder, ['import', file, '--model', 'again.json']);
    expect({ status, err, out }).toEqual({ status: 0, err: '', out: expect.stringContaining('again.json') });
    expect(halfspace(folder, ['predict', 'again.json', 'l.svm', '--scores']).out).toBe(expected);
  }
  expect(halfspace(folder, ['import', 'l.svm'])).toMatchObject({
    status: 3,
    err: 'halfspace: l.svm: expected a model file of LIBLINEAR, JSON with coefficients, or an ONNX file; got another file\n',
  });
});

test('the beginning of a file shows its format, and --from names it', () => {
  writeFileSync(join(folder, 'c.json'), '{ "classes": ["no", "yes"], "coef": [[2, -1]], "intercept": [0.5] }');
  writeFileSync(
    join(folder, 'c.onnx'),
    onnxFile({ labels: ['no', 'yes'], coefficients: [-2, 1, 2, -1], intercepts: [-0.5, 0.5] }),
  );
  const imported = (...words: string[]) => {
    const result = halfspace(folder, ['import', ...words, '--model', 'c.model.json']);
    return result.status === 0 ? readFileSync(join(folder, 'c.model.json'), 'utf8') : result.err;
  };
  const model = imported('c.json');
  expect(model).toContain('"weights"');
  for (const words of [['c.onnx'], ['c.onnx', '--from', 'onnx-linear'], ['c.json', '--from', 'scikit-learn']])
    expect(imported(...words)).toBe(model);
  expect(imported('c.json', '--from', 'onnx-linear')).toMatch(/^halfspace: c\.json: expected an ONNX file; got /);
  expect(imported('c.onnx', '--from', 'json')).toMatch(/^halfspace: c\.onnx: expected JSON with /);
});
