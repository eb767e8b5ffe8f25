/*
 * Code of users of exported programs: `fruit.ts` is a model of a table, `words.ts` one of named features, `points.ts` one
 * of numbers. It is never run.
 */
import * as fruit from './fruit.js';
import * as points from './points.js';
import * as words from './words.js';

interface Fruit {
  weight: number;
  colour?: string | null;
  readonly picked?: Date;
  /** No field of the model. */
  readonly price: number;
}

class Apple {
  readonly weight = 150;
  readonly peel = 'thin';
}

declare const apple: Fruit;
declare const counts: Record<string, number>;
declare const row: fruit.Row;
// biome-ignore lint/suspicious/noExplicitAny: what `JSON.parse` returns.
declare const parsed: any;

export const answers: readonly ('apple' | 'pear')[] = [
  fruit.predict(apple),
  fruit.predict(new Apple()),
  fruit.predict(row),
  fruit.predict(parsed),
  fruit.predict({ weight: '150', colour: 'red', picked: undefined, constructor: 'Cox' }),
  fruit.predict({}),
];
export const scores: readonly number[] = [fruit.score(apple), words.score(counts), points.score([1, 2])];
export const lists = [points.predict(new Float32Array(2)), points.predict({ indices: [1], values: [1] })];
words.predict({ free: 1, see: 2 });

// @ts-expect-error A misspelt field,
fruit.predict({ wieght: 150 });
// @ts-expect-error also beside others,
fruit.predict({ weight: 150, color: 'red' });
// @ts-expect-error a row of other fields,
fruit.predict(counts as { price: number } & { [name: symbol]: number });
// @ts-expect-error a value that the column cannot read,
fruit.predict({ weight: true });
// @ts-expect-error another one,
fruit.predict({ picked: true });
// @ts-expect-error a text,
fruit.predict('red');
// @ts-expect-error a list,
fruit.predict([150]);
// @ts-expect-error a misspelt word,
words.predict({ fre: 1 });
// @ts-expect-error a count that is none,
words.predict({ free: '1' });
// @ts-expect-error a list of texts,
points.predict(['1', '2']);
// @ts-expect-error and another class are refused.
export const other: 'plum' = fruit.predict(apple);
