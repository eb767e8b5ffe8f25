import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from 'halfspace/runs';
import { afterAll } from 'vitest';

/** Makes a folder that is removed after all tests of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfspace-runtimes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** libsvm text of 100 features with decimals, so that another order of summation would show. */
export function libsvmText(rows: number): string {
  const random = new Random(12);
  let text = '';
  for (let i = 0; i < rows; i++) {
    const features = new Map<number, number>();
    for (let k = 0; k < 8; k++) features.set(1 + random.below(100), Math.round((random.uniform() * 3 - 1) * 1e9) / 1e9);
    const sorted = [...features].sort(([a], [b]) => a - b);
    const score = sorted.reduce((sum, [index, value]) => sum + (index % 3 === 0 ? value : -value / 2), 0);
    text += `${score > 0 !== random.uniform() < 0.05 ? 1 : -1} ${sorted.map((pair) => pair.join(':')).join(' ')}\n`;
  }
  return text;
}

/** A table with numbers, words, text, dates and three classes. */
export function csvText(rows: number): string {
  const random = new Random(13);
  const choose = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
  let text = 'size,shade,colour,day,said,kind\n';
  for (let i = 0; i < rows; i++) {
    const [size, shade] = [random.uniform() * 10, random.uniform() - 0.5];
    const colour = choose(['red', 'grün', '"blue, deep"', '日本']);
    const day = `2024-0${1 + random.below(9)}-1${random.below(10)}`;
    const said = `${choose(['free prize', 'see you', 'call me'])} ${choose(['now', 'at home', 'tonight', 'ok'])} ${i % 17}`;
    const kind = size * shade > 0.3 ? 'high' : colour === 'red' && random.uniform() < 0.3 ? 'odd' : 'low';
    text += `${size},${shade.toFixed(3)},${colour},${day},${said},${kind}\n`;
  }
  return text;
}

/** Records with numbers, booleans and missing values. */
export function ndjsonText(rows: number): string {
  const random = new Random(14);
  return Array.from({ length: rows }, () => {
    const [size, sure] = [random.uniform() * 4 - 2, random.below(2) === 1];
    return `${JSON.stringify({ size: random.below(9) === 0 ? null : size, sure, kind: size > 0 === sure ? 'yes' : 'no' })}\n`;
  }).join('');
}
