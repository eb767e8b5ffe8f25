import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openTableFile } from 'halfspace/node';
import { type Table, WordList } from 'halfspace/tables';
import { openTables } from '../../../halfspace/src/table/open.ts';
import { type Cells, conformTables, csvOf } from '../../../halfspace/test/table/conformance.ts';
import { query, sqlPath } from '../../src/tables/duckdb.ts';
import { openParquetTable } from '../../src/tables/duckdb-native.ts';
import { temporaryFolder } from '../run.ts';

const folder = temporaryFolder();
let files = 0;

/** Writes a new file, and returns it. */
function fileOf(content: string | Uint8Array, ending: string) {
  const name = `${files++}.${ending}`;
  writeFileSync(join(folder, name), content);
  return { path: join(folder, name), name };
}

const library = { openTables, list: () => new WordList() };
/** The types of the built library and of its sources differ in name only. */
const conform = conformTables as unknown as (title: string, under: object) => void;

for (const ending of ['csv', 'csv.gz']) {
  const openText = (text: string | Uint8Array, tabs = false): Promise<Table> => {
    const content = ending === 'csv' ? text : gzipSync(text);
    return openTableFile(fileOf(content, ending), { format: tabs ? 'tsv' : 'csv' });
  };
  conform(ending === 'csv' ? 'text' : 'text in an archive', {
    ...library,
    openText,
    open: (names: readonly string[], rows: Cells) => openText(csvOf(names, rows)),
  });
}

conform('JSON', {
  ...library,
  open(names: readonly string[], rows: Cells) {
    const lines = rows.map((cells) => JSON.stringify(Object.fromEntries(cells.map((cell, c) => [names[c]!, cell]))));
    return openTableFile(fileOf(lines.join('\n'), 'ndjson'), { format: 'ndjson' });
  },
});

const typed = 'columns of text are text or categories here, whatever their letters are';
conform('Parquet', {
  ...library,
  async open(names: readonly string[], rows: Cells) {
    const { path } = fileOf(csvOf(names, rows), 'csv');
    const columns = names.map((name) => `'${name}': 'VARCHAR'`).join(', ');
    const from = `read_csv(${sqlPath(path)}, header=true, auto_detect=false, quote='"', escape='"', columns={${columns}})`;
    const file = { path: `${path}.parquet`, name: `${files}.parquet` };
    await query(`COPY (SELECT * FROM ${from}) TO ${sqlPath(file.path)} (FORMAT parquet)`);
    return openParquetTable(file);
  },
  exceptions: { kinds: typed, notes: typed, 'faults of kinds': typed },
});
