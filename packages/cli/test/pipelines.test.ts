import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../test/support/properties.ts';
import { some } from '../../../test/support/quick.ts';
import { TagQueue, TagReader } from '../src/data/tags.ts';
import { command, halfspace, temporaryFolder } from './run.ts';

/*
 * `predict` for pipelines: tables of predictions, with columns of the input before them. Python's csv module, pandas,
 * DuckDB and jq read them; here a reader of RFC 4180 and JSON.parse do.
 */

const folder = temporaryFolder();
const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Cells that tables lose most easily, and a number that keeps its digits. */
const notes = ['plain', 'comma, inside', 'say "hi"', 'two\nlines', ' spaces ', 'C:\\new', '\u001b[31mred', 'é — 漢'];
const rows = Array.from({ length: 48 }, (_, i) => ({
  id: `00${i}`,
  size: i % 12 === 5 ? 'NA' : `${(i % 7) - 3}.50`,
  note: notes[i % notes.length]!,
  class: i % 7 > 3 ? 'big' : 'small, or so',
}));
const names = ['id', 'size', 'note', 'class'] as const;
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const csv = [names, ...rows.map((row) => names.map((name) => row[name]))]
  .map((cells) => `${cells.map(quoted).join(',')}\n`)
  .join('');

/** Reads delimited text as RFC 4180 says. */
function parse(text: string, delimiter = ','): string[][] {
  const records: string[][] = [];
  const cell = new RegExp(`("(?:[^"]|"")*"|[^"\\n${delimiter}]*)(${delimiter}|\\n)`, 'y');
  let record: string[] = [];
  while (cell.lastIndex < text.length) {
    const [, given, end] = cell.exec(text)!;
    record.push(given!.startsWith('"') ? given!.slice(1, -1).replaceAll('""', '"') : given!);
    if (end === '\n') record = records.push(record) === 0 ? record : [];
  }
  return records;
}

function predicted(...args: string[]): string {
  const { status, out, err } = halfspace(folder, ['predict', ...args]);
  expect(status, err).toBe(0);
  return out;
}

function refused(...args: string[]): string {
  const { status, out, err } = halfspace(folder, ['predict', ...args]);
  expect([status, out]).toEqual([2, '']);
  expect(err.trim().split('\n')).toHaveLength(1);
  return err;
}

/** The lines of plain `predict`: what every table must say too. */
let plain: string[][];

beforeAll(() => {
  file('data.csv', csv);
  file(
    'data.ndjson',
    rows
      .map(
        (row) => `${JSON.stringify({ ...row, size: row.size === 'NA' ? null : Number(row.size), list: [{ a: 1 }] })}\n`,
      )
      .join(''),
  );
  file(
    'words.vw',
    rows.map(({ id, note }, i) => `${i % 2 === 0 ? 1 : -1} '${id} | w${i % 4} l:${note.length}\n`).join(''),
  );
  const train = (...args: string[]) => expect(halfspace(folder, ['train', ...args]).status).toBe(0);
  train('data.csv', '--column', 'id=drop', '--column', 'note=drop', '--calibrate', 'platt', '--model', 'm.json');
  train('words.vw', '--rule', 'averaged', '--model', 'v.json');
  plain = predicted('m.json', 'data.csv', '--scores')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
});

describe('rows of a table', () => {
  test('--with-input gives every cell of the input as it was, then the prediction', () => {
    const [header, ...lines] = parse(predicted('m.json', 'data.csv', '--with-input', '--scores'));
    expect(header).toEqual([...names, 'prediction', 'score']);
    expect(lines).toEqual(rows.map((row, i) => [...names.map((name) => row[name]), ...plain[i]!]));
  });

  test('--id gives one column, and probabilities are named by class', () => {
    const [header, ...lines] = parse(predicted('m.json', 'data.csv', '--id', 'id', '--probabilities'));
    expect(header).toEqual(['id', 'prediction', 'probability_big', 'probability_small, or so']);
    expect(lines.map(([id]) => id)).toEqual(rows.map(({ id }) => id));
    for (const [, , a, b] of lines) expect(Number(a) + Number(b)).toBeCloseTo(1, 12);
  });

  test('the name of the output decides the format; other names get lines as before', () => {
    predicted('m.json', 'data.csv', '--scores', '--output', 'p.csv');
    expect(parse(read('p.csv'))).toEqual([['prediction', 'score'], ...plain]);
    predicted('m.json', 'data.csv', '--scores', '--output', 'p.tsv');
    expect(parse(read('p.tsv'), '\t')).toEqual([['prediction', 'score'], ...plain]);
    predicted('m.json', 'data.csv', '--scores', '--output', 'p.ndjson');
    const objects = read('p.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects).toEqual(plain.map(([prediction, score]) => ({ prediction, score: Number(score) })));
    predicted('m.json', 'data.csv', '--scores', '--output', 'p.txt');
    expect(read('p.txt')).toBe(`${plain.map((line) => line.join('\t')).join('\n')}\n`);
  });

  test('NDJSON of a table: columns of numbers are numbers, empty and missing cells are null, ids stay text', () => {
    predicted('m.json', 'data.csv', '--with-input', '--output', 'all.ndjson');
    const objects = read('all.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects).toEqual(
      rows.map((row, i) => ({
        ...row,
        size: row.size === 'NA' ? null : Number(row.size),
        prediction: plain[i]![0],
      })),
    );
  });

  test('rows of JSON keep all their fields, also nested ones', () => {
    const lines = predicted('m.json', 'data.ndjson', '--with-input').trimEnd().split('\n');
    const given = read('data.ndjson').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      given.map((line, i) => ({ ...JSON.parse(line), prediction: plain[i]![0] })),
    );
    file('data.json', `[\n${given.join(',\n')}]`.replaceAll(',"note"', ',\n  "note"'));
    expect(
      predicted('m.json', 'data.json', '--with-input')
        .split('\n')
        .map((line) => line && JSON.parse(line)),
    ).toEqual([...lines.map((line) => JSON.parse(line)), '']);
  });

  test('an id of JSON keeps its type and its digits', () => {
    const ids = ['1', '"1"', '"01"', 'true', '12345678901234567890', '-1.5', '"a \\"b\\""'];
    file('ids.ndjson', ids.map((id) => `{"id":${id},"size":2}\n`).join(''));
    const lines = predicted('m.json', 'ids.ndjson', '--id', 'id').trimEnd().split('\n');
    expect(lines).toEqual(ids.map((id) => `{"id":${id},"prediction":"big"}`));
  });

  test('a pipe gives the same table as a file, and Parquet gives its columns', () => {
    const piped = halfspace(folder, ['predict', 'm.json', '-', '--format', 'csv', '--with-input'], { input: csv });
    expect(piped.out).toBe(predicted('m.json', 'data.csv', '--with-input'));
    const titled = halfspace(folder, ['predict', 'm.json', '-', '--format', 'csv'], {
      input: `Sizes of 2024\n\n${csv}`,
    });
    expect(titled.out).toBe(predicted('m.json', 'data.csv'));
    const typed = predicted(
      'm.json',
      '--with-input',
      '--sql',
      "select id, 1.5 as size, [1, 2] as l from 'data.csv' limit 2",
    );
    expect(
      parse(typed)
        .slice(0, 2)
        .map((line) => line.slice(0, 3)),
    ).toEqual([
      ['id', 'size', 'l'],
      ['000', '1.5', '[1,2]'],
    ]);
  });

  test('several files need the same columns', () => {
    file('more.csv', 'class,note,size,id\nbig,n,2.5,x\n');
    const last = parse(predicted('m.json', 'data.csv', 'more.csv', '--with-input')).at(-1)!;
    expect(last.slice(0, 4)).toEqual(['x', '2.5', 'n', 'big']);
    file('other.csv', 'id,size\nx,2.5\n');
    const { status, err } = halfspace(folder, ['predict', 'm.json', 'data.csv', 'other.csv', '--with-input']);
    expect([status, err]).toEqual([
      2,
      'halfspace: other.csv: expected the columns id, size, note, class; got id, size\n',
    ]);
  });

  test('skipped rows keep their line where lines are counted, and have none beside an id', () => {
    file('bad.csv', 'id,size\na,1\nb,1e999\nc,2\n');
    const skip = ['m.json', 'bad.csv', '--on-error', 'skip'];
    predicted(...skip, '--output', 'skipped.csv');
    expect(read('skipped.csv').split('\n')[2]).toBe('""');
    expect(parse(predicted(...skip, '--id', 'id')).map(([id]) => id)).toEqual(['id', 'a', 'c']);
  });
});

describe('refused in one sentence', () => {
  test.each([
    [['data.csv', '--output', 'o.parquet'], '--output writes tables as .csv, .tsv or .ndjson, not compressed'],
    [['data.csv', '--output', 'o.csv.gz'], '--output writes tables as .csv, .tsv or .ndjson, not compressed'],
    [['data.csv', '--id', 'nosuch'], 'expected a column "nosuch"; got id, size, note, class'],
    [['data.ndjson', '--id', 'nosuch'], 'expected a value of "nosuch" in the first row; got none'],
    [['data.csv', '--id', 'id', '--with-input'], "option '--with-input' cannot be used with option '--id <column>'"],
    [['data.ndjson', '--with-input', '--output', 'o.csv'], '--with-input writes rows of JSON as .ndjson'],
    [['data.csv', '--prefix', 'b_'], '--prefix is for tables'],
    [['data.csv', '--with-input', '--output', 'data.csv'], 'expected --output to be no file that is read'],
  ])('%j', (args, message) => {
    const { status, err } = halfspace(folder, ['predict', 'm.json', ...args]);
    expect([status, err.trim().split('\n').length]).toEqual([2, 1]);
    expect(err).toContain(message);
  });

  test('a column of the same name; --prefix gives the prediction another', () => {
    file('again.csv', predicted('m.json', 'data.csv', '--with-input'));
    expect(refused('m.json', 'again.csv', '--with-input')).toContain('expected no column "prediction" in DATA');
    const [header] = parse(predicted('m.json', 'again.csv', '--with-input', '--prefix', 'b_'));
    expect(header).toEqual([...names, 'prediction', 'b_prediction']);
    file('again.ndjson', predicted('m.json', 'data.ndjson', '--with-input'));
    const { status, err } = halfspace(folder, ['predict', 'm.json', 'again.ndjson', '--with-input']);
    expect([status, err]).toEqual([2, expect.stringContaining('expected no column "prediction" in DATA')]);
  });

  test('a table of predictions replaces one of its kind only', () => {
    for (const name of some(['kind.csv', 'kind.tsv', 'kind.ndjson'], 2)) {
      predicted('m.json', 'data.csv', '--with-input', '--output', name);
      predicted('m.json', 'data.csv', '--probabilities', '--output', name);
      predicted('m.json', 'data.csv', '--id', 'id', '--output', name);
      file(name, name.endsWith('ndjson') ? '{"prediction":"big","more":1}\n' : csv);
      expect(halfspace(folder, ['predict', 'm.json', 'data.csv', '--output', name])).toMatchObject({ status: 4 });
    }
  });
});

describe('Vowpal Wabbit text', () => {
  test('--id tag prints the tag of each line before its class', () => {
    const classes = predicted('v.json', 'words.vw').trimEnd().split('\n');
    expect(parse(predicted('v.json', 'words.vw', '--id', 'tag'))).toEqual([
      ['tag', 'prediction'],
      ...rows.map(({ id }, i) => [id, classes[i]]),
    ]);
    expect(refused('v.json', 'words.vw', '--with-input')).toContain('--id tag prints the tags');
    expect(refused('v.json', 'words.vw', '--id', 'x')).toContain('expected --id tag');
  });

  test('tags stay with their lines beside blank and bad ones', () => {
    file('tags.vw', "1 'a'b | w1\n\n1 1 t| w1\nbad | w1\n 1 | w1\n\r\nnobar\n|x w1\n1 'u\t| w1\n1 0 'zero | w1");
    const lines = parse(predicted('v.json', 'tags.vw', '--id', 'tag', '--on-error', 'skip'));
    expect(lines.map(([tag]) => tag)).toEqual(['tag', "a'b", 't', '', '', 'u', 'zero']);
  });

  test('tags do not depend on where the bytes are cut', () => {
    const line = fc.tuple(fc.constantFrom('', '1 ', '-1 2 '), fc.stringMatching(/^[a-zé漢]{0,6}$/), fc.boolean());
    forAll(fc.array(line), fc.integer({ min: 1, max: 9 }), (lines, size) => {
      const text = lines.map(([label, tag, isMarked]) => `${label}${isMarked ? `'${tag} ` : tag}|n a b:2\n`).join('');
      const found: string[] = [];
      const reader = new TagReader((tag) => found.push(tag));
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
      reader.end();
      expect(found).toEqual(lines.map(([, tag]) => tag));
    });
  });

  test('a queue gives tags in their order, however many wait', () => {
    const queue = new TagQueue();
    const taken: string[] = [];
    for (let i = 0; i < 20_000; i++) {
      queue.push(`${i}`);
      if (i % 3 !== 0) taken.push(queue.take());
    }
    while (taken.length < 20_000) taken.push(queue.take());
    expect(taken).toEqual(Array.from({ length: 20_000 }, (_, i) => `${i}`));
  });
});

describe('streams', () => {
  test.each(some([[['--with-input']], [[]], [['--id', 'id']]], 3))(
    'a reader that goes away ends predict %j silently',
    async (args) => {
      const child = spawn(process.execPath, [command, 'predict', 'm.json', '-', '--format', 'csv', ...args], {
        cwd: folder,
      });
      let err = '';
      child.stderr.on('data', (piece) => {
        err += piece;
      });
      child.stdin.on('error', () => {});
      child.stdin.write(csv);
      await new Promise((resolved) => child.stdout.once('data', resolved));
      child.stdout.destroy();
      const body = csv.slice(csv.indexOf('\n') + 1);
      const feed = setInterval(() => child.stdin.write(body), 5);
      const status = await new Promise((resolved) => child.once('close', resolved));
      clearInterval(feed);
      expect([status, err]).toEqual([0, '']);
    },
  );

  test('--model - writes the model to standard output, and the report to standard error', () => {
    const args = ['train', 'pipeline.csv', '--rule', 'averaged', '--model'];
    file('pipeline.csv', csv);
    expect(halfspace(folder, [...args, 'pipeline.json'])).toMatchObject({ status: 0 });
    const piped = halfspace(folder, [...args, '-']);
    expect(piped).toMatchObject({ status: 0, out: read('pipeline.json') });
    expect(piped.err).toMatch(/^Model +standard output \(/m);
  });

  test('a slow pipe answers each row at once, under its header', async () => {
    const args = ['predict', 'm.json', '-', '--format', 'csv', '--id', 'id'];
    const child = spawn(process.execPath, [command, ...args], { cwd: folder });
    let out = '';
    const until = (text: string) =>
      new Promise<void>((resolved) => {
        const look = () => {
          if (out.endsWith(text)) resolved();
        };
        child.stdout.on('data', look);
        look();
      });
    child.stdout.on('data', (piece) => {
      out += piece;
    });
    child.stdin.write('id,size\na,3\n');
    await until('id,prediction\na,big\n');
    child.stdin.write('b,-3\n');
    await until('b,"small, or so"\n');
    child.stdin.end();
    expect(await new Promise((resolved) => child.once('close', resolved))).toBe(0);
  });
});
