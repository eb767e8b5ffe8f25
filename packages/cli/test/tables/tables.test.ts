import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { HalfspaceError } from 'halfspace';
import { afterAll, describe, expect, it } from 'vitest';
import { type EncodedRow, encodeRow } from '../../../halfspace/src/features/encode-table.ts';
import { parseEncoding } from '../../../halfspace/src/features/parse-encoding.ts';
import type { TableEncoding } from '../../../halfspace/src/features/table-encoding.ts';
import { query, stream } from '../../src/tables/duckdb.ts';
import { openTable, type TableOptions, type TableSource } from '../support/open-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-tables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file and gives its path. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function open(path: string, options: Partial<TableOptions> = {}): Promise<TableSource> {
  const format = /\.(csv|tsv|json|ndjson|parquet)\b/.exec(path)![1] as TableOptions['format'];
  return openTable([{ path, name: path.slice(folder.length + 1) }], { format, ...options });
}

/** All rows with their zeros, and their labels. */
async function read(source: TableSource): Promise<{ rows: number[][]; labels: number[] }> {
  const rows: number[][] = [];
  const labels: number[] = [];
  for await (const batch of source.batches())
    for (let i = 0; i < batch.rows; i++) {
      const row: number[] = new Array(batch.dimension).fill(0);
      if (batch.kind === 'dense')
        for (let j = 0; j < batch.dimension; j++) row[j] = batch.values[i * batch.dimension + j]!;
      else for (let k = batch.offsets[i]!; k < batch.offsets[i + 1]!; k++) row[batch.indices[k]!] = batch.values[k]!;
      rows.push(row);
      labels.push(batch.labels[i]!);
    }
  return { rows, labels };
}

function denseRow(row: EncodedRow, dimension: number): number[] {
  if (row instanceof Float64Array) return [...row];
  const dense: number[] = new Array(dimension).fill(0);
  row.indices.forEach((index, k) => {
    dense[index] = row.values[k]!;
  });
  return dense;
}

async function fault(run: () => Promise<unknown>): Promise<HalfspaceError> {
  try {
    await run();
  } catch (error) {
    return error as HalfspaceError;
  }
  throw new Error('expected a fault; got none');
}

async function faultOf(path: string, options: Partial<TableOptions> = {}): Promise<string> {
  const { code, message } = await fault(async () => read(await open(path, options)));
  expect(message).not.toContain('\n');
  return `${code}: ${message}`;
}

function kindsOf({ columns }: TableEncoding): string[] {
  return columns.map(({ name, kind }) => `${name}: ${kind}`);
}

const plain = { scale: 'none' } as const;
const skips = 'onReject skips such rows (--on-error skip of the command)';

describe('columns of a text table', () => {
  it('are numbers with faults when few cells are words and the numbers are measurements', async () => {
    const cells = Array.from({ length: 60 }, (_, i) => `${i * 1.5},${'ab'[i % 2]}`);
    cells[41] = 'oops,b';
    expect(await faultOf(file('stray.csv', `x,label\n${cells.join('\n')}\n`))).toBe(
      'number-invalid: stray.csv, row 42, column "x": expected a number; got "oops"; missing: ["oops"] reads it as missing (--missing oops of the command), --column x=category keeps the column as words',
    );
    expect(await faultOf(file('small.csv', 'x,label\n1,a\n2,b\nabc,a\n4,b\n5,a\n'))).toBe(
      'number-invalid: small.csv, row 3, column "x": expected a number; got "abc"; missing: ["abc"] reads it as missing (--missing abc of the command), --column x=category keeps the column as words',
    );
  });

  it('are found out although the first rows mislead', async () => {
    // Only words where the first look falls, and numbers ever after; and the other way round.
    const late = Array.from(
      { length: 60_000 },
      (_, i) => `${i < 2500 ? 'none yet' : i / 7},${i < 58_000 ? i : `w${i % 9}`},${'ab'[i % 2]}`,
    );
    const path = file('late.csv', `n,c,label\n${late.join('\n')}\n`);
    const source = await open(path, { reject: () => {} });
    expect(kindsOf(source.encoding())).toEqual(['n: number', 'c: number']);
    const words = late.map((line, i) => line.replace(/^[^,]*/, i < 2500 ? String(i / 3) : `v${i % 5}`));
    const second = await open(file('late2.csv', `n,c,label\n${words.join('\n')}\n`), { reject: () => {} });
    expect(
      second
        .encoding()
        .leftOut.concat(second.encoding().columns as never[])
        .map(({ name }) => name),
    ).toContain('n');
    expect(second.encoding().columns.find(({ name }) => name === 'n')?.kind).toBe('category');
  });

  it('of numbers are read as doubles or as text with one outcome, whatever stands beyond the first rows', async () => {
    const odd =
      '+1,.5,5.,-0,1e3,1E-400,+-2,1_000,0x10,1e,.,- 1, 7 ,\t8,1d,nan,-inf,1e999,NA, NA,?,N/A,null,NULL,None,,"",true,"3.5"';
    for (const word of [...odd.split(','), '"1,5"', '"1""5"', '１']) {
      const rows = Array.from({ length: 2500 }, (_, i) => `${i === 2300 ? word : i / 7},${i % 2}`);
      const path = file('odd.csv', `x,label\n${rows.join('\n')}\n`);
      const outcome = async (reject?: TableOptions['reject']) => {
        const source = await open(path, { ...plain, reject });
        return { ...(await read(source)), encoding: source.encoding() };
      };
      let rejected = '';
      const asText = await outcome(({ error }) => {
        rejected = error.message;
      });
      if (rejected !== '')
        expect((await fault(() => outcome())).message.replace(/; missing: \[".*$/, ''), word).toBe(rejected);
      else expect(await outcome(), word).toEqual(asText);
    }
  });

  it('of words are told apart by all their letters, short or long', async () => {
    const words = [
      'a',
      'b',
      'ab',
      'ba',
      'é',
      'elevenbytes',
      'twelve bytes',
      'twelve bytez',
      'thirteen byte',
      'thirteen byta',
    ];
    for (let k = 0; k < 300; k++) words.push(`w${k}`, `much longer word ${k}`);
    const lines = Array.from(
      { length: 5000 },
      (_, i) => `${i % 7 === 3 ? '' : words[(i * i) % words.length]},${i % 2}`,
    );
    const source = await open(file('words.csv', `w,label\n${lines.join('\n')}\n`));
    const encoding = source.encoding();
    const { rows } = await read(source);
    expect(rows.length).toBe(lines.length);
    rows.forEach((row, i) => {
      expect(row).toEqual(denseRow(encodeRow(encoding, { w: lines[i]!.split(',')[0] }), row.length));
    });
  });

  it('of booleans are two classes, and a missing one is none', async () => {
    const sql = 'SELECT i % 3 = 0 AS label, i AS x FROM range(5000) t(i)';
    const source = await openTable([], { format: 'sql', sql, label: 'label' });
    expect(source.encoding().label).toMatchObject({ classes: ['false', 'true'], positive: 'true' });
    expect((await read(source)).labels.slice(0, 4)).toEqual([1, -1, -1, 1]);
    const missing = openTable([], { format: 'sql', sql: `${sql} UNION ALL SELECT NULL, 1`, label: 'label' });
    expect((await fault(() => missing)).message).toContain('row 5001, column "label": expected a label; got none');
  });
});

describe('a plain object', () => {
  it('gives the bits of its row in Parquet, native types included', async () => {
    const path = join(folder, 'native.parquet');
    await query(
      `COPY (SELECT i + 5 AS whole, i / 7 AS part, (i % 5 = 0) AS flag, DATE '2019-12-28' + i::INT AS day, TIMESTAMP '1969-12-30 01:02:03.456789' + INTERVAL (i * 977) MINUTE AS moment,
        CASE WHEN i % 4 = 0 THEN NULL ELSE 'c' || (i % 3) END AS name, (i / 3)::DECIMAL(9, 2) AS price, [i] AS list, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS label
        FROM range(300) t(i)) TO '${path}'`,
    );
    const source = await open(path);
    const encoding = source.encoding();
    expect(kindsOf(encoding)).toEqual([
      'whole: number',
      'part: number',
      'flag: boolean',
      'day: date',
      'moment: date',
      'name: category',
      'price: number',
    ]);
    expect(encoding.leftOut).toEqual([{ name: 'list', reason: 'nested' }]);
    const table = await read(source);
    const moments = (await query(`SELECT strftime(moment, '%Y-%m-%dT%H:%M:%S.%f'), price::DOUBLE FROM '${path}'`)) as [
      string,
      number,
    ][];
    for (let i = 0; i < 300; i++) {
      const row = {
        whole: i + 5,
        part: i / 7,
        flag: i % 5 === 0,
        day: new Date(Date.UTC(2019, 11, 28 + i)),
        moment: moments[i]![0],
        name: i % 4 === 0 ? null : `c${i % 3}`,
        price: moments[i]![1],
      };
      expect(denseRow(encodeRow(encoding, row), table.rows[0]!.length)).toEqual(table.rows[i]);
    }
  });
});

describe('dialects', () => {
  it('that change their line ends far down are read to the end', async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `${i},${'ab'[i % 2]}${i % 30_000 === 29_999 ? '\r' : ''}`);
    const path = file('late-ends.csv', `x,label\n${lines.join('\n')}\n`);
    const source = await open(path, plain);
    const { rows } = await read(source);
    expect(rows.map(([x]) => x)).toEqual(lines.map((_, i) => i));
    const again = await open(path, { encoding: source.encoding() });
    expect((await read(again)).rows).toEqual(rows);
  });

  it('with tabs may have stray quotes', async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `${'ab'[i % 2]}\t${i % 3 === 0 ? '"' : ''}text ${i % 7}"`);
    const source = await open(file('stray.tsv', `${lines.join('\n')}\n`), { label: 'column0' });
    expect((await read(source)).rows).toHaveLength(300);
  });
});

describe('faults', () => {
  it('have a code, a place and one line', async () => {
    const head = 'a,b,label\n1,2,x\n';
    const cases: Record<string, [string | Uint8Array, string]> = {
      'empty.csv': ['', 'source-empty: empty.csv: expected a table; got an empty file'],
      'blank.csv': ['\n\n', 'source-empty: blank.csv: expected a table; got blank lines'],
      'header.csv': ['a,b,label\n', 'source-empty: header.csv: expected rows; got none'],
      'binary.csv': [
        Uint8Array.of(1, 2, 0, 3),
        'source-corrupt: binary.csv, byte 2: expected UTF-8 text; got binary data',
      ],
      'name.csv': [
        Buffer.from('\xe9,label\n1,x\n', 'latin1'),
        'source-corrupt: name.csv:1: expected UTF-8 text; got the byte 0xe9, é in Latin-1; encoding: "latin1" reads it (--encoding latin1 of the command)',
      ],
      'latin.csv': [
        Buffer.from(`${head}3,\xe9,y\n`, 'latin1'),
        'source-corrupt: latin.csv:3: expected UTF-8 text; got the byte 0xe9, é in Latin-1; encoding: "latin1" reads it (--encoding latin1 of the command)',
      ],
      'long.csv': [`${head}3,4,5,y\n`, `row-malformed: long.csv:3: expected 3 cells; got 4; ${skips}`],
      'short.csv': [`${head}\n\n3,y\n`, `row-malformed: short.csv:5: expected 3 cells; got 2; ${skips}`],
      'lines.csv': [`${head}3,"4\n\n",y\n5,z\n`, `row-malformed: lines.csv:6: expected 3 cells; got 2; ${skips}`],
      'quote.csv': [
        `${head}3,"4,y\n5,6,x\n`,
        'row-malformed: quote.csv:3: expected a quoted cell to end before its delimiter; got no closing quote, or text behind it (quote: "none" reads quotes as characters, --quote none of the command)',
      ],
      'unlabelled.csv': [
        `${head}3,4,?\n5,6,y\n`,
        'label-missing: unlabelled.csv, row 2, column "label": expected a label; got none; onReject skips such rows (--on-error skip of the command); "?" counts as missing: missing: \'none\' makes a class of it (--missing none)',
      ],
      'text.json': ['hello', 'source-corrupt: text.json: expected JSON objects; got other text'],
      'cut.json': [
        '[{"a":1},{"a":',
        'source-corrupt: cut.json, row 2: expected JSON; got the end of the data within it',
      ],
      'values.json': ['[1,2]', 'row-malformed: values.json, row 1: expected an object per row; got "1"'],
      'single.json': [
        '{"a":[1]}',
        'row-malformed: single.json: expected a list of objects, or an object per line; got one object',
      ],
      'lines.ndjson': ['{"a":1}\n\n{"a":\n{"a":2}\n', 'row-malformed: lines.ndjson:3: expected JSON; got "{\\"a\\":"'],
      'list.ndjson': [
        '[{"a":1},\n{"a":2}\n',
        'row-malformed: list.ndjson:1: expected an object per row; got "[{\\"a\\":1},"',
      ],
      'other.parquet': [
        'a,b\n1,2\n',
        'source-corrupt: other.parquet: expected a Parquet file; got one that is damaged, cut short, or something else',
      ],
    };
    for (const [name, [content, expected]] of Object.entries(cases))
      expect(await faultOf(file(name, content))).toBe(expected);
    mkdirSync(join(folder, 'folder.csv'));
    expect(await faultOf(join(folder, 'folder.csv'))).toBe(
      'source-unreadable: folder.csv: expected a file; got a directory',
    );
    expect(await faultOf(join(folder, 'absent.csv'))).toBe(
      'source-unreadable: absent.csv: expected a readable file; got no such file',
    );
  });

  it('are found in archives that were cut, even between two rows', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => `${i},${'ab'[i % 2]}\n`);
    const whole = gzipSync(`x,label\n${rows.join('')}`);
    expect(await faultOf(file('cut.csv.gz', whole.subarray(0, whole.length >> 1)))).toBe(
      `source-corrupt: cut.csv.gz, byte ${whole.length >> 1}: expected a whole gzip file; got one that is cut short`,
    );
    // Only the check sum is gone: every row can be read.
    expect(await faultOf(file('unchecked.csv.gz', whole.subarray(0, whole.length - 6)))).toContain('cut short');
  });

  it('are found far behind the beginning, where a stream ends without a word', async () => {
    const lines = Array.from({ length: 400_000 }, (_, i) => (i === 300_000 ? `${i}` : `${i},${i % 2}`));
    expect(await faultOf(file('far.csv', `x,label\n${lines.join('\n')}\n`))).toBe(
      `row-malformed: far.csv:300002: expected 2 cells; got 1; ${skips}`,
    );
    await expect(async () => {
      for await (const _ of stream(
        "SELECT CASE WHEN range < 100000 THEN 1 ELSE error('late') END FROM range(200000)",
        1,
      ));
    }).rejects.toThrow('late');
  });

  it('set rows aside in their places when that is asked for', async () => {
    const path = file(
      'reject.csv',
      'x,c,label\n1.5,u,a\n2.5,"v, w",b\n\n3.5,u\n4.5,u,a\nbad,"v, w",b\n5.5,u,\n6.5,v,b,9\n7.5,v,b\n8.5,v,a\n9.5,v,b\n1e999,v,b\n',
    );
    const events: string[] = [];
    const source = await open(path, {
      scale: 'none',
      reject: ({ error, text }) => events.push(`${error.message} | ${text}`),
    });
    for await (const batch of source.batches()) events.push(`${batch.rows} rows`);
    expect(events).toEqual([
      '2 rows',
      'reject.csv:5: expected 3 cells; got 2 | 3.5,u',
      '1 rows',
      'reject.csv, row 5, column "x": expected a number; got "bad" | bad,"v, w",b',
      'reject.csv, row 6, column "label": expected a label; got none | 5.5,u,',
      'reject.csv:9: expected 3 cells; got 4 | 6.5,v,b,9',
      '3 rows',
      'reject.csv, row 11, column "x": expected a finite number; got "1e999" | 1e999,v,b',
    ]);
    expect(source.rejected).toBe(5);
    // What is set aside is not learned from either.
    expect(source.encoding().columns[0]).toMatchObject({
      kind: 'number',
      mean: (1.5 + 2.5 + 4.5 + 7.5 + 8.5 + 9.5) / 6,
    });
    expect((await read(source)).rows).toHaveLength(6);
    expect(events).toHaveLength(8);
  });

  it('set lines of JSON aside as they stood', async () => {
    const path = file('reject.ndjson', '{"x":1,"l":"a"}\n\n{"x":\n7\n{"x":2,"l":"b"}\n{"x":3}\n');
    const rejected: string[] = [];
    const source = await open(path, {
      label: 'l',
      reject: ({ error, text }) => rejected.push(`${error.message} | ${text}`),
    });
    expect((await read(source)).rows).toHaveLength(2);
    expect(rejected).toEqual([
      'reject.ndjson:3: expected JSON; got "{\\"x\\":" | {"x":',
      'reject.ndjson:4: expected an object per row; got "7" | 7',
      'reject.ndjson, row 5, column "l": expected a label; got none | {"x":3}',
    ]);
  });
});

describe('labels', () => {
  const rows = 'x,kind\n1,a\n2,b\n3,c\n4,a\n';

  it('come from the column that is named, or bears a usual name, or is last', async () => {
    const usual = await open(file('usual.csv', 'Class,x\na,1\nb,2\n'));
    expect([usual.encoding().label.column, usual.notes]).toEqual(['Class', []]);
    const last = await open(file('last.csv', 'x,z\n1,a\n2,b\n'));
    expect(last.notes).toEqual([
      'the last column, z, is taken for the label; label names another (--label of the command)',
    ]);
    expect(await faultOf(file('unknown.csv', rows), { label: 'colour' })).toBe(
      'column-unknown: unknown.csv: expected a column "colour"; got x, kind',
    );
  });
});

describe('a table read for a model', () => {
  const train = 'id,x,c,label\n1,1,u,no\n2,3,v,yes\n3,2,u,no\n4,5,?,yes\n';

  it('may have its columns in any order, more, fewer, and new categories', async () => {
    const encoding = (await open(file('train.csv', train), { header: true })).encoding();
    const same = await open(file('train.csv', train), { encoding });
    const first = await read(same);
    const shuffled = file('shuffled.csv', 'label,extra,c,x,id\nno,9,u,1,1\nyes.,9,v,3,2\nno,9, u,2,3\nyes,9,,5,4\n');
    const other = await open(shuffled, { encoding });
    expect(await read(other)).toEqual(first);
    expect(other.notes.join()).toContain('labels such as yes. are taken for yes');
    const fewer = await open(file('fewer.csv', 'x,c\n1,new\n3,v\n'), { encoding, labelsNeeded: false });
    expect((await read(fewer)).labels).toEqual([Number.NaN, Number.NaN]);
    expect(fewer.notes).toEqual([
      'fewer.csv has no column id: its values count as missing',
      'the model does not know 1 of 2 values of column c (50 %), 1 different: new',
    ]);
    expect(await faultOf(file('none.csv', 'p,q\n1,2\n'), { encoding, labelsNeeded: false })).toContain(
      "column-unknown: none.csv: expected the model's columns, id, x, c; got p, q",
    );
    expect(await faultOf(file('fewer.csv', 'x,c\n1,new\n'), { encoding })).toContain('expected a column "label"');
    expect(await faultOf(file('class.csv', 'x,c,label\n1,u,maybe\n'), { encoding })).toBe(
      'label-classes: class.csv, row 1, column "label": expected "no" or "yes"; got "maybe"',
    );
    expect(await faultOf(file('word.csv', 'x,c,label\n1,u,no\nmuch,u,no\n'), { encoding })).toBe(
      'number-invalid: word.csv, row 2, column "x": expected a number; got "much"',
    );
  });

  it('may come in another format', async () => {
    const encoding = (await open(file('train.csv', train))).encoding();
    const expected = (await read(await open(file('train.csv', train), { encoding }))).rows;
    const objects = [
      { id: 1, x: 1, c: 'u' },
      { id: 2, x: 3, c: 'v' },
      { id: 3, x: '2', c: ' u' },
      { id: 4, x: 5.0, c: null },
    ];
    const json = await open(file('rows.json', JSON.stringify(objects)), { encoding, labelsNeeded: false });
    expect((await read(json)).rows).toEqual(expected);
    const sql = await openTable([], {
      format: 'sql',
      sql: `SELECT x::INT AS x, c, id::DOUBLE AS id FROM '${join(folder, 'train.csv')}' -- as a table;`,
      encoding,
      labelsNeeded: false,
    });
    expect((await read(sql)).rows).toEqual(expected);
  });

  it('without names may lack the label', async () => {
    const encoding = (await open(file('first.csv', 'a,1,5\nb,2,6\na,3,7.5\nb,4,9\n'), { label: 'column0' })).encoding();
    const source = await open(file('rest.csv', '1,5\n2,6\n'), { encoding, labelsNeeded: false });
    const whole = await open(file('first.csv', 'a,1,5\nb,2,6\n'), { encoding, labelsNeeded: false });
    expect((await read(source)).rows).toEqual((await read(whole)).rows);
    expect(source.notes[0]).toContain('one column less than in training');
  });
});

describe('other character encodings', () => {
  const text = `größe,c,label\n${Array.from({ length: 40 }, (_, i) => `${i / 4},${'äß€é'[i % 4]},${'ab'[i % 2]}`).join('\n')}\n`;
  const utf16be = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const cp1252 = Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
  it.each<[string, Uint8Array, string | undefined]>([
    ['latin.csv', cp1252, 'windows-1252'],
    ['latin.csv.gz', gzipSync(cp1252), 'windows-1252'],
    ['le.csv', Buffer.from(`\ufeff${text}`, 'utf16le'), undefined],
    ['be.csv', utf16be, undefined],
    ['be.csv.gz', gzipSync(utf16be), undefined],
    ['unmarked.csv', Buffer.from(text, 'utf16le'), undefined],
    ['unmarked.csv', Buffer.from(text, 'utf16le'), 'utf-16le'],
  ])('give what UTF-8 gives: %s', async (name, bytes, encoding) => {
    const expected = await open(file('utf8.csv', text));
    const path = file(name, bytes);
    const source = await openTable([{ path, name, encoding }], { format: 'csv' });
    expect(source.encoding()).toEqual(expected.encoding());
    expect(await read(source)).toEqual(await read(expected));
    const notes = source.notes.filter((note) => note.includes('is read as utf-16'));
    expect(notes).toHaveLength(encoding === undefined ? 1 : 0);
    const again = await openTable([{ path, name, encoding }], { format: 'csv', encoding: expected.encoding() });
    expect(await read(again)).toEqual(await read(expected));
  });
});

describe('further words for missing values', () => {
  const lines = Array.from({ length: 120 }, (_, i) => {
    const x = i % 20 === 7 ? ' -' : `${(i * 7) % 31}`;
    const c = i % 9 === 4 ? 'n/a' : 'uvw'[i % 3]!;
    return `${x},${c},${i % 6 === 1 ? '-999' : i / 8},${i % 40 === 39 ? '-' : 'ab'[i % 2]}`;
  });
  const table = (rows: readonly string[]) => `x,c,y,label\n${rows.join('\n')}\n`;
  const usual = table(lines.map((line) => line.replaceAll(/(?<=^|,)( -|-|n\/a|-999)(?=,|$)/g, 'NA')));
  const labelled = (text: string) => text.replaceAll(/,(NA|-)$/gm, ',a');

  it('read like the usual ones, from archives, through pipes, as objects and by the model', async () => {
    const missing = ['-999', '-', 'n/a', '-'];
    const expected = await open(file('usual.csv', labelled(usual)));
    const rows = await read(expected);
    const { missing: _, ...plain } = expected.encoding();
    for (const [name, text] of [
      ['words.csv', labelled(table(lines))],
      ['words.csv.gz', gzipSync(labelled(table(lines)))],
    ] as const) {
      const source = await open(file(name, text), { missing });
      expect(source.encoding()).toEqual({ ...plain, missing: ['-', '-999', 'n/a'] });
      expect(await read(source)).toEqual(rows);
    }
    const encoding = (await open(file('words.csv', labelled(table(lines))), { missing })).encoding();
    expect(await read(await open(file('words.csv', labelled(table(lines))), { encoding }))).toEqual(rows);
    expect(parseEncoding(JSON.parse(JSON.stringify(encoding)))).toEqual(encoding);
    for (const line of lines.slice(0, 30)) {
      const [x, c, y] = line.split(',') as [string, string, string];
      const usually = { x: x === ' -' ? null : x, c: c === 'n/a' ? '' : c, y: y === '-999' ? null : y };
      expect(encodeRow(encoding, { x, c, y: Number(y) })).toEqual(encodeRow(plain as typeof encoding, usually));
    }
  });

  it('are no labels', async () => {
    const error = await fault(async () => open(file('labels.csv', table(lines)), { missing: ['-', '-999'] }));
    expect(error.message).toContain('expected a label; got none in 3 of 120 rows, here first');
  });

  it('are found where the same word stands several times among numbers', async () => {
    const strays = (share: number) =>
      `x,label\n${Array.from({ length: 200 }, (_, i) => `${i % share === 7 ? 'broken' : (i * 7) % 131},${'ab'[i % 2]}`).join('\n')}\n`;
    for (const share of [30, 9]) {
      const source = await open(file('strays.csv', strays(share)));
      expect(kindsOf(source.encoding())).toEqual(['x: number']);
      expect(source.notes).toContain(
        'column x is read as numbers: "broken" has a feature of its own (--column x=category keeps the words)',
      );
    }
  });
});

describe('several files', () => {
  it('are one table, by column names, with rows numbered in each', async () => {
    const first = file('part1.csv', 'x,c,label\n1.5,u,a\n2.5,v,b\n3.5,v,b\n4.5,v,b\n');
    const files = (second: string) =>
      [first, file('part2.csv', second)].map((path) => ({ path, name: path.slice(folder.length + 1) }));
    const source = await openTable(files('label,c,x\na,w,7.5\nb,u,8.5\n'), { format: 'csv', scale: 'none' });
    expect(source.encoding().columns[1]).toMatchObject({ levels: ['u', 'v', 'w'] });
    expect((await read(source)).rows.map(([x]) => x)).toEqual([1.5, 2.5, 3.5, 4.5, 7.5, 8.5]);
    const bad = await fault(() => openTable(files('label,c,x\na,w,7.5\nb,u,oops\n'), { format: 'csv' }));
    expect(bad.message).toContain('part2.csv, row 2, column "x": expected a number; got "oops"; missing:');
  });

  it.each([
    ['c,x\nw,7.5\n', 'no label'],
    ['c,x,label,y,z\nw,7.5,a,1,2\n', 'y, z besides'],
    ['C,x,label,y\nw,7.5,a,1\n', 'no c, and C, y besides'],
    ['7.5,w,b\n8.5,u,a\n', 'no x, c, label, and 7.5, w, b besides (is the first line a header?)'],
  ])('are refused with the difference, if their columns differ: %j', async (text, difference) => {
    const files = [file('part1.csv', 'x,c,label\n1.5,u,a\n2.5,v,b\n'), file('part2.csv', text)];
    const names = files.map((path) => ({ path, name: path.slice(folder.length + 1) }));
    expect((await fault(() => openTable(names, { format: 'csv' }))).message).toBe(
      `part2.csv: expected the same columns as in part1.csv; got ${difference}`,
    );
  });
});

describe('a query', () => {
  it('is a table with the types it says', async () => {
    const path = file('zip.csv', 'zip,x,label\n02134,1,a\n10001,2,b\n02134,3,a\n');
    const source = await openTable([], {
      format: 'sql',
      sql: `SELECT zip::VARCHAR AS zip, x, label FROM read_csv('${path}', all_varchar=true);`,
    });
    expect(source.encoding().columns[0]).toMatchObject({ kind: 'category', levels: ['02134', '10001'] });
    expect(source.encoding()).toMatchObject({ format: 'sql', header: null });
  });

  it('is run once, so that what it gives need not be the same twice', async () => {
    const source = await openTable([], {
      format: 'sql',
      sql: 'SELECT random() AS x, range % 2 AS label FROM range(5000)',
    });
    const { rows } = await read(source);
    const mean = rows.reduce((sum, [x]) => sum + x!, 0) / rows.length;
    expect(Math.abs(mean)).toBeLessThan(1e-12);
    expect((await read(source)).rows).toEqual(rows);
    source.close();
  });

  it('that cannot be run is a fault of its author', async () => {
    const bad = (sql: string) => fault(() => openTable([], { format: 'sql', sql }));
    expect((await bad('SELEC 1')).code).toBe('option-invalid');
    expect((await bad('SELECT nothing FROM range(3)')).code).toBe('option-invalid');
    expect((await bad("SELECT * FROM 'absent.csv'")).code).toBe('source-unreadable');
  });
});

describe('learning an encoding', () => {
  it('gives up categories beyond a hundred thousand', async () => {
    const lines = Array.from({ length: 210_000 }, (_, i) => `v${i % 105_000},${i % 7},${'ab'[i % 2]}`);
    const source = await open(file('many.csv', `c,x,label\n${lines.join('\n')}\n`));
    expect(source.notes).toContain('left out: c (too many values)');
  });
});
