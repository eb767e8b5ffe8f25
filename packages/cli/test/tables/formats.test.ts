import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { HalfspaceError } from 'halfspace';
import { afterAll, describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { query, sqlName, sqlText } from '../../src/tables/duckdb.ts';
import { halfspace } from '../run.ts';
import { openTable, type TableOptions, type TableSource } from '../support/open-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-formats-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Value = number | string | boolean | null;
interface Column {
  readonly name: string;
  readonly type: 'DOUBLE' | 'VARCHAR' | 'BOOLEAN' | 'DATE';
  readonly values: readonly Value[];
}

const formats = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'csv.gz'] as const;

/** Names that readers may take for others: alike but for their case, members of objects, signs of SQL and of CSV. */
const names = fc.uniqueArray(
  fc.constantFrom(
    ...[
      'xx',
      'XX',
      'xX',
      'É',
      'é',
      '__proto__',
      'constructor',
      'a.b',
      'say "so"',
      'q,q',
      "it's",
      'line\nend',
      '1a',
      'select',
      'x_1',
      'ß',
      'SS',
    ],
  ),
  { minLength: 1, maxLength: 6 },
);

const cellsOf = {
  DOUBLE: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((value) => value + 0),
  VARCHAR: fc.constantFrom('red', 'blue', 'Blue', 'light, blue', 'say "so"', 'ünï', "it's", 'two\nlines'),
  BOOLEAN: fc.boolean(),
  DATE: fc.integer({ min: 0, max: 20000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
} as const;

const tables: fc.Arbitrary<Column[]> = names.chain((all) =>
  fc.tuple(
    ...all.map((name) =>
      fc
        .constantFrom('DOUBLE' as const, 'VARCHAR' as const, 'BOOLEAN' as const, 'DATE' as const)
        .chain((type) =>
          fc
            .array(fc.option(cellsOf[type] as fc.Arbitrary<Value>, { freq: 8 }), { minLength: 12, maxLength: 12 })
            .map((values): Column => ({ name, type, values })),
        ),
    ),
  ),
);

const labels: Column = {
  name: 'label',
  type: 'VARCHAR',
  values: Array.from({ length: 12 }, (_, i) => ['no', 'yes'][i % 2]!),
};

function delimited(columns: readonly Column[], delimiter: string): string {
  const cell = (value: Value) => `"${value === null ? '' : String(value).replaceAll('"', '""')}"`;
  const lines = [
    columns.map(({ name }) => cell(name)),
    ...columns[0]!.values.map((_, i) => columns.map(({ values }) => cell(values[i]!))),
  ];
  return `${lines.map((line) => line.join(delimiter)).join('\n')}\n`;
}

function objects(columns: readonly Column[]): string[] {
  return columns[0]!.values.map(
    (_, i) =>
      `{${columns.map(({ name, values }) => `${JSON.stringify(name)}: ${JSON.stringify(values[i])}`).join(', ')}}`,
  );
}

/** DuckDB does not write names that differ in case only: they are put in the place of others that are as long. */
async function parquet(path: string, columns: readonly Column[]): Promise<void> {
  const standIns = columns.map(({ name }, c) => `~${c}`.padEnd(Buffer.byteLength(name), '~'));
  const literal = (value: Value, type: string) =>
    value === null ? 'NULL' : typeof value === 'string' ? `${type} ${sqlText(value)}` : `CAST('${value}' AS ${type})`;
  const rows = columns[0]!.values.map(
    (_, i) => `(${columns.map(({ values, type }) => literal(values[i]!, type)).join(', ')})`,
  );
  await query(
    `COPY (SELECT * FROM (VALUES ${rows.join(', ')}) t(${standIns.map(sqlName).join(', ')})) TO ${sqlText(path)} (FORMAT parquet, COMPRESSION uncompressed)`,
  );
  let bytes = readFileSync(path).toString('latin1');
  columns.forEach(({ name }, c) => {
    bytes = bytes.replaceAll(standIns[c]!, Buffer.from(name).toString('latin1'));
  });
  writeFileSync(path, Buffer.from(bytes, 'latin1'));
}

async function write(format: (typeof formats)[number], columns: readonly Column[], path: string): Promise<void> {
  if (format === 'csv') writeFileSync(path, delimited(columns, ','));
  else if (format === 'tsv') writeFileSync(path, delimited(columns, '\t'));
  else if (format === 'json') writeFileSync(path, `[${objects(columns).join(',\n')}]`);
  else if (format === 'ndjson') writeFileSync(path, `${objects(columns).join('\n')}\n`);
  else if (format === 'csv.gz') writeFileSync(path, gzipSync(delimited(columns, ',')));
  else await parquet(path, columns);
}

function open(path: string, options: Partial<TableOptions> = {}): Promise<TableSource> {
  const format = /\.(csv|tsv|json|ndjson|parquet)/.exec(path)![1] as TableOptions['format'];
  return openTable([{ path, name: 'table' }], { format, ...options });
}

/** All that a model is learned from: what columns mean, and the numbers. */
async function learned(path: string): Promise<unknown> {
  let source: TableSource;
  try {
    // A name may also be a value, which else tells that the first line is data.
    source = await open(path, { header: true });
  } catch (error) {
    return (error as HalfspaceError).message;
  }
  const { format: _, header: __, ...encoding } = source.encoding();
  const batches: unknown[] = [];
  for await (const batch of source.batches()) {
    const end = batch.kind === 'dense' ? batch.rows * batch.dimension : batch.offsets[batch.rows]!;
    batches.push(Array.from(batch.values.subarray(0, end)), Array.from(batch.labels.subarray(0, batch.rows)));
    if (batch.kind !== 'dense') batches.push(Array.from(batch.indices.subarray(0, end)));
  }
  return { encoding, batches };
}

describe('a table', () => {
  it('is the same in every format', async () => {
    await forAllAsync(25, tables, async (columns) => {
      const all = [...columns, labels];
      let first: unknown;
      for (const format of formats) {
        const path = join(folder, `table.${format}`);
        await write(format, all, path);
        const found = await learned(path);
        first ??= found;
        expect(found, format).toEqual(first);
      }
    });
  });

  it('keeps keys of JSON and columns of Parquet that differ in case only', async () => {
    const columns: Column[] = [
      { name: 'xx', type: 'DOUBLE', values: labels.values.map((_, i) => i % 5) },
      { name: 'XX', type: 'DOUBLE', values: labels.values.map((_, i) => (i * 7) % 4) },
      labels,
    ];
    for (const format of formats) {
      const path = join(folder, `case.${format}`);
      await write(format, columns, path);
      const { encoding } = (await learned(path)) as { encoding: { columns: { name: string; mean: number }[] } };
      expect(
        encoding.columns.map(({ name }) => name),
        format,
      ).toEqual(['xx', 'XX']);
    }
  });

  it('has the columns of its file, whatever the folders above are called', async () => {
    const inner = join(folder, 'xx=5', 'label=none', 'a*b[c]?');
    mkdirSync(inner, { recursive: true });
    const columns: Column[] = [{ name: 'xx', type: 'DOUBLE', values: labels.values.map((_, i) => i % 5) }, labels];
    for (const format of formats) {
      for (const path of [join(folder, `plain.${format}`), join(inner, `*.${format}`)])
        await write(format, columns, path);
      expect(await learned(join(inner, `*.${format}`)), format).toEqual(await learned(join(folder, `plain.${format}`)));
    }
  });
});

const fault = async (name: string, content: string | Uint8Array, options: Partial<TableOptions> = {}) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  try {
    const source = await openTable([{ path, name }], { format: name.split('.').at(-1) as 'csv', ...options });
    for await (const _ of source.batches());
  } catch (error) {
    return (error as Error).message;
  }
  return 'no fault';
};

describe('JSON', () => {
  const rows = '{"x":1,"label":"a"}\n{"x":2,"label":"b"}\n';
  const deep = (levels: number) => `{"x":${'['.repeat(levels)}${']'.repeat(levels)},"label":"a"}`;

  it('may be nested up to a limit, and is refused beyond it', async () => {
    const message = 'expected JSON nested at most 1,000 levels deep; got deeper nesting';
    expect(await fault('deep.ndjson', `${rows}${deep(999)}\n${deep(999)}\n`)).toBe(
      'deep.ndjson: expected a column to learn from; got x (nested)',
    );
    for (const levels of [1000, 20_000, 2_000_000]) {
      expect(await fault('deep.ndjson', `${rows}${deep(levels)}\n`)).toBe(`deep.ndjson:3: ${message}`);
      expect(await fault('deep.json', `[${deep(levels)}]`)).toBe(`deep.json, row 1: ${message}`);
    }
    expect(await fault('deep.ndjson', `${'{"a":'.repeat(20_000)}`)).toBe(`deep.ndjson:1: ${message}`);
  });

  it('is refused where keys hardly ever repeat, so that a small file would be a large table', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `{"k${i}":1,"label":"${'ab'[i % 2]}"}\n`);
    expect(await fault('keys.ndjson', lines.join(''))).toBe(
      'keys.ndjson: expected objects that share their keys; got 20000 objects and 20001 keys, but only 40000 values',
    );
  });

  it('of a certificate has a limit too', () => {
    writeFileSync(
      join(folder, 'deep.certificate.json'),
      `{"format":"halfspace-certificate","digest":"","data":${'['.repeat(300_000)}${']'.repeat(300_000)}}`,
    );
    const { status, err } = halfspace(folder, ['check', 'deep.certificate.json', 'deep.ndjson']);
    expect([status, err]).toEqual([
      3,
      'halfspace: deep.certificate.json: expected a certificate; got JSON that is nested too deeply\n',
    ]);
  });

  it('is refused where it says two things, or none', async () => {
    expect(await fault('twice.ndjson', `${rows}{"x":1,"label":"a","x":3}\n`)).toBe(
      'twice.ndjson:3: expected every key of an object once; got "x" twice',
    );
    expect(await fault('twice.ndjson', `${rows}{"x":1,"label":"a","\\u0078":3}\n`)).toContain('got "x" twice');
    expect(await fault('comma.ndjson', `${rows}{"x":1,"label":"a",}\n`)).toContain('comma.ndjson:3: expected JSON');
    expect(await fault('behind.json', '[{"x":1,"label":"a"}] 5')).toContain('row 2: expected JSON; got "5"');
    expect(await fault('cut.json', '[{"x":1,"label":"a"},')).toContain('row 2: expected JSON; got the end');
  });

  it('is read as JavaScript reads it, member by member', async () => {
    const { knownColumns, jsonRows } = await import('../../../halfspace/src/table/json/rows.ts');
    const keys = ['a', 'A', '__proto__', 'k"\\\n'];
    const columns = keys.map((name, position) => ({ name, type: 'cell' as const, position }));
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.constantFrom(null, true, false, 1e-7, 0.000001, 1e21, 123456789012345680000, -0),
    );
    await forAllAsync(
      500,
      fc.array(fc.uniqueArray(fc.tuple(fc.constantFrom(...keys), value), { selector: ([key]) => key }), {
        maxLength: 5,
      }),
      fc.constantFrom('lines' as const, 'values' as const),
      fc.constantFrom(undefined, 1),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
      async (all, layout, indent, sizes) => {
        const texts = all.map((members) => {
          const parts = members.map(([key, cell]) => `${JSON.stringify(key)}:${JSON.stringify(cell)}`);
          return layout === 'lines' ? `{${parts.join(',')}}` : `{ ${parts.join(indent ? '\n ,' : ',')}\n}`;
        });
        const bytes = Buffer.from(layout === 'lines' ? texts.join('\r\n') : `[${texts.join(' , ')}]`);
        async function* pieces() {
          for (let at = 0, k = 0; at < bytes.length; at += sizes[k++ % sizes.length]!)
            yield bytes.subarray(at, at + sizes[k % sizes.length]!);
        }
        const found: (readonly (string | null)[])[] = [];
        for await (const rows of jsonRows(pieces(), 'text', layout, knownColumns(columns)))
          for (const { cells, rejected } of rows) {
            expect(rejected?.().error.message).toBeUndefined();
            found.push(cells);
          }
        const expected = all.map((members) =>
          keys.map((key) => {
            const cell = members.find(([name]) => name === key)?.[1] ?? null;
            return cell === null ? null : String(typeof cell === 'number' ? cell + 0 : cell);
          }),
        );
        expect(found).toEqual(expected);
      },
    );
  });
});

describe('text tables', () => {
  it('lose no row behind one that is set aside', async () => {
    for (const bad of ['"2"z,b', '2', '2,b,3', '"\xff",b']) {
      const path = join(folder, 'aside.csv');
      writeFileSync(path, Buffer.from(`x,label\n1,a\n${bad}\n3,b\n4,a\n"5",b\n`, 'latin1'));
      const rejected: string[] = [];
      const source = await open(path, { reject: ({ text }) => rejected.push(text) });
      let rows = 0;
      for await (const batch of source.batches()) rows += batch.rows;
      expect([rows, rejected.length], bad).toEqual([4, 1]);
    }
  });

  it.each(['csv', 'tsv'])('may have a header of any length, and very many columns: %s', async (format) => {
    const delimiter = format === 'csv' ? ',' : '\t';
    const width = 20_000;
    const header = Array.from(
      { length: width },
      (_, c) => `a rather long name, so that there are many bytes of it: ${c}`,
    );
    const lines = Array.from({ length: 12 }, (_, i) =>
      [...header.map((__, c) => (i * c) % 7), 'ab'[i % 2]].join(delimiter),
    );
    const names = header.map((name) => (format === 'csv' ? `"${name}"` : name)).join(delimiter);
    const path = join(folder, `wide.${format}`);
    writeFileSync(path, `${names}${delimiter}label\n${lines.join('\n')}\n`);
    const source = await open(path, { scale: 'none' });
    expect(source.encoding().columns).toHaveLength(width - Math.ceil(width / 7));
    let rows = 0;
    for await (const batch of source.batches()) {
      expect(Array.from(batch.values.subarray(0, 3))).toEqual([0, 0, 0].map((_, c) => (rows * (c + 1)) % 7));
      rows += batch.rows;
    }
    expect(rows).toBe(12);
  });

  it('are refused when a line has no end', async () => {
    expect(await fault('endless.csv', `x,label\n1,a\n2,b\n"${'a\n'.repeat(2_000_000)}`)).toContain(
      'endless.csv:4: expected a line of at most 2,097,152 bytes; got a longer one',
    );
    expect(await fault('endless.csv', Buffer.alloc(65 * 1024 * 1024, 'a'))).toContain(
      'endless.csv:1: expected a line of at most 67,108,864 bytes; got a longer one',
    );
  });
});

describe('a file that changes while it is read', () => {
  it.each(formats)('is an error, although what is left reads well: %s', async (format) => {
    const path = join(folder, `changing.${format}`);
    const columns: Column[] = [{ name: 'xx', type: 'DOUBLE', values: labels.values.map((_, i) => i % 5) }, labels];
    await write(format, columns, path);
    const { encoding } = { encoding: (await open(path)).encoding() };
    const source = await open(path, { encoding });
    const rows = columns.map((column) => ({ ...column, values: column.values.slice(0, 6) }));
    await expect(async () => {
      for await (const _ of source.batches()) await write(format, rows, path);
    }).rejects.toThrow(
      /^table: expected a file that stays as it is while it is read; got one that was (cut|enlarged|written|replaced)/,
    );
  });
});

/** What a model gets to see of a table, and what is said about it. */
async function seen(source: () => Promise<TableSource>, rejected: readonly string[]): Promise<unknown> {
  const rows: number[][] = [];
  let notes: readonly string[] = [];
  let fault = '';
  try {
    const opened = await source();
    for await (const batch of opened.batches())
      for (let i = 0; i < batch.rows; i++) {
        const [from, to] =
          batch.kind === 'dense'
            ? [i * batch.dimension, (i + 1) * batch.dimension]
            : [batch.offsets[i]!, batch.offsets[i + 1]!];
        rows.push([
          ...(batch.kind === 'dense' ? [] : batch.indices.subarray(from, to)),
          ...batch.values.subarray(from, to),
        ]);
      }
    ({ notes } = opened);
  } catch (error) {
    fault = `${(error as HalfspaceError).code}: ${(error as Error).message}`;
  }
  return { rows, fault, rejected, notes };
}

describe('a pipe', () => {
  const columns: Column[] = [
    { name: 'size', type: 'DOUBLE', values: labels.values.map((_, i) => (i % 5) / 2) },
    { name: 'colour', type: 'VARCHAR', values: labels.values.map((_, i) => ['red', 'light, blue', 'ünï'][i % 3]!) },
    labels,
  ];
  const bad = {
    csv: [
      '',
      '1,red\n',
      '"1"x,red,no\n',
      '1,"re\nd",no\n',
      'many,red,no\n',
      '1,red,no,\n',
      '1,"red',
      '\r\n',
      '2,gr\u00e9y,yes\r\n',
    ],
    tsv: ['', '1\tred\n', '1\t"red\tno\n', 'many\tred\tno\n', '\n'],
    ndjson: [
      '',
      '7\n',
      '{"size":\n',
      '{"size":[1]}\n',
      '{"colour":"red","colour":"red"}\n',
      '{}\n',
      '\n',
      '{"size":"many"}\n',
      '{"x":1}',
    ],
    json: ['', ',7', ',{"size":"many"}', ',{"size":{}}', ',{}', ',', ']', '5', ',{"x":'],
  } as const;

  it.each(['csv', 'tsv', 'ndjson', 'json'] as const)('gives what its content gives in a file: %s', async (format) => {
    const trained = join(folder, `trained.${format}`);
    await write(format, columns, trained);
    const encoding = (await open(trained)).encoding();
    const head = { csv: 'size,colour,label\n', tsv: 'size\tcolour\tlabel\n', ndjson: '', json: '[' }[format];
    const good = {
      csv: ['1,red,no\n', '2.5,"light, blue",yes\n', ',ünï,\n'],
      tsv: ['1\tred\tno\n', '2.5\tlight, blue\tyes\n', '\tünï\t\n'],
      ndjson: ['{"size":1,"colour":"red"}\n', '{"colour":"light, blue"}\n', '{"size":2.50,"colour":null}\n'],
      json: ['{"size":1,"colour":"red"}', ',{"colour":"light, blue"}', ',{"size":2.50,"colour":null}'],
    }[format];
    const path = join(folder, `same.${format}`);
    await forAllAsync(
      150,
      fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...good) }, fc.constantFrom(...bad[format])), {
        maxLength: 12,
      }),
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      async (parts, tolerant, sizes) => {
        const content = Buffer.from(`${head}${parts.join('')}${format === 'json' ? ']' : ''}`);
        writeFileSync(path, content);
        async function* pieces() {
          for (let at = 0, k = 0; at < content.length; at += sizes[k++ % sizes.length]!) {
            if (k % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
            yield content.subarray(at, at + sizes[k % sizes.length]!);
          }
        }
        const look = (more: Partial<TableOptions>) => {
          const rejected: string[] = [];
          const reject: TableOptions['reject'] = ({ error, text }) => rejected.push(`${error.message} | ${text}`);
          const options = { encoding, labelsNeeded: false, once: true, ...(tolerant ? { reject } : {}), ...more };
          return seen(() => open(path, options), rejected);
        };
        expect(await look({ pipes: new Map([[path, pieces()]]) })).toEqual(await look({}));
      },
    );
  });
});
