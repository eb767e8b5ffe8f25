import {
  Bool,
  type DataType,
  DateDay,
  Field,
  Float64,
  List,
  Table,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { encodeModel } from 'halfspace';
import { decodeMixState, type Job, type MixState, mix, mixPart, modelOf, parseJob, work } from '../src/index.ts';

const types: Readonly<Record<string, DataType>> = {
  vector: new List(new Field('item', new Float64(), false)),
  number: new Float64(),
  boolean: new Bool(),
  date: new DateDay(),
  text: new Utf8(),
};

/** Rows of plain values. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** Returns rows as an Arrow stream, in batches of this size. @param schema the type of each column, by its name. */
export async function* streamOf(
  rows: Rows,
  schema: Readonly<Record<string, keyof typeof types>>,
  size = 1000,
): AsyncGenerator<Uint8Array> {
  const tableOf = (some: Rows) =>
    new Table(
      Object.fromEntries(
        Object.entries(schema).map(([name, type]): [string, Vector] => [
          name,
          vectorFromArray(some.map((row) => row[name] ?? null) as never, types[type]!),
        ]),
      ),
    );
  const parts: Table[] = [];
  for (let from = 0; from < rows.length; from += size) parts.push(tableOf(rows.slice(from, from + size)));
  const [first = tableOf([]), ...more] = parts;
  yield tableToIPC(first.concat(...(more as never[])), 'stream');
}

/**
 * Trains as an engine does, and returns the states after each step.
 *
 * @param read returns the rows of a shard as an Arrow stream.
 * @param turn results come in this order: 0 as the shards, 1 turned by one, …
 * @param tree a part is made of the last of the results and the one at this place among them, once for each number.
 */
export async function runSteps(
  job: Job,
  read: (shard: number) => AsyncIterable<Uint8Array>,
  turn = 0,
  tree: readonly number[] = [],
) {
  const states: MixState[] = [];
  while (states.length === 0 || states.at(-1)!.next !== null) {
    const state = states.at(-1) ?? null;
    const results = await Promise.all(
      Array.from({ length: job.shards }, async (_, k) => ({ name: `${k}`, bytes: await work(job, state, k, read(k)) })),
    );
    const arrived = [...results.slice(turn), ...results.slice(0, turn)];
    for (const place of tree) {
      if (arrived.length < 2) break;
      const pair = [arrived.pop()!, ...arrived.splice(place % arrived.length, 1)];
      arrived.unshift({ name: 'part', bytes: await mixPart(job, state, pair) });
    }
    states.push(decodeMixState(await mix(job, state, arrived), 'state'));
  }
  return states;
}

/** Returns a job with these members, else with usual ones. */
export function jobOf(members: object): Job {
  const usual = { format: 'halfspace-job', version: 1, label: 'y', rule: { name: 'averaged' }, shards: 1, passes: 6 };
  return parseJob(JSON.stringify({ ...usual, ...members }));
}

/** Returns the text of the model of a training. */
export async function trainedText(
  job: Job,
  read: (shard: number) => AsyncIterable<Uint8Array>,
  turn = 0,
  tree: readonly number[] = [],
) {
  return encodeModel(await modelOf(job, (await runSteps(job, read, turn, tree)).at(-1)!));
}
