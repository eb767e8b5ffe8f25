// A process that learns once, in one pass, from data that can be read only once: rows of an async iterator, or a stream of
// CSV or NDJSON, one line at a time. The table has six numbers, two categories and a label. Prints its rows and peak memory.
//
//   node stream-memory.mjs SOURCE ROWS
import { csv, ndjson, rows, train } from 'halfspace';

const [, , source, count] = process.argv;

const sources = {
  rows: () => rows(objects(), { label: 'label' }),
  csv: () =>
    csv(
      lines((row) => Object.values(row).join(), 'a,b,c,d,e,f,city,kind,label\n'),
      { label: 'label' },
    ),
  ndjson: () => ndjson(lines(JSON.stringify), { label: 'label' }),
};

const { report } = await train(sources[source](), { rule: 'averaged', passes: 1 });
console.log(JSON.stringify({ rows: report.examples, mebibytes: process.resourceUsage().maxRSS / 1024 }));

async function* objects() {
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  const decimal = (digits) => Number(random().toFixed(digits));
  for (let i = 0; i < Number(count); i++) {
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
