import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeModel, encodeModel } from 'halfspace';
import { trainOnce } from 'halfspace/internal';
import { createKernels } from 'halfspace/rules';
import type { Format } from '../../../packages/cli/src/files/formats.ts';
import { query } from '../../../packages/cli/src/tables/duckdb.ts';
import { openTable } from '../../../packages/cli/src/tables/source.ts';
import { mutateJson } from '../mutate-json.ts';
import { bytesOf, same, type Target } from '../target.ts';

const kernels = createKernels();

export const folder = mkdtempSync(join(tmpdir(), 'halfspace-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function tableTarget(
  format: Format,
  seeds: () => readonly Uint8Array[] | Promise<readonly Uint8Array[]>,
  words: readonly string[],
  mutate?: Target['mutate'],
): Target {
  return {
    name: format,
    words,
    seeds,
    ...(mutate === undefined ? {} : { mutate }),
    async run(bytes, choice) {
      const path = join(folder, `x.${format}`);
      writeFileSync(path, bytes);
      const source = await openTable([{ path, name: `x.${format}` }], {
        format,
        scale: choice % 2 === 0 ? 'standard' : 'none',
        reject: choice % 3 === 0 ? () => {} : undefined,
        header: [undefined, true, false][(choice >>> 4) % 3],
      });
      const { model } = await trainOnce(source, { kernels, passes: 2 });
      const text = encodeModel(model);
      same('a model is read as it was written', encodeModel(decodeModel(text)), text);
    },
  };
}

const of =
  (...texts: string[]) =>
  () =>
    texts.map(bytesOf);

export const tableTargets: readonly Target[] = [
  tableTarget(
    'csv',
    of(
      'a,b,c,y\n1,x,2024-01-01,p\n2,"y, z",2024-02-01,q\n3,,?,p\n4.5,x,2024-03-01,q\n',
      '1,2,0\n3,4,1\r\n5,6,0\n-7,8e-1,1\n',
      'a;y\n"1;0";p\n"say ""hi""\n there";q\n',
      'text,y\nfree prize now for you,spam\nsee you at home later,ham\ncall now for the prize,spam\n',
    ),
    [',', '"', '""', '\n', '\r\n', ';', '\t', 'a,b,y\n', '1,2,p\n', '2,3,q\n', ',p', ',q', '2024-01-01', 'true', '?'],
  ),
  tableTarget('tsv', of('a\ty\nx "q\tp\ny\tq\nz\tp\n', '1\t2\tp\n3\t4\tq\n'), [
    '\t',
    '\n',
    '\tp',
    '\tq',
    '"',
    '1\t2\tp\n',
  ]),
  tableTarget(
    'json',
    of(
      '[{"a": 1, "b": "x", "y": true}, {"a": null, "b": "z", "y": false}, {"a": 2.5, "y": true}]',
      '{"a":1,"y":"p"}{"a":2,"y":"q"}',
      '[{"a": [1, 2], "b": {"c": 3}, "y": 1}, {"a": [3], "b": {"c": 4}, "y": 0}]',
    ),
    [
      '{',
      '}',
      '[',
      ']',
      ',',
      '{"a": 1, "y": "p"},',
      '{"a": 2, "y": "q"}',
      '"A": 1,',
      '"a": 2,',
      '"y": "p"',
      'null',
      '\\u0000',
    ],
    mutateJson,
  ),
  tableTarget(
    'ndjson',
    of('{"a": 1, "y": "p"}\n{"a": 2, "y": "q"}\n{"a": 3, "y": "p"}\n', '{"a":"x","b":true,"y":1}\n\n{"a":"z","y":0}\n'),
    ['{"a": 1, "y": "p"}\n', '{"a": 2, "y": "q"}\n', '"A": 1,', '{', '}', '[', ']', '\n', 'null', ','],
  ),
  tableTarget('parquet', async () => {
    const path = join(folder, 'seed.parquet');
    await query(
      `COPY (SELECT i AS a, i % 3 AS b, 'w' || i % 4 AS c, i % 2 = 0 AS y FROM range(40) t(i)) TO '${path}' (FORMAT parquet)`,
    );
    return [readFileSync(path)];
  }, ['PAR1', '\x15', '\x19', '\x1c', '\x00', '\x28', '\x01', '\x7f']),
];
