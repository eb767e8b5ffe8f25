import { join } from 'node:path';
import { ByteFile } from './byte-file.mjs';
import { Random } from './random.mjs';

/**
 * Records in the manner of a census or of customers: six numbers, seven categories of 2 to 40 levels, a yes or no, a
 * date, and gaps, as CSV and as one JSON object a line. The class is the sign of a noisy sum over some of them.
 */

const levels = { region: 12, work: 8, education: 16, status: 7, occupation: 15, channel: 5, country: 40 };
const gapShare = 0.03;
const noise = 0.6;
const stream = { train: 3, heldout: 4 };

/** @param {'train' | 'heldout'} part */
export function mixedTableWriter(folder, part, count, seed) {
  const random = new Random(seed, stream[part]);
  const csv = new ByteFile(join(folder, `${part}.csv`));
  const json = new ByteFile(join(folder, `${part}.ndjson`));
  let positives = 0;
  let nonzeros = 0;
  for (let i = 0; i < count; i++) {
    const record = recordOf(random);
    if (i === 0) csv.text(`${Object.keys(record).join(',')}\n`);
    if (record.answer === 'yes') positives++;
    nonzeros += Object.values(record).filter((value) => value !== null).length - 1;
    csv.text(`${Object.values(record).join(',')}\n`);
    json.text(`${JSON.stringify(record)}\n`);
  }
  return {
    bytes: { [`${part}.csv`]: csv.close(), [`${part}.ndjson`]: json.close() },
    counts: { examples: count, nonzeros, positives },
  };
}

function recordOf(random) {
  const age = 18 + random.below(60);
  const income = Math.round(100 * Math.exp(8 + 0.6 * random.normal())) / 100;
  const hours = 10 + random.below(50);
  const member = random.uniform() < 0.4;
  const level = Object.fromEntries(
    Object.entries(levels).map(([name, size]) => [name, Math.floor(size * random.uniform() ** 2)]),
  );
  const z =
    (age - 48) / 17 +
    (Math.log(income) - 8) / 0.6 +
    (member ? 0.5 : -0.3) +
    (level.education % 3) -
    (level.occupation % 4) / 2 +
    noise * random.normal();
  const gap = (value) => (random.uniform() < gapShare ? null : value);
  return {
    age: gap(age),
    income: gap(income),
    hours,
    balance: Math.round(1e4 * random.normal()) / 100,
    visits: Math.floor(-8 * Math.log(1 - random.uniform())),
    rating: gap(1 + random.below(5)),
    ...Object.fromEntries(Object.entries(level).map(([name, at]) => [name, gap(`${name}-${at}`)])),
    member,
    since: `20${10 + random.below(15)}-0${1 + random.below(9)}-${10 + random.below(18)}`,
    answer: z > 0.3 ? 'yes' : 'no',
  };
}
