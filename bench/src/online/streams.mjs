import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../data/random.mjs';

/*
 * Streams of labelled records as JSON lines, which every program here reads before its clock starts:
 * [label, {"field": value, …}]. A missing value is an absent field.
 */

/** Published tables of two classes, without header: file, position of the label, and the positive label. */
export const tables = [
  { name: 'sonar', file: 'sonar.csv', label: 60, positive: 'M' },
  { name: 'banknote', file: 'banknote_authentication.csv', label: 4, positive: '1' },
  { name: 'ionosphere', file: 'ionosphere.csv', label: 34, positive: 'g' },
  { name: 'breast-cancer', file: 'breast-cancer-wisconsin.csv', label: 9, positive: '4' },
  { name: 'spambase', file: 'spambase.csv', label: 57, positive: '1' },
  { name: 'adult', file: 'adult-train.csv', label: 14, positive: '>50K' },
];

/** Writes a published table as a shuffled stream. Returns its path; null if the table is absent. */
export function tableStream({ name, file, label, positive }, { from, to }) {
  const path = join(from, file);
  if (!existsSync(path)) return null;
  const rows = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(',').map((cell) => cell.trim()));
  const numbers = rows[0].map((_, c) => rows.every((row) => row[c] === '?' || Number.isFinite(Number(row[c]))));
  const records = rows.map((row) => {
    const cells = row.flatMap((cell, c) =>
      c === label || cell === '?' ? [] : [[`f${c}`, numbers[c] ? Number(cell) : cell]],
    );
    return [row[label] === positive ? 1 : 0, Object.fromEntries(cells)];
  });
  return write(to, name, new Random(1).shuffled(records));
}

/** Writes rows of 30 numbers with mean 0; the class is a noisy linear function of the first six. */
export function numberStream(rows, to) {
  const random = new Random(2);
  const records = Array.from({ length: rows }, () => {
    const x = Array.from({ length: 30 }, () => 2 * random.uniform() - 1);
    const score = x[0] - x[1] + 0.8 * x[2] - 0.6 * x[3] + 0.4 * x[4] - 0.2 * x[5] + 0.4 * (random.uniform() - 0.5);
    return [score > 0 ? 1 : 0, Object.fromEntries(x.map((value, j) => [`x${j}`, value]))];
  });
  return write(to, 'numbers', records);
}

/** Writes records of 15 fields: nine numbers and six categories, of which one is missing now and then. */
export function mixedStream(rows, to) {
  const random = new Random(3);
  const pick = (prefix, count) => `${prefix}${random.below(count)}`;
  const records = Array.from({ length: rows }, () => {
    const record = {
      age: random.below(90),
      income: 1e5 * random.uniform(),
      height: 150 + 50 * random.uniform(),
      visits: random.below(20),
      balance: 2e4 * random.uniform() - 1e4,
      ratio: random.uniform(),
      hour: random.below(24),
      speed: 200 * random.uniform(),
      delay: random.below(60),
      city: pick('city-', 40),
      colour: pick('colour-', 5),
      plan: pick('plan-', 3),
      member: pick('member-', 2),
      trial: pick('trial-', 2),
    };
    if (random.uniform() < 0.9) record.device = pick('device-', 3);
    const score =
      (record.age - 45) / 45 + (record.member === 'member-1' ? 0.3 : -0.3) + (record.plan === 'plan-0' ? -0.3 : 0.1);
    return [score + 0.4 * (random.uniform() - 0.5) > 0 ? 1 : 0, record];
  });
  return write(to, 'mixed', records);
}

function write(folder, name, records) {
  const path = join(folder, `${name}.ndjson`);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}
