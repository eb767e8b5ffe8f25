import { resolve } from 'node:path';
import { HalfspaceError } from 'halfspace';
import { query, sqlName, sqlPath, sqlText } from './duckdb.ts';
import { tableFault } from './faults.ts';
import { checkArchive, type FileHead, headText, readHead, type TableFile } from './file-head.ts';
import { JsonLines, parsed } from './json-lines.ts';
import { columnTypes, formatObject } from './native-table.ts';
import { isNested, type SourceColumn, type Table } from './table.ts';

/**
 * Opens JSON: a list of objects, one object per line, or objects one after the other.
 *
 * The columns are all keys of all objects. Values are read as the cells of a text table are, so that "7" and 7 are the same,
 * and numbers may be missing as "NA".
 *
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openJsonTable(file: TableFile, format: 'json' | 'ndjson', tolerant: boolean): Promise<Table> {
  const name = file.name;
  const head = await readHead(file);
  const text = headText(head, name).trimStart();
  if (text === '') throw new HalfspaceError('source-empty', 'expected a table; got blank lines', { source: name });
  if (text[0] !== '[' && text[0] !== '{')
    throw new HalfspaceError('source-corrupt', 'expected JSON objects; got other text', { source: name });
  const layout = format === 'ndjson' ? 'newline_delimited' : layoutOf(text, head.whole, name);
  const options = `${sqlPath(resolve(file.path))}, format='${layout}', compression='${compressionName(head.compression)}', maximum_object_size=8388608`;
  const inLines = layout === 'newline_delimited';

  const lines = inLines ? new JsonLines(file) : null;
  const fault = async (error: unknown) => (await lines?.firstFault().catch(() => null)) ?? tableFault(error, name);
  let columns: SourceColumn[];
  try {
    columns = await findColumns(options, tolerant && inLines);
  } catch (error) {
    if (head.compression !== 'none') await checkArchive(file);
    throw await fault(error);
  }
  if (columns.length === 1 && columns[0]!.name === 'json' && !/"json"\s*:/.test(text))
    throw new HalfspaceError('row-malformed', 'expected an object per row; got other values', { source: name });

  const types = columns.map((column) => `${sqlName(column.name)}: 'VARCHAR'`).join(', ');
  const strict = `read_json(${options}, columns={${types}})`;
  // The fields of lines that are objects, and a flag for the others.
  let flag = 'damaged';
  while (columns.some((column) => column.name.toLowerCase() === flag)) flag += '_';
  const fields = sqlText(`{${columns.map((column) => `${JSON.stringify(column.name)}:"VARCHAR"`).join(',')}}`);
  const flagged =
    `(SELECT unnest(json_transform(CASE WHEN damaged THEN '{}'::JSON ELSE json END, ${fields})), damaged AS ${flag} FROM ` +
    `(SELECT json, json IS NULL OR json_type(json) <> 'OBJECT' AS damaged FROM read_ndjson_objects(${options}, ignore_errors=true)))`;
  return {
    name,
    columns,
    header: null,
    notes: [],
    damaged: lines !== null && tolerant ? { flag, describe: (row) => lines.fault(row) } : null,
    from: (lenient) => (lenient && inLines ? flagged : strict),
    dropped: async () => [],
    mend: async () => false,
    check: async () => {
      if (head.compression !== 'none') await checkArchive(file);
    },
    fault,
    format: (cells) => formatObject(columns, cells),
  };
}

/** All keys of all objects, in the order in which they first come. */
async function findColumns(options: string, tolerant: boolean): Promise<SourceColumn[]> {
  // Two levels tell scalars from what is nested; no limit on rows, lest a key that comes late be overlooked.
  const types = await columnTypes(
    `read_json(${options}, sample_size=-1, maximum_depth=2, map_inference_threshold=-1, field_appearance_threshold=0, ` +
      `convert_strings_to_integers=false, ignore_errors=${tolerant})`,
  );
  const keys =
    tolerant && types.length === 1 && types[0]![0] === 'json'
      ? await query(
          `SELECT key FROM (SELECT unnest(json_keys(json)) AS key, row_number() OVER () AS row, unnest(range(len(json_keys(json)))) AS place ` +
            `FROM read_ndjson_objects(${options}, ignore_errors=true) WHERE json_type(json) = 'OBJECT') GROUP BY key ORDER BY min(row), min(place)`,
        )
      : types;
  // What DuckDB calls JSON are scalars of several types.
  return keys.map(([key, type]) => ({
    name: String(key),
    sql: sqlName(String(key)),
    type: typeof type === 'string' && isNested(type) ? 'nested' : 'cell',
  }));
}

function compressionName(compression: FileHead['compression']): string {
  return compression === 'none' ? 'uncompressed' : compression;
}

function layoutOf(text: string, whole: boolean, source: string): string {
  if (text[0] === '[') return 'array';
  const line = text.slice(0, text.search(/\r?\n|$/));
  if (parsed(line) !== undefined && !(whole && text.trimEnd() === line.trimEnd())) return 'newline_delimited';
  if (whole && parsed(text) !== undefined)
    throw new HalfspaceError('row-malformed', 'expected a list of objects, or an object per line; got one object', {
      source,
    });
  return 'unstructured';
}
