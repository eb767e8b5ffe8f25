// Measures the peak memory of whole processes that learn once, in one pass, from data that can be read only once: rows of
// an async iterator, and streams of CSV and of NDJSON, one line at a time. The table has six numbers, two categories and
// a label. Prints a table in Markdown.
//
//   node bench/src/tables/stream-memory.mjs [--rows 600000] [--passes 1] [--json]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { csv, ndjson, rows, train } from 'halfspace';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '600000' },
    passes: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    source: { type: 'string' },
  },
});

const sources = {
  'rows(async iterator)': () => rows(objects(), { label: 'label' }),
  'csv(stream)': () =>
    csv(
      lines((row) => Object.values(row).join(), 'a,b,c,d,e,f,city,kind,label\n'),
      { label: 'label' },
    ),
  'ndjson(stream)': () => ndjson(lines(JSON.stringify), { label: 'label' }),
};

if (options.source === undefined) report();
else await learn(sources[options.source]());

async function learn(source) {
  const start = performance.now();
  const { report } = await train(source, { rule: 'averaged', passes: Number(options.passes) });
  const seconds = (performance.now() - start) / 1000;
  const mebibytes = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ source: options.source, rows: report.examples, mebibytes, seconds }));
}

function report() {
  const script = fileURLToPath(import.meta.url);
  const results = Object.keys(sources).map((source) => {
    const given = ['--source', source, '--rows', options.rows, '--passes', options.passes];
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...given], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  });
  if (options.json) {
    console.log(JSON.stringify(results));
    return;
  }
  console.log('| source | rows | peak MiB | seconds |\n| --- | --- | --- | --- |');
  for (const { source, rows, mebibytes, seconds } of results)
    console.log(`| \`${source}\` | ${rows} | ${Math.round(mebibytes)} | ${seconds.toFixed(1)} |`);
}

async function* objects() {
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  const decimal = (digits) => Number(random().toFixed(digits));
  for (let i = 0; i < Number(options.rows); i++) {
    const [a, b, c] = [decimal(6), decimal(4), Math.round(random() * 1000)];
    const label = a + b + c / 1000 + 0.3 * random() > 1.6 ? 'yes' : 'no';
    const [d, e, f] = [1000 * decimal(3), Math.floor(100 * random()), decimal(5)];
    yield { a, b, c, d, e, f, city: `city ${Math.floor(40 * random())}`, kind: random() < 0.3 ? 'x' : 'y', label };
  }
}

async function* lines(format, head = '') {
  if (head !== '') yield head;
  for await (const row of objects()) yield `${format(row)}\n`;
}
