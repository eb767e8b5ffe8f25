import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { TableEncoding } from 'halfspace';
import { cellReader } from 'halfspace/export';
import type { exportOptions } from '../options.ts';
import { allowMemory, query, sqlName, sqlPath } from '../tables/duckdb.ts';
import { startC } from './c.ts';
import type { Answer, Consumer, Exported, StartConsumer } from './consumer.ts';
import { startOnnx } from './onnx.ts';
import { isInstalled, run } from './programs.ts';
import type { AskedRow } from './rows.ts';
import { startScikitLearn } from './scikit-learn.ts';

/** The consumer of each target of `export`. */
export const consumers: Readonly<Record<keyof typeof exportOptions, StartConsumer>> = {
  javascript: (exported) => startJavaScript(exported, 'js'),
  typescript: (exported) => startJavaScript(exported, 'ts'),
  c: startC,
  sql: startDuckDb,
  onnx: startOnnx,
  liblinear: startLiblinear,
  'scikit-learn': startScikitLearn,
};

/** Asks `liblinear-predict`, which tells classes only. */
async function startLiblinear({ model, text, folder }: Exported): Promise<Consumer | string> {
  const program = ['liblinear-predict', 'predict-liblinear'].find(isInstalled);
  if (program === undefined) return 'liblinear-predict is not installed';
  const names = new Map(model.classes.map((name) => [Number(name), name]));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('model'), text);
  return {
    name: program,
    exact: false,
    async ask(rows) {
      const lines = (rows as readonly { indices: readonly number[]; values: readonly number[] }[]).map(
        ({ indices, values }) => {
          const pairs = indices.map((j, k) => [j, values[k]!] as const).sort(([a], [b]) => a - b);
          return `${[...names.keys()][0]} ${pairs.map(([j, x]) => `${j}:${x}`).join(' ')}`;
        },
      );
      writeFileSync(file('rows'), `${lines.join('\n')}\n`);
      await run(program, [file('rows'), file('model'), file('classes')]);
      const classes = readFileSync(file('classes'), 'utf8').trimEnd().split('\n');
      return classes.map(
        (label): Answer => ({ class: names.get(Number(label)) ?? label, scores: null, probabilities: null }),
      );
    },
    close() {},
  };
}

/**
 * The thread that asks. It loads the program as a page or a service does, as a module from a file; nothing is evaluated
 * in the command itself.
 */
const asking = (program: string) => `import { parentPort } from 'node:worker_threads';
let program;
try {
  const loaded = await import(${JSON.stringify(program)});
  program = loaded.default ?? loaded;
  parentPort.postMessage(null);
} catch (error) {
  parentPort.postMessage(String(error));
}
const answer = (row) => {
  try {
    return {
      class: program.predict(row),
      scores: program.scores === undefined ? [program.score(row)] : program.scores(row),
      probabilities: program.probabilities === undefined ? null : program.probabilities(row),
    };
  } catch (error) {
    return { refused: String(error) };
  }
};
parentPort.on('message', (rows) => parentPort.postMessage(rows.map(answer)));
`;

/** Loads a JavaScript or TypeScript program in a thread of this process. */
async function startJavaScript({ text, options, folder }: Exported, type: 'js' | 'ts'): Promise<Consumer | string> {
  const { form = 'module', name = 'model' } = options;
  const file = `program.${type === 'ts' ? 'ts' : form === 'commonjs' ? 'cjs' : 'mjs'}`;
  writeFileSync(join(folder, file), form === 'function' ? `${text}export default ${name};\n` : text);
  writeFileSync(join(folder, 'asking.mjs'), asking(`./${file}`));
  const worker = new Worker(pathToFileURL(join(folder, 'asking.mjs')), { stdout: true, stderr: true });
  const next = <Message>() =>
    new Promise<Message>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  const fault = await next<string | null>();
  if (fault !== null) {
    await worker.terminate();
    if (type === 'ts' && fault.includes('Unknown file extension'))
      return `this runtime (${runtime()}) cannot load TypeScript; Node.js 22.18 and later can`;
    throw new Error(`the program cannot be loaded: ${fault}`);
  }
  return {
    name: runtime(),
    exact: true,
    ask(rows) {
      worker.removeAllListeners('error');
      const answers = next<readonly Answer[]>();
      worker.postMessage(rows);
      return answers;
    },
    close: () => void worker.terminate(),
  };
}

function runtime(): string {
  const { bun, deno } = process.versions;
  return bun !== undefined ? `Bun ${bun}` : deno !== undefined ? `Deno ${deno}` : `Node.js ${process.versions.node}`;
}

const types = {
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'TIMESTAMP',
  category: 'VARCHAR',
  text: 'VARCHAR',
  set: 'VARCHAR',
};

/** Memory of DuckDB in megabytes: lists of levels are joined. */
const memory = 512;

/** Runs a query in DuckDB, over a table with the typed cells of DATA. */
async function startDuckDb({ model, text, options, folder }: Exported): Promise<Consumer | string> {
  const { dialect = 'duckdb', table = 'data' } = options;
  if (dialect !== 'duckdb')
    return `this command can ask DuckDB only, and the query is for ${dialect}: run it there, over a table with known scores`;
  const features = model.features as TableEncoding;
  const { columns } = features;
  const outputs = model.classes.length === 2 ? 1 : model.classes.length;
  const shares = model.calibration === null ? 0 : outputs;
  const readers = columns.map((column) => cellReader(column, features));
  let place = 'place';
  while (columns.some(({ name }) => name.toLowerCase() === place)) place = `_${place}`;
  const path = join(folder, 'rows.ndjson');
  const read = `read_json(${sqlPath(path)}, format = 'newline_delimited', columns = { ${['place: INTEGER', ...columns.map(({ kind }, c) => `c${c}: ${kind === 'date' ? 'BIGINT' : types[kind]}`)].join(', ')} })`;
  const selected = columns.map(({ name, kind }, c) =>
    kind === 'date' ? `make_timestamp(c${c}) AS ${sqlName(name)}` : `c${c} AS ${sqlName(name)}`,
  );
  const name = table.split('.').map(sqlName);
  await allowMemory(memory);
  const [[version]] = (await query('SELECT version()')) as [[string]];
  if (name.length > 2) await query(`ATTACH IF NOT EXISTS ':memory:' AS ${name[0]}`);
  if (name.length > 1) await query(`CREATE SCHEMA IF NOT EXISTS ${name.slice(0, -1).join('.')}`);
  const cellOf = (row: AskedRow, c: number) => {
    const { kind, name } = columns[c]!;
    // A database has the cells of a category as they are.
    if (kind === 'category' || kind === 'set') return (row as Readonly<Record<string, string | null>>)[name];
    const x = readers[c]!(row) as number;
    if (Number.isNaN(x)) return null;
    return kind === 'boolean' ? x === 1 : kind === 'date' ? Math.round(x * 86_400_000_000) : x;
  };
  return {
    name: `DuckDB ${version.replace(/^v/, '')}`,
    exact: model.kind === 'tree' && model.calibration === null,
    async ask(rows) {
      const lines = rows.map((row, i) =>
        JSON.stringify(Object.fromEntries([['place', i], ...columns.map((_, c) => [`c${c}`, cellOf(row, c)])])),
      );
      writeFileSync(path, `${lines.join('\n')}\n`);
      const answers = await query(
        `CREATE OR REPLACE TABLE ${name.join('.')} AS SELECT ${[`place AS ${sqlName(place)}`, ...selected].join(', ')} FROM ${read}`,
        `SELECT * FROM (\n${text}\n) ORDER BY ${sqlName(place)}`,
      );
      return answers.map((row): Answer => {
        const own = row.slice(-(outputs + 1 + shares));
        const p = own.slice(outputs + 1).map(Number);
        return {
          class: String(own[outputs]),
          scores: own.slice(0, outputs).map(Number),
          probabilities: shares === 0 ? null : shares === 1 ? [1 - p[0]!, p[0]!] : p,
        };
      });
    },
    close() {},
  };
}
