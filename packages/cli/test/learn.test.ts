import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { decodeModel, OnlineClassifier, Predictor } from 'halfspace';
import { beforeEach, describe, expect, test } from 'vitest';
import { isDeep, some } from '../../../test/support/quick.ts';
import { decodeStream, encodeStream } from '../src/data/stream-state.ts';
import { command, halfspace, halfspaceInPieces, temporaryFolder } from './run.ts';

const base = temporaryFolder();
let folder = base;
let tests = 0;
beforeEach(() => {
  folder = join(base, String(tests++));
  mkdirSync(folder);
});
const at = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(at(name), 'utf8');
const run = (...args: string[]) => halfspace(folder, args);
const done = (...args: string[]) => {
  const result = run(...args);
  expect(result).toMatchObject({ status: 0 });
  return result;
};

interface Row {
  readonly x: number | null;
  readonly colour: string;
  readonly said: string;
  readonly on: boolean;
  readonly label: string;
}
const rows = Array.from({ length: 120 }, (_, i): Row => {
  const x = ((i * 37) % 41) - 20;
  return {
    x: i % 11 === 5 ? null : x / 4,
    colour: ['red', 'green', 'blue'][(i * 7) % 3]!,
    said: ['win a free prize now', 'see you at home then', 'call me when it is "done"'][(i * 5) % 3]!,
    on: i % 4 === 0,
    label: ['no', 'yes', 'maybe'][x + (i % 5) > 4 ? 1 : i % 17 === 3 ? 2 : 0]!,
  };
});
const quoted = (value: unknown) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`);
const formats: Readonly<Record<string, { head: string; line: (row: Row, i: number) => string; name: string }>> = {
  csv: {
    name: 'csv',
    head: 'x,colour,said,on,label\n',
    line: ({ x, colour, said, on, label }) => `${x ?? ''},${colour},${quoted(said)},${on},${label}\n`,
  },
  'csv without names': {
    name: 'csv',
    head: '',
    line: ({ x, colour, said, on, label }) => `${x ?? ''},${colour},${quoted(said)},${on},${label}\n`,
  },
  ndjson: { name: 'ndjson', head: '', line: (row) => `${JSON.stringify(row)}\n` },
  libsvm: {
    name: 'svm',
    head: '',
    line: ({ x, label }, i) => `${label.length} ${i % 3}:${x ?? 1} ${5 + (i % 30)}:1 ${5_000_000 + (i % 4)}:2\n`,
  },
  vw: {
    name: 'vw',
    head: '',
    line: ({ x, colour, said, label }, i) =>
      `${label === 'yes' ? 1 : -1} ${i % 9 === 4 ? 0 : 1 + (i % 3)} |c ${colour} |w ${said.replaceAll('"', '')} n${i % 40}:${x ?? 2}\n`,
  },
};
const labelled = (format: string) =>
  format === 'csv without names'
    ? ['--label', 'column4']
    : format === 'csv' || format === 'ndjson'
      ? ['--label', 'label']
      : [];

/** Writes rows in a format. Returns the name of the file. */
function make(name: string, format: string, from = 0, to = rows.length): string {
  const { head, line, name: extension } = formats[format]!;
  const lines = rows.map(line).slice(from, to);
  writeFileSync(at(`${name}.${extension}`), head + lines.join(''));
  return `${name}.${extension}`;
}

// Each format is read by a reader of its own.
const tried = some(Object.keys(formats), 9);

describe.each(tried)('rows of %s', (format) => {
  const rule = { libsvm: 'arow', vw: 'sgd' }[format] ?? 'follow-the-leader';

  test('learned in one run or in several give the same state and the same model, to the byte', () => {
    const options = [...labelled(format), '--rule', rule];
    done('learn', 'whole.state', make('all', format), ...options);
    const more = isDeep ? [[60], [119], [40, 80]] : [];
    for (const cuts of [[1, 2, 60], ...more]) {
      const ends = [...cuts, rows.length];
      const files = ends.map((to, k) => make(`part${k}`, format, k === 0 ? 0 : ends[k - 1], to));
      done('learn', 'parts.state', ...files, ...options);
      for (const file of files) done('learn', 'steps.state', file, ...options);
      // The last run has fewer rows of DATA than the whole one.
      const [whole, parts, steps] = ['whole', 'parts', 'steps'].map((name) => decodeStream(text(`${name}.state`)));
      expect(parts).toEqual(whole);
      expect({ ...steps, run: null }).toEqual({ ...whole, run: null });
      for (const name of ['parts', 'steps']) expect(text(`${name}.model.json`)).toBe(text('whole.model.json'));
      rmSync(at('parts.state'));
      rmSync(at('steps.state'));
    }
  });

  test('from a pipe in pieces of any size are the same', async () => {
    const options = [...labelled(format), '--rule', rule];
    done('learn', 'whole.state', make('all', format), ...options, '--progressive');
    const { out } = done('learn', 'other.state', make('all', format), ...options, '--progressive');
    const input = readFileSync(at(make('all', format)));
    for (const sizes of [[1], [7, 100], [65_536]]) {
      const args = [
        'learn',
        'piped.state',
        '-',
        '--format',
        { svm: 'libsvm' }[formats[format]!.name] ?? formats[format]!.name,
      ];
      const piped = await halfspaceInPieces(folder, [...args, ...options, '--progressive'], input, sizes);
      expect(piped).toMatchObject({ status: 0, out });
      expect(text('piped.state')).toBe(text('whole.state'));
      rmSync(at('piped.state'));
    }
  });

  test('give a model that answers as the classifier does', () => {
    const data = make('all', format);
    done('learn', 'a.state', data, ...labelled(format), '--rule', rule);
    const predicted = done('predict', 'a.model.json', data, '--scores').out;
    // Rows of importance 0 are answered and not learned from: so are all rows here.
    const classifier = OnlineClassifier.load(decodeStream(text('a.state')).classifier);
    const model = decodeModel(text('a.model.json'));
    expect(model.classes).toEqual(classifier.classes);
    if (format === 'ndjson') {
      const answers = rows.map(({ label: _, ...row }) => {
        const scores = classifier.scores(row as never);
        return `${classifier.predict(row as never)}\t${[...scores].join('\t')}\n`;
      });
      expect(predicted).toBe(answers.join(''));
      const predictor = new Predictor(model);
      expect(rows.map((row) => predictor.predict(row as never))).toEqual(
        rows.map((row) => classifier.predict(row as never)),
      );
    } else expect(predicted.split('\n')).toHaveLength(rows.length + 1);
  });
});

test('answers with --progressive are those that the library gives before it learns', () => {
  const { out, err } = done('learn', 'a.state', make('all', 'ndjson'), '--progressive', '--scores');
  const classifier = new OnlineClassifier({ label: 'label' });
  const lines = rows.map(({ label, ...row }) => {
    const { class: name, scores } = classifier.learn(row as never, label);
    return name === null ? '\n' : `${[name, ...scores].join('\t')}\n`;
  });
  expect(out).toBe(lines.join(''));
  expect(err).toMatch(/^State {6}a\.state \([\d.]+ kB\), 120 rows so far; to go on: halfspace learn a\.state DATA$/m);
});

test('archives, globs and other formats of the same fields go on from each other', () => {
  const cut = (from: number, to: number, format: string) => readFileSync(at(make('p', format, from, to)));
  writeFileSync(at('a1.csv.gz'), gzipSync(cut(0, 50, 'csv')));
  writeFileSync(at('a2.csv.gz'), gzipSync(cut(50, 80, 'csv')));
  writeFileSync(at('b.ndjson'), cut(80, 120, 'ndjson'));
  done('learn', 's.state', 'a*.csv.gz', '--label', 'label');
  done('learn', 's.state', 'b.ndjson');
  done('learn', 'whole.state', make('all', 'csv'), '--label', 'label');
  expect(decodeStream(text('s.state')).classifier).toBe(decodeStream(text('whole.state')).classifier);
});

test('rows without names follow those with names in the same order', () => {
  done('learn', 's.state', make('a', 'csv', 0, 60), '--label', 'label');
  done('learn', 's.state', make('b', 'csv without names', 60), '--no-header');
  done('learn', 'whole.state', make('all', 'csv'), '--label', 'label');
  expect(decodeStream(text('s.state')).classifier).toBe(decodeStream(text('whole.state')).classifier);
});

test('each line of a slow pipe is answered at once, a bad one too, and the state is saved every N rows', async () => {
  const args = 'learn live.state - --format csv --label label --progressive --save-every 2 --column x=number'.split(
    ' ',
  );
  const child = spawn(process.execPath, [command, ...args, '--on-error', 'skip'], { cwd: folder });
  let out = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  const answered = async (lines: number) => {
    while (out.split('\n').length <= lines) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  child.stdin.write('x,label\n');
  for (const [k, line] of ['1,a\n', '2,b\n', 'oops,a\n', '1,a\n', '2,b\n'].entries()) {
    child.stdin.write(line);
    await answered(k + 1);
  }
  while (decodeStream(text('live.state')).rows < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  child.stdin.end();
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect(out).toBe('\na\n\na\nb\n');
  expect(text('live.rejects')).toBe(
    '# -, row 3, column "x": expected a number; got "oops": the field is read as number; columns: { "x": "category" } of a new classifier reads words (--column x=category of the command)\noops,a\n',
  );
});

describe('a run that is interrupted', () => {
  const preload = join(import.meta.dirname, 'support/faulty-files.cjs');
  /** Runs with a signal at an operation on files. Returns true if there were as many operations. */
  const struck = (args: readonly string[], number: number, signal: string) => {
    const report = at('report');
    rmSync(report, { force: true });
    const result = spawnSync(process.execPath, [command, ...args], {
      cwd: folder,
      env: {
        ...process.env,
        NODE_OPTIONS: `--require ${preload}`,
        FAULT: `any:${number}:${signal}`,
        FAULT_UNDER: JSON.stringify([folder]),
        FAULT_REPORT: report,
      },
    });
    return result.signal !== null || Number(readFileSync(report, 'utf8')) >= number;
  };

  test.each(some(['csv', 'vw'], 2))(
    'by kill -9 at any moment goes on with --resume as if it had not been: %s',
    (format) => {
      const data = make('all', format);
      const args = (state: string) => ['learn', state, data, ...labelled(format), '--save-every', '25'];
      done(...args('whole.state'));
      for (let number = 1; ; number += isDeep ? 1 : 30) {
        const isHit = struck(args('s.state'), number, 'SIGKILL');
        if (!isHit) break;
        const finished = readdirSync(folder).includes('s.state') && decodeStream(text('s.state')).run.done;
        if (!finished) done(...args('s.state'), '--resume');
        else done('learn', 's.state');
        expect(text('s.state'), `operation ${number}`).toBe(text('whole.state'));
        expect(text('s.model.json')).toBe(text('whole.model.json'));
        for (const name of readdirSync(folder)) if (name.startsWith('s.') || name.startsWith('.')) rmSync(at(name));
      }
    },
  );

  test('by a bad row has the rows before it, and goes on when the row is mended', () => {
    const data = make('all', 'csv');
    done('learn', 'whole.state', data, '--label', 'label');
    const lines = text(data).split('\n');
    writeFileSync(at(data), lines.map((line, i) => (i === 71 ? 'oops,red,a b c d,true,no' : line)).join('\n'));
    expect(run('learn', 's.state', data, '--label', 'label')).toEqual({
      status: 3,
      out: '',
      err: `halfspace: ${data}, row 71, column "x": expected a number; got "oops": the field is read as number; columns: { "x": "category" } of a new classifier reads words (--column x=category of the command)\n`,
    });
    expect(decodeStream(text('s.state'))).toMatchObject({ rows: 70, run: { rows: 70, done: false } });
    expect(run('learn', 's.state', data)).toEqual({
      status: 2,
      out: '',
      err: 'halfspace: the last run on s.state was interrupted after row 70 of its DATA: --resume goes on with the rows after it, of the same DATA; --skip 0 takes DATA for new rows\n',
    });
    writeFileSync(at(data), lines.join('\n'));
    done('learn', 's.state', data, '--resume');
    expect(text('s.state')).toBe(text('whole.state'));
    expect(run('learn', 's.state', data, '--resume')).toMatchObject({ status: 2 });
  });

  test('does not go on with other rows', () => {
    const data = make('all', 'csv');
    writeFileSync(at(data), `${text(data)}oops,red,a b c d,true,no\n`);
    expect(run('learn', 's.state', data, '--label', 'label').status).toBe(3);
    const before = text('s.state');
    const other = make('other', 'csv', 1);
    for (const [file, status, message] of [
      [other, 3, `${other}: expected at least the 120 rows to skip; got 119`],
      [make('more', 'csv', 0, 119), 3, 'more.csv: expected at least the 120 rows to skip; got 119'],
    ] as const)
      expect(run('learn', 's.state', file, '--resume')).toEqual({ status, out: '', err: `halfspace: ${message}\n` });
    appendFileSync(at(other), '1,red,x,true,no\n');
    expect(run('learn', 's.state', other, '--resume').err).toBe(
      'halfspace: other.csv, row 120: expected row 120 of the DATA that the interrupted run learned; got another one: --skip names a number of rows\n',
    );
    expect(text('s.state')).toBe(before);
    done('learn', 's.state', make('new', 'csv', 0, 30), '--skip', '10');
    expect(decodeStream(text('s.state'))).toMatchObject({ rows: 140, run: { rows: 30, done: true } });
  });

  test.each(['SIGINT', 'SIGTERM'])('by %s saves the rows so far, and a pipe is then left', async (signal) => {
    const args = ['learn', 's.state', '-', '--format', 'csv', '--label', 'label', '--progressive'];
    const child = spawn(process.execPath, [command, ...args], { cwd: folder });
    let err = '';
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    child.stdin.write(readFileSync(at(make('all', 'csv', 0, 50))));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill(signal as NodeJS.Signals);
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(4);
    expect(err).toBe('halfspace: -: expected to learn every row; stopped after 50 rows, which s.state has\n');
    done('learn', 's.state', make('rest', 'csv', 50));
    done('learn', 'whole.state', make('all', 'csv'), '--label', 'label');
    expect(text('s.model.json')).toBe(text('whole.model.json'));
  });

  test('by a reader that leaves saves the rows so far', async () => {
    const data = make('all', 'csv');
    const child = spawn(process.execPath, [command, 'learn', 's.state', data, '--label', 'label', '--progressive'], {
      cwd: folder,
    });
    child.stdout.destroy();
    const status = await new Promise((resolve) => child.once('close', resolve));
    // As for every command, the reader has what it wanted.
    expect(status).toBe(0);
    expect(decodeStream(text('s.state')).rows).toBe(120);
  });
});

describe('a state', () => {
  test('decides options; the same ones may be repeated, others are refused', () => {
    const options = ['--rule', 'arow', '--r', '2', '--label', 'label', '--positive', 'yes', '--column', 'on=category'];
    const data = make('all', 'csv');
    done('learn', 's.state', data, ...options);
    done('learn', 's.state', data, ...options);
    for (const [given, message] of [
      ['--rule averaged', '--rule as in the state s.state, which has "arow"; got "averaged"'],
      ['--r 3', '--r as in the state s.state, which has 2; got 3'],
      ['--positive no', '--positive as in the state s.state, which has "yes"; got "no"'],
      ['--label on', '--label as in the state s.state, which has "label"; got "on"'],
      ['--scale none', '--scale as in the state s.state, which has "standard"; got "none"'],
      ['--column x=drop', '--column as in the state s.state, which has none; got "drop"'],
    ])
      expect(run('learn', 's.state', data, ...given!.split(' '))).toEqual({
        status: 2,
        out: '',
        err: `halfspace: expected ${message}\n`,
      });
  });

  test('leaves out dropped columns, and tells one class from all others with --positive', () => {
    const options = ['--column', 'said=drop', '--column', 'on=category', '--positive', 'yes', '--json'];
    const { out } = done('learn', 's.state', make('all', 'csv'), ...options);
    expect(JSON.parse(out)).toMatchObject({ rows: 120, learned: 120, classes: ['not yes', 'yes'], rejected: 0 });
    const { features } = decodeModel(text('s.model.json'));
    expect(features).toMatchObject({
      format: 'csv',
      header: true,
      columns: [{ name: 'x' }, { name: 'colour' }, { name: 'on', kind: 'category' }],
      leftOut: [{ name: 'said', reason: 'dropped' }],
    });
    expect(done('evaluate', 's.model.json', 'all.csv').status).toBe(0);
  });

  test('tells which rule answers, and how many recent mistakes each made', () => {
    const { out: report } = done('learn', 's.state', make('all', 'csv'), '--label', 'label');
    const { members } = JSON.parse(done('learn', 's.state', '--json').out);
    const [answers] = members.filter((each: { answers: boolean }) => each.answers);
    expect(report).toContain('\nLearned    follow-the-leader, ');
    const [, leader, each] = /^Answers {4}by (.*), which made the fewest recent mistakes.*\n {11}(.*)$/m.exec(report)!;
    expect(leader!.startsWith(answers.rule)).toBe(true);
    expect(each!.split('; ').map((one) => Number(one.split(': ')[1]))).toEqual(
      members.map(({ mistakes }: { mistakes: number }) => Number(mistakes.toPrecision(4))),
    );
    expect(JSON.parse(text('s.model.json')).rule).toBe(answers.rule);
    const { out, err: asJson } = done('learn', 's.state', '--json');
    expect(JSON.parse(out)).toMatchObject({ rule: 'follow-the-leader', options: {} });
    expect(asJson).toBe('');
  });

  test('reports drift, judges the latest rows separately, and gives probabilities', () => {
    const line = (i: number, turned: boolean) => `${i % 10},${i % 10 > 4 !== turned ? 'yes' : 'no'}\n`;
    const lines = Array.from({ length: 1200 }, (_, i) => line(i, i >= 800));
    writeFileSync(at('turning.csv'), `x,label\n${lines.join('')}`);
    const options = ['--drift', 'adwin', '--window', '100', '--calibrate'];
    const { out, err } = done('learn', 's.state', 'turning.csv', ...options, '--progressive', '--probabilities');
    const [, row] = /note: drift: errors became more frequent, at row (\d+) of turning\.csv \(adwin\)/.exec(err)!;
    expect(Number(row)).toBeGreaterThan(800);
    expect(Number(row)).toBeLessThan(900);
    expect(err).toMatch(/^Drift {6}\d alarms? by adwin: errors became more frequent at row /m);
    expect(err).toMatch(/of the latest 100 rows$/m);
    const printed = out
      .trimEnd()
      .split('\n')
      .map((each) => each.split('\t'));
    // The first line is empty, and probabilities need 20 rows of each class.
    expect(printed.slice(0, 30).every((cells) => cells.length === 1)).toBe(true);
    for (const [name, no, yes] of printed.slice(60)) {
      expect(Number(no) + Number(yes)).toBeCloseTo(1, 12);
      expect(name).toBe(Number(yes) > Number(no) ? 'yes' : 'no');
    }
    const json = JSON.parse(done('learn', 's.state', '--json').out);
    expect(json).toMatchObject({ rows: 1200, learned: 0, drift: { test: 'adwin', rows: [] }, metrics: { rows: 1199 } });
    expect(json.metrics.window.rows).toBe(100);
    expect(decodeModel(text('s.model.json')).calibration).not.toBeNull();
    for (const [given, message] of [
      ['--window 5', '--window as in the state s.state, which has 100; got 5'],
      ['--drift page-hinkley', '--drift as in the state s.state, which has "adwin"; got "page-hinkley"'],
    ])
      expect(run('learn', 's.state', 'turning.csv', ...given!.split(' ')).err).toBe(`halfspace: expected ${message}\n`);
  });

  test('without DATA gives its model; there is none before two classes', () => {
    writeFileSync(at('one.csv'), 'x,label\n1,a\n2,a\n');
    const first = done('learn', 's.state', 'one.csv');
    expect(first.err).toBe('note: no model yet: it needs rows of two classes; so far: a\n');
    expect(readdirSync(folder)).not.toContain('s.model.json');
    writeFileSync(at('both.csv'), 'x,label\n1,a\n2,b\n');
    done('learn', 'other.state', 'both.csv', '--model', 'old.json');
    const old = text('old.json');
    expect(done('learn', 's.state', '--model', 'old.json').err).toBe(
      'note: no model yet: it needs rows of two classes; so far: a; old.json is left as it was, and is not of this run\n',
    );
    expect(text('old.json')).toBe(old);
    writeFileSync(at('two.csv'), 'x,label\n1,b\n');
    done('learn', 's.state', 'two.csv', '--model', 'first.json');
    const before = text('s.state');
    done('learn', 's.state', '--model', 'second.json');
    expect(text('second.json')).toBe(text('first.json'));
    expect(text('s.state')).toBe(before);
    expect(run('learn', 'none.state')).toMatchObject({ status: 2, out: '' });
  });

  test.each([
    [
      'data.parquet',
      'option-invalid',
      2,
      'learn reads rows as they come: csv, tsv, json, ndjson, libsvm, vw; got parquet',
    ],
    ['all.svm', 'row-malformed', 3, 'all.svm: expected a table, as the state was made from; got libsvm'],
  ])('is not for %s', (data, _, status, message) => {
    done('learn', 's.state', make('all', 'csv'), '--label', 'label');
    make('all', 'libsvm');
    writeFileSync(at('data.parquet'), 'PAR1');
    expect(run('learn', 's.state', data)).toEqual({ status, out: '', err: `halfspace: ${message}\n` });
  });

  test.each([
    ['its folder', ['none/s.state'], 'none/s.state'],
    ['the folder of the model', ['s.state', '--model', 'none/s.model'], 'none/s.model'],
  ])('is not begun if there is no place for it: %s', (_, [state, ...more], place) => {
    const data = make('all', 'csv');
    expect(run('learn', state!, data, ...more, '--progressive')).toEqual({
      status: 4,
      out: '',
      err: `halfspace: ${place}: expected to write; got no such folder\n`,
    });
    expect(readdirSync(folder)).toEqual([data]);
  });

  test('is refused if it is of another kind, cut or edited', () => {
    done('train', make('all', 'csv'), '--rule', 'averaged', '--label', 'label', '--state', 'trained.state');
    done('learn', 's.state', 'all.csv', '--label', 'label');
    const whole = text('s.state');
    for (const [contents, message] of [
      [whole.slice(0, -20), 'expected a whole state of learn; got one that is cut short'],
      [whole.replace('"rows":120', '"rows":121'), 'expected the file as it was written; got one that was edited'],
      [
        text('trained.state'),
        'expected a state of learn ("format": "halfspace-stream"); got "format": "halfspace-state"',
      ],
      ['{}', 'expected a state of learn ("format": "halfspace-stream"); got other JSON'],
    ])
      expect(() => decodeStream(contents!, 's.state'), message).toThrow(
        expect.objectContaining({ code: 'model-invalid', message: expect.stringContaining(`s.state: ${message}`) }),
      );
    expect(encodeStream(decodeStream(whole))).toBe(whole);
    expect(run('learn', 'trained.state', 'all.csv')).toMatchObject({ status: 4 });
  });
});

test('ARFF has the kinds of its header, unless they are given', () => {
  const lines = rows.map(({ x, label }, i) => `${x ?? '?'},${1 + (i % 3)},'${i % 7}',${label}`);
  writeFileSync(
    at('kinds.arff'),
    ['@relation r', '@attribute x numeric', '@attribute code {1,2,3}', '@attribute words string']
      .concat('@attribute label {no,yes,maybe}', '@data', ...lines, '')
      .join('\n'),
  );
  const kindsOf = (...given: string[]) => {
    rmSync(at('s.state'), { force: true });
    const { err } = done('learn', 's.state', 'kinds.arff', '--model', 'm.json', ...given);
    expect(err).toContain('columns have the kinds that the text declares');
    const { features } = decodeModel(text('m.json'));
    return features.kind === 'table' ? features.columns.map(({ name, kind }) => `${name}=${kind}`) : [];
  };
  expect(kindsOf()).toEqual(['x=number', 'code=category', 'words=text']);
  expect(kindsOf('--column', 'code=number', '--column', 'words=drop')).toEqual(['x=number', 'code=number']);
});

test('text in another encoding is learned with the flag that its error names', () => {
  writeFileSync(at('latin.csv'), Buffer.from('town,y\nStra\u00dfe,a\nM\u00fcnchen,b\nStra\u00dfe,a\n', 'latin1'));
  const { err } = run('learn', 'a.state', 'latin.csv');
  const flag = /--encoding \S+/.exec(err)![0].split(' ');
  done('learn', 'a.state', 'latin.csv', ...flag);
  writeFileSync(at('utf8.csv'), 'town,y\nStra\u00dfe,a\nM\u00fcnchen,b\nStra\u00dfe,a\n');
  done('learn', 'b.state', 'utf8.csv');
  for (const name of ['a', 'b']) done('learn', `${name}.state`, '--model', `${name}.json`);
  expect(text('a.json')).toBe(text('b.json'));
  writeFileSync(at('x.vw'), '1 | a\n-1 | b\n');
  expect(run('learn', 'c.state', 'x.vw', '--encoding', 'latin1').err).toContain('--encoding is for tables');
});
