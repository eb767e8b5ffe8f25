import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The least, the median and the most of several runs. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** A program with a task, as `npm run bench` measured it. Its seconds are those of the whole process. */
export interface Contender {
  readonly name: string;
  readonly task: string;
  readonly failure?: string;
  readonly seconds: Spread;
  /** Share of right answers on held-out rows. */
  readonly accuracy: number;
}

/** The parts of the bench's results that the charts need. */
export interface Results {
  readonly groups: Readonly<Record<string, { readonly contenders: readonly Contender[] }>>;
}

/** The results of `npm run quality`. */
export interface Accuracies {
  readonly halfspace: string;
  readonly peer: { readonly version: string; readonly columns: readonly string[] };
  readonly sets: readonly unknown[];
}

/** Reads a file of docs/measurements. */
export function readMeasurement<T>(name: string): T {
  const file = fileURLToPath(new URL(`../../../docs/measurements/${name}.json`, import.meta.url));
  return JSON.parse(readFileSync(file, 'utf8'));
}
