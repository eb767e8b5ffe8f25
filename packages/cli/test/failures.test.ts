import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { command, halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const file = (name: string, contents: string | Buffer) => writeFileSync(join(folder, name), contents);
const separable = Array.from({ length: 400 }, (_, i) => `${i % 2} ${1 + (i % 2)}:1 ${3 + (i % 7)}:0.${i}\n`).join('');

/** One line, exit status as documented, no stack trace. */
function expectFailure(
  args: readonly string[],
  status: number,
  message: string | RegExp,
  input?: string | Buffer,
): void {
  const run = halfspace(folder, args, input === undefined ? {} : { input });
  expect(run.err.trimEnd().split('\n')).toHaveLength(1);
  expect(run.err).toMatch(message);
  expect(run.err).not.toMatch(/\n\s+at /);
  expect(run.status).toBe(status);
  expect(run.out).toBe('');
}

/** Waits until a run has begun to write a file. Before that, Ctrl-C ends it like any process. */
async function untilBegun(child: ChildProcess, name: string): Promise<void> {
  while (child.exitCode === null && !readdirSync(folder).some((each) => each.startsWith(`.${name}.`)))
    await new Promise((resolve) => setTimeout(resolve, 1));
}

beforeAll(() => {
  file('good.svm', separable);
  expect(halfspace(folder, ['train', 'good.svm', '--model', 'good.json']).status).toBe(0);
});

describe('what is refused, in one line with its place', () => {
  const cases: [string, string, string | Buffer, string | RegExp][] = [
    ['an empty file', 'empty.svm', '', 'empty.svm: expected examples; got none'],
    ['only comments', 'comments.svm', '# nothing\n\n', 'expected examples; got none'],
    ['one class only', 'one.svm', '1 1:1\n1 2:1\n', 'one.svm: expected two classes of labels; got only 1'],
    [
      'more classes than there can be, listing some',
      'classes.svm',
      Array.from({ length: 1001 }, (_, i) => `${i} 1:1\n`).join(''),
      'classes.svm: expected at most 1000 classes of labels, or one class named as the positive one; got 0, 1, 2,',
    ],
    [
      'a label missing in row 17',
      'row17.svm',
      `${'1 1:1\n0 2:1\n'.repeat(8)}3:1\n`,
      'row17.svm, row 17: expected a label; got none',
    ],
    ['nan', 'nan.svm', '1 1:1\n0 1:nan\n', 'nan.svm:2:5, byte 10: expected a finite number; got "nan"'],
    ['inf', 'inf.svm', '1 1:-inf\n', 'inf.svm:1:5, byte 4: expected a finite number; got "-inf"'],
    ['1e999', 'huge.svm', '1 1:1e999\n', 'expected a finite number; got "1e999"'],
    [
      'a word where a number must be',
      'word.svm',
      '1 1:1\n0 1:abc\n',
      'word.svm:2:5, byte 10: expected a number; got "abc"',
    ],
    [
      'an index above 2^32 - 1',
      'range.svm',
      '1 4294967296:1\n',
      'expected a feature index in [0, 4294967295]; got "4294967296:1"',
    ],
    ['an index out of order', 'order.svm', '1 3:1 2:1\n', 'expected feature indices to rise within a line; got "2:1"'],
    ['an index twice', 'twice.svm', '1 2:1 2:1\n', 'expected feature indices to rise within a line; got "2:1"'],
    [
      'a truncated gzip',
      'cut.svm.gz',
      gzipSync(separable).subarray(0, 200),
      'cut.svm.gz, byte 200: expected a whole gzip file; got one that is cut short',
    ],
    ['binary data', 'binary.svm', Buffer.from([1, 2, 0, 200, 255, 10, 3]), 'expected text; got binary data'],
    ['UTF-16', 'utf16.svm', Buffer.from('\ufeff1 1:1\n', 'utf16le'), 'expected UTF-8 text; got UTF-16'],
    [
      'invalid UTF-8 in a name',
      'bad.vw',
      Buffer.from([...Buffer.from('1 |f a'), 0xff, 10]),
      'expected UTF-8 text; got other bytes',
    ],
    ['a line without a bar', 'nobar.vw', '1\n', 'expected a bar before the features'],
  ];
  test.each(cases)('%s', (_, name, contents, message) => {
    file(name, contents);
    expectFailure(['train', name], 3, message);
    expect(existsSync(join(folder, `${name.split('.')[0]}.model.json`))).toBe(false);
  });

  test('weights beyond doubles', () => {
    file('far.svm', '1 1:1e308\n0 1:1.7e308\n1 1:-1e308 2:1e308\n'.repeat(9));
    expectFailure(
      ['train', 'far.svm', '--rule', 'averaged'],
      3,
      /expected weights and squared lengths of rows within the range/,
    );
    expect(existsSync(join(folder, 'far.model.json'))).toBe(false);
  });

  test('files that are not there, or no files', () => {
    mkdirSync(join(folder, 'folder'));
    expectFailure(['train', 'nosuch.svm'], 3, 'nosuch.svm: expected a readable file; got no such file');
    expectFailure(['train', 'nosuch*.svm'], 3, 'got no such file');
    expectFailure(['train', 'folder', '--format', 'libsvm'], 3, 'folder: expected a readable file; got a directory');
    expectFailure(['predict', 'nosuch.json', 'good.svm'], 3, 'nosuch.json: expected a model file; got no such file');
  });

  test('usage', () => {
    expectFailure(['train'], 2, 'expected DATA');
    expectFailure(['frobnicate'], 2, 'unknown command');
    expectFailure(['trian'], 2, "unknown command 'trian'; did you mean train? (see halfspace --help)");
    expectFailure(['train', 'good.svm', '--nosuch'], 2, 'unknown option');
    expectFailure(['train', 'good.svm', '--rule', 'x'], 2, /--rule.*averaged, perceptron/);
    expectFailure(['train', 'good.svm', '--passes', '0'], 2, /--passes.*whole number from 1/);
    expectFailure(['train', 'good.svm', '--holdout', '1.5'], 2, /--holdout.*between 0 and 1/);
    expectFailure(['train', 'good.svm', '--seed', '-1'], 2, /--seed.*whole number from 0/);
    expectFailure(['train', 'good.svm', '--as', 'blog', '--rule', 'averaged'], 2, /--as blog is the rule perceptron/);
    expectFailure(['train', 'good.svm', '--rule', 'margin', '--margin', '-1'], 2, /--margin.*number in \[0, ∞\)/);
    const passive = ['train', 'good.svm', '--rule', 'passive-aggressive'];
    expectFailure([...passive, '--aggressiveness', '1e999'], 2, /--aggressiveness.*number in \(0, ∞\)/);
    expectFailure([...passive, '--variant', 'pa-3'], 2, /--variant.*pa, pa-1 or pa-2/);
    expectFailure(
      [...passive, '--variant', 'pa', '--aggressiveness', '2'],
      2,
      '--aggressiveness is for --variant pa-1 or pa-2; got --variant pa',
    );
    expectFailure([...passive, '--margin', '1'], 2, '--margin is for --rule margin; got the rule passive-aggressive');
    expectFailure(['train', 'good.svm', '--scale', 'standard'], 2, /--scale standard is for tables/);
    expectFailure(['train', 'good.svm', '--holdout', '0.5', '--validate', 'good.svm'], 2, /cannot be used/);
    expectFailure(['train', 'good.svm', '-'], 2, 'expected - alone, or files; got both');
  });

  test('models that are cut, edited, from the future, or no models', () => {
    const text = readFileSync(join(folder, 'good.json'), 'utf8');
    file('cut.json', text.slice(0, 300));
    file('edited.json', text.replace('"tie": -1', '"tie": 1'));
    file('future.json', text.replace('"version": 2', '"version": 3'));
    file('other.json', '{"a": 1}');
    file('empty.json', '');
    expectFailure(
      ['predict', 'cut.json', 'good.svm'],
      3,
      'cut.json: expected a whole model file; got one that is cut short',
    );
    expectFailure(
      ['predict', 'edited.json', 'good.svm'],
      3,
      'edited.json: expected the file as it was written; got one that was edited',
    );
    expectFailure(['inspect', 'future.json'], 3, 'got version 3: use the halfspace that wrote it');
    expectFailure(['evaluate', 'other.json', 'good.svm'], 3, 'expected a model file');
    expectFailure(['inspect', 'empty.json'], 3, 'empty.json: expected a model file; got an empty file');
    expectFailure(['predict', 'good.json', 'nobar.vw'], 3, 'expected libsvm text, as the model was trained on; got vw');
  });

  test('a model never takes the place of another file, nor half of one that was there', () => {
    expectFailure(['train', 'good.svm', '--model', 'nan.svm'], 4, 'nan.svm: expected a model, or no file');
    const before = readFileSync(join(folder, 'good.json'), 'utf8');
    expectFailure(['train', 'nan.svm', '--model', 'good.json'], 3, 'expected a finite number');
    expect(readFileSync(join(folder, 'good.json'), 'utf8')).toBe(before);
    expectFailure(
      ['train', 'good.svm', '--model', 'nosuch/model.json'],
      4,
      'nosuch/model.json: expected to write; got no such folder',
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});

describe('what goes wrong outside of the data', () => {
  test.skipIf(!existsSync('/dev/full'))('a full disk (skipped where there is no /dev/full)', () => {
    expectFailure(['train', 'good.svm', '--model', '/dev/full'], 4, '/dev/full: expected to write; got a full disk');
    expectFailure(
      ['predict', 'good.json', 'good.svm', '--output', '/dev/full'],
      4,
      '/dev/full: expected to write; got a full disk',
    );
  });

  test('a closed pipe, which is no failure: the reader has what it wanted', async () => {
    file('long.svm', separable.repeat(500));
    const child = spawn(process.execPath, [command, 'predict', 'good.json', 'long.svm'], { cwd: folder });
    let err = '';
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect(err).toBe('');
  });

  test('a closed pipe of learn --progressive, whose state has the rows until then', async () => {
    file('longer.svm', separable.repeat(600));
    const args = ['learn', 'gone.state', 'longer.svm', '--progressive'];
    const child = spawn(process.execPath, [command, ...args], { cwd: folder });
    let err = '';
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect(err).toMatch(
      /note: nobody reads the answers any more: stopped after [0-9,]+ rows, which gone.state has; --resume goes on after row [0-9,]+/,
    );
    const { status, out } = halfspace(folder, ['learn', 'gone.state', 'longer.svm', '--resume', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(out).examples ?? JSON.parse(out).rows).toBe(600 * separable.trimEnd().split('\n').length);
  });

  test('a row that is refused ends the run, although its pipe stays open', async () => {
    const child = spawn(process.execPath, [command, 'predict', 'good.json', '-', '--format', 'libsvm'], {
      cwd: folder,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let err = '';
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    child.stdin.on('error', () => {});
    child.stdin.write('1 1:x\n');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(3);
    expect(err).toBe('halfspace: -:1:5, byte 4: expected a number; got "x"\n');
  });

  test('an interruption is heard while a pipe has nothing to read', async () => {
    const args = ['predict', 'good.json', '-', '--format', 'libsvm', '--output', 'waiting.txt'];
    const child = spawn(process.execPath, [command, ...args], { cwd: folder });
    onTestFinished(() => void child.kill('SIGKILL'));
    let err = '';
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    child.stdin.on('error', () => {});
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.stdin.write('1 1:1\n');
    await untilBegun(child, 'waiting.txt');
    child.kill('SIGTERM');
    expect(await closed).toBe(4);
    expect(err).toBe('halfspace: standard input: expected to read all of it; stopped before that\n');
    expect(readdirSync(folder).filter((name) => name.includes('waiting'))).toEqual([]);
  });

  // On a busy machine the signal may come while the file is still read.
  const reading = 'endless\\.svm: expected to read all of it; stopped before that';
  const ofRule = new RegExp(`^halfspace: (${reading}|expected to finish training; stopped in pass \\d+)\n$`);
  const ofChoice = new RegExp(
    `^halfspace: (${reading}|expected to (try all candidates; stopped before that|finish training; stopped in pass \\d+))\n$`,
  );
  test.each<[string, string, string[], RegExp, number]>([
    ['as soon as there is a file to clear away', 'of a rule', ['--rule', 'averaged'], ofRule, 0],
    ['later', 'of a rule', ['--rule', 'averaged'], ofRule, 300],
    ['as soon as there is a file to clear away', 'that chooses one', [], ofChoice, 0],
    ['later', 'that chooses one', [], ofChoice, 300],
  ])(
    'Ctrl-C %s, in a run %s, leaves one line, no model and nothing half-written',
    async (...[, , options, message, ms]) => {
      const inseparable = `${separable}0 1:1\n1 1:1\n`.repeat(50);
      file('endless.svm', inseparable);
      const args = ['train', 'endless.svm', '--passes', '100000000', ...options];
      const child = spawn(process.execPath, [command, ...args], { cwd: folder });
      onTestFinished(() => void child.kill('SIGKILL'));
      let err = '';
      child.stderr.on('data', (piece) => {
        err += piece;
      });
      const closed = new Promise((resolve) => child.once('close', resolve));
      await untilBegun(child, 'endless.model.json');
      await new Promise((resolve) => setTimeout(resolve, ms));
      child.kill('SIGINT');
      expect(await closed).toBe(4);
      expect(err).toMatch(message);
      expect(readdirSync(folder).filter((name) => /endless\.model|partial/.test(name))).toEqual([]);
    },
  );
});

describe('--on-error skip', () => {
  test('sets bad lines aside with their reasons, counts them, and learns from the others', () => {
    file('some.svm', '1 1:1\nfoo 1:1\n0 2:1 x\n0 3:2\r\n\n1 1:nan # why');
    const run = halfspace(folder, ['train', 'some.svm', '--on-error', 'skip', '--json']);
    expect(run.status).toBe(0);
    expect(JSON.parse(run.out)).toMatchObject({ examples: 2, rejected: 3 });
    expect(readFileSync(join(folder, 'some.rejects'), 'utf8')).toBe(
      '# some.svm:2:1, byte 6: expected a number as label; got "foo"\nfoo 1:1\n' +
        '# some.svm:3:7, byte 20: expected a feature index (a whole number); got "x"\n0 2:1 x\n' +
        '# some.svm:6:5, byte 34: expected a finite number; got "nan"\n1 1:nan # why\n',
    );
  });

  test('sets rows of --validate aside in the same file, and counts them', () => {
    file('learned.svm', '1 1:1\n0 2:1 x\n0 3:2\n');
    file('judged.svm', '1 1:1\nfoo 1:1\n0 3:2\n');
    const args = ['train', 'learned.svm', '--validate', 'judged.svm', '--on-error', 'skip', '--json'];
    const run = halfspace(folder, args);
    expect(run.status).toBe(0);
    expect(JSON.parse(run.out)).toMatchObject({ examples: 2, rejected: 2 });
    expect(readFileSync(join(folder, 'learned.rejects'), 'utf8')).toBe(
      '# learned.svm:2:7, byte 12: expected a feature index (a whole number); got "x"\n0 2:1 x\n' +
        '# judged.svm:2:1, byte 6: expected a number as label; got "foo"\nfoo 1:1\n',
    );
    expect(existsSync(join(folder, 'judged.rejects'))).toBe(false);
  });

  test('predict keeps one line for every row, empty for those set aside', () => {
    file('rows.svm', '0 2:1\n1 1:x\n1 1:1\n');
    const run = halfspace(folder, ['predict', 'good.json', 'rows.svm', '--on-error', 'skip']);
    expect(run.status).toBe(0);
    expect(run.out.split('\n')).toHaveLength(4);
    expect(run.out.split('\n')[1]).toBe('');
  });
});

describe('classes', () => {
  test('that only skipped rows have are left out, with a note', () => {
    file(
      'types.csv',
      `x,y\n${Array.from({ length: 30 }, (_, i) => `${i},${i % 3 ? 'b' : 'a'}\n`).join('')}float,string\n`,
    );
    const run = halfspace(folder, ['train', 'types.csv', '--on-error', 'skip', '--rule', 'averaged', '--json']);
    expect(JSON.parse(run.out)).toMatchObject({ classes: ['a', 'b'], classExamples: [10, 20], rejected: 1 });
    const note = 'every row of the class string (1 row) was bad and is skipped: the model does not know it';
    expect(JSON.parse(run.out).notes).toContain(note);
  });

  test('that training did not have are errors of the model, named in every report', () => {
    file('ab.csv', 'x,y\n1,a\n2,a\n8,b\n9,b\n1.5,a\n8.5,b\n2.5,a\n7,b\n1.2,a\n8.2,b\n');
    file('abc.csv', 'x,y\n1,a\n9,b\n8,c\n2,c\nbad,c\n');
    const note = '2 rows count as errors: the model does not have the class c (2 rows); train with such rows, too';
    const skip = ['--on-error', 'skip'];
    expect(halfspace(folder, ['train', 'ab.csv', '--rule', 'averaged', '--calibrate', 'platt']).status).toBe(0);
    const text = halfspace(folder, ['evaluate', 'ab.model.json', 'abc.csv', ...skip]);
    expect(text.out).toMatch(/^Right {6}50\.0 %, 2 errors$/m);
    expect(text.out).toMatch(/^ +c +1 +1$/m);
    expect(text.out).toMatch(/^ +c +– +0 % +0 % +2$/m);
    expect(text.err).toContain(note);
    const args = ['evaluate', 'ab.model.json', 'abc.csv', ...skip, '--json', '--report', 'abc.html'];
    const json = JSON.parse(halfspace(folder, args).out);
    expect(json).toMatchObject({ examples: 4, errors: 2, accuracy: 0.5, rejected: 1 });
    expect(json).toMatchObject({ classes: ['a', 'b', 'c'], unknownClasses: ['c'], neverPredicted: [] });
    expect(json.confusion).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
    ]);
    expect(json.mostProbable.errors).toBe(2);
    expect(json.notes).toContain(note);
    const page = readFileSync(join(folder, 'abc.html'), 'utf8');
    expect(page).toContain(note);
    expect(page).toContain('<th scope="row">c</th>');

    const learned = ['train', 'ab.csv', '--rule', 'averaged', '--validate', 'abc.csv', ...skip];
    const report = halfspace(folder, [...learned, '--json', '--report', 'v.html', '--calibrate', 'platt']);
    expect(JSON.parse(report.out)).toMatchObject({
      classes: ['a', 'b'],
      holdout: { examples: 4, errors: 2, unknownClasses: ['c'], neverPredicted: [], file: 'abc.csv' },
      calibration: { validate: { examples: 4, errors: 2 } },
      notes: expect.arrayContaining([note]),
    });
    expect(readFileSync(join(folder, 'v.html'), 'utf8')).toContain(note);
    expect(halfspace(folder, ['evaluate', 'ab.model.json', 'ab.csv', '--json']).out).not.toContain('unknownClasses');
  });
});

test('passes that will take days are noted once, in a pipe too', { timeout: 60_000 }, async () => {
  file('endless.csv', 'a,label\n1,x\n1,y\n2,x\n2,y\n');
  const args = ['train', 'endless.csv', '--rule', 'perceptron', '--passes', '1000000000000', '--model', 'e.json'];
  const child = spawn(process.execPath, [command, ...args], { cwd: folder });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const line = await new Promise<string>((resolve) => {
    child.stderr.once('data', (piece) => resolve(String(piece)));
  });
  expect(line).toMatch(/^note: 1,000,000,000,000 passes will take about [\d,]+ days, unless a pass is clean/);
});
