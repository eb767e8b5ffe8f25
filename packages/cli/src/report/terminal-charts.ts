import type { Reliability, RocCurve } from 'halfspace';
import { count, percent } from './format.ts';

const eighths = '▁▂▃▄▅▆▇█';

/** A line of blocks, one a value, from the least to the most of them; all alike in the middle. */
export function sparkline(values: readonly number[]): string {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return values
    .map((value) => eighths[most === least ? 3 : Math.round((7 * (value - least)) / (most - least))])
    .join('');
}

/** The share found, at evenly spaced shares of others taken for the class, as a line of blocks from 0 to 1; straight between points. */
export function rocLine({ falsePositiveRates: x, truePositiveRates: y }: RocCurve, width: number): string {
  let i = 0;
  return Array.from({ length: width }, (_, k) => {
    const at = (k + 0.5) / width;
    while (i + 2 < x.length && x[i + 1]! <= at) i++;
    const found = y[i]! + ((at - x[i]!) / (x[i + 1]! - x[i]!)) * (y[i + 1]! - y[i]!);
    return eighths[Math.min(7, Math.floor(8 * found))];
  }).join('');
}

/** Said, came true and rows of each group, with a bar for the share that came true and a mark where it was said to be. */
export function reliabilityLines({ meanProbabilities, positiveShares, weights }: Reliability, width: number): string[] {
  const bar = Math.max(10, Math.min(30, width - 45));
  const rows = Array.from(weights, count);
  const widest = Math.max(4, ...rows.map((each) => each.length));
  return [
    `${'said'.padStart(9)}  ${'came true'.padStart(9)}  ${'rows'.padStart(widest)}  │ said, █ came true`,
    ...rows.map((told, i) => {
      const said = Math.min(bar - 1, Math.floor(bar * meanProbabilities[i]!));
      const came = Math.round(bar * positiveShares[i]!);
      const cells = Array.from({ length: bar }, (_, k) => (k === said ? '│' : k < came ? '█' : '░')).join('');
      return `${percent(meanProbabilities[i]!).padStart(9)}  ${percent(positiveShares[i]!).padStart(9)}  ${told.padStart(widest)}  ${cells}`;
    }),
  ];
}

/** Columns that there are to write in; 80 in a pipe. */
export function terminalWidth(): number {
  return Math.max(40, process.stdout.columns ?? 80);
}
