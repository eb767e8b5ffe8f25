import type { Reliability, RocCurve } from 'halfspace/metrics';
import { terminal } from '../terminal.ts';
import { count, percent } from './format.ts';

const eighths = '▁▂▃▄▅▆▇█';

/**
 * Returns a line of blocks, one per value, scaled from the least to the largest value. Equal values give middle blocks.
 */
export function sparkline(values: readonly number[]): string {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return values
    .map((value) => eighths[most === least ? 3 : Math.round((7 * (value - least)) / (most - least))])
    .join('');
}

/** Returns a bar of a share of a width, to an eighth of a column; a share above 0 is never empty. */
export function shareBar(share: number, width: number): string {
  const parts = Math.max(1, Math.round(8 * width * share));
  return '█'.repeat(parts >> 3) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][parts & 7]!;
}

/** Returns the true positive rate at evenly spaced false positive rates, as a line of blocks from 0 to 1. */
export function rocLine({ falsePositiveRates: x, truePositiveRates: y }: RocCurve, width: number): string {
  let i = 0;
  return Array.from({ length: width }, (_, k) => {
    const at = (k + 0.5) / width;
    while (i + 2 < x.length && x[i + 1]! <= at) i++;
    const found = y[i]! + ((at - x[i]!) / (x[i + 1]! - x[i]!)) * (y[i + 1]! - y[i]!);
    return eighths[Math.min(7, Math.floor(8 * found))];
  }).join('');
}

/**
 * Returns a line for each group of rows: predicted probability, observed share and rows, with a bar and a mark for the
 * first two.
 */
export function reliabilityLines({ meanProbabilities, positiveShares, weights }: Reliability, width: number): string[] {
  const bar = Math.max(10, Math.min(30, width - 45));
  const rows = Array.from(weights, count);
  const widest = Math.max(4, ...rows.map((each) => each.length));
  return [
    `${'predicted'.padStart(9)}  ${'observed'.padStart(9)}  ${'rows'.padStart(widest)}  │ predicted, █ observed`,
    ...rows.map((size, i) => {
      const said = Math.min(bar - 1, Math.floor(bar * meanProbabilities[i]!));
      const came = Math.round(bar * positiveShares[i]!);
      const cells = Array.from({ length: bar }, (_, k) => (k === said ? '│' : k < came ? '█' : '░')).join('');
      return `${percent(meanProbabilities[i]!).padStart(9)}  ${percent(positiveShares[i]!).padStart(9)}  ${size.padStart(widest)}  ${cells}`;
    }),
  ];
}

/** Returns the width of the terminal in columns; 80 for a pipe. */
export function terminalWidth(): number {
  return Math.max(40, terminal(1)?.columns ?? 80);
}
