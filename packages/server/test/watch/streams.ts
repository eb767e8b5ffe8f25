import { type Label, OnlineClassifier, type OnlineOptions, type RawRow } from 'halfspace';
import { lastLearned } from 'halfspace/online';
import type { Random } from 'halfspace/runs';
import type { Alarm } from '../../src/watch/alarm.ts';
import type { Watcher } from '../../src/watch/watcher.ts';

export interface Example {
  readonly row: RawRow;
  readonly label: Label;
}

/** A model that learns and is watched, as the service does both. */
export class Watched {
  readonly classifier: OnlineClassifier;
  #sequence = 0;

  constructor(options: OnlineOptions = {}) {
    this.classifier = new OnlineClassifier(options);
  }

  learn({ row, label }: Example, watcher: Watcher): { readonly right: boolean | null; readonly alarms: Alarm[] } {
    const answer = this.classifier.learn(row, label);
    const alarms = [...watcher.update(lastLearned(this.classifier)!, answer, ++this.#sequence)];
    return { right: answer.right, alarms };
  }
}

/** About normal: the sum of twelve uniform numbers. */
export function normal(random: Random): number {
  let sum = -6;
  for (let k = 0; k < 12; k++) sum += random.uniform();
  return sum;
}

/** Records of two numbers, a truth, a category and a text, with gaps. The label follows `x` up to a share of noise. */
export function mixed(random: Random, shift = 0): Example {
  const x = normal(random) + shift;
  const row: Record<string, unknown> = { x, y: Math.floor(random.uniform() * 10), open: random.uniform() < 0.3 };
  if (random.uniform() < 0.8) row.city = `c${Math.floor(random.uniform() ** 3 * 30)}`;
  if (random.uniform() < 0.2) row.y = null;
  if (random.uniform() < 0.5) row.note = `this is word w${Math.floor(random.uniform() * 50)} of it`;
  const noisy = random.uniform() < 0.1;
  return { row: row as RawRow, label: x > shift !== noisy ? 'yes' : 'no' };
}

/** Lists of three numbers. */
export function numbers(random: Random, shift = 0): Example {
  const row = [normal(random) + shift, normal(random), random.uniform()];
  return { row, label: row[0]! > row[1]! ? 1 : 0 };
}
