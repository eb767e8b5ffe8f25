import fc from 'fast-check';
import { decodeModel as predictDecodeModel } from '../../src/face/predict.ts';
import { decodeModel as textDecodeModel } from '../../src/face/predict-text.ts';
import { decodeTrainState, encodeTrainState, rows, train } from '../../src/index.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { FileContents } from '../../src/model/file-contents.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { onlineRules } from '../../src/online/options.ts';
import { decodeLearner, encodeLearner } from '../../src/rules/learner-file.ts';
import { createLearner } from '../../src/rules/registry.ts';
import { wasm } from './kernels.ts';
import { models, multiclass, shapes } from './models.ts';

const table = [
  { age: 3, colour: 'red', open: true, day: '2024-02-29', note: 'four words of text', kind: 'a' },
  { age: 5, colour: 'blue', open: null, day: '2024-03-01', note: 'a fifth word', kind: 'b' },
  { age: 1e-7, colour: 'red', open: false, day: null, note: '', kind: 'c' },
  { age: 1e21, colour: 'né "^', open: true, day: '1999-12-31', note: 'words', kind: 'a' },
];

/** A kind of file: its text, a reader, and a writer of what was read. */
export type Kept = readonly [name: string, text: string, again: (contents: FileContents) => string];

/** Returns the text of a classifier that learned from a table. */
export const online = (options: ConstructorParameters<typeof OnlineClassifier>[0]) => {
  const classifier = new OnlineClassifier(options);
  for (const { kind, ...row } of table) classifier.learn(row, kind);
  return classifier.save();
};
/** Returns the text of a classifier that was loaded. */
export const load = (contents: FileContents) => OnlineClassifier.load(contents).save();

const model = (contents: FileContents) => encodeModel(decodeModel(contents));
const states = await Promise.all(
  (['perceptron', 'arow', 'sgd', 'kernel'] as const).map(async (rule): Promise<Kept> => {
    const { state } = await train(rows(table, { label: 'kind' }), { rule, passes: 2, keepState: true });
    return [`a state of train, ${rule}`, encodeTrainState(state), (file) => encodeTrainState(decodeTrainState(file))];
  }),
);
const tree = await train(rows(table, { label: 'kind' }), { rule: 'tree' });

/** Files of every kind that the library writes. */
export const files: readonly Kept[] = [
  ['a model, a tree', encodeModel(tree.model), model],
  ...shapes.map(([name, each]): Kept => [`a model, ${name}`, encodeModel(each), model]),
  ['a model of the entry predict', encodeModel(models['a table']), (file) => encodeModel(predictDecodeModel(file))],
  [
    'a model of predict/text',
    encodeModel(multiclass['several classes']!),
    (file) => encodeModel(textDecodeModel(file)),
  ],
  ...onlineRules().map((rule): Kept => [`a classifier, ${rule}`, online({ rule }), load]),
  [
    'a classifier with all options',
    online({
      rule: { name: 'sgd', schedule: 'constant', rate: 0.03125, loss: 'logistic' },
      columns: { note: 'text', colour: 'category', age: 'number', 7: 'text' },
      drift: { name: 'page-hinkley', threshold: 3, delta: 1e-7 },
      calibrate: true,
    }),
    load,
  ],
  ['a classifier that learned nothing', new OnlineClassifier().save(), load],
  ...states,
  [
    'a learner',
    encodeLearner(createLearner(wasm(), 'averaged', {}).state()),
    (file) => encodeLearner(decodeLearner(file)),
  ],
];

/** Returns JSON as PostgreSQL writes a `jsonb`: shorter names first, then by their bytes; numbers without exponents. */
export function asJsonb(json: string): string {
  return written(JSON.parse(json), ([a], [b]) => {
    const [x, y] = [a, b].map((name) => Buffer.from(name));
    return x!.length - y!.length || Buffer.compare(x!, y!);
  });
}

/** Returns JSON texts of the same value with white space, and the members of each object in any order. */
export function rewritten(json: string): fc.Arbitrary<string> {
  const spaces = fc.constantFrom('', ' ', '\r\n\t');
  return fc.tuple(fc.func(fc.nat()), spaces).map(([place, space]) => {
    return written(JSON.parse(json), ([a], [b]) => place(a) - place(b), space);
  });
}

type Entry = readonly [name: string, value: unknown];

/** @param around white space before each comma and colon, and inside of brackets; a blank follows these signs. */
function written(value: unknown, order: (a: Entry, b: Entry) => number, around = ''): string {
  const list = (texts: readonly string[]) => around + texts.join(`${around}, `) + around;
  const text = (each: unknown) => written(each, order, around);
  if (typeof value === 'number') return decimal(value);
  if (Array.isArray(value)) return `[${list(value.map(text))}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(order);
  return `{${list(members.map(([name, member]) => `${JSON.stringify(name)}${around}: ${text(member)}`))}}`;
}

/** Returns a number without an exponent. */
function decimal(value: number): string {
  const [, sign, whole, fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))!;
  if (exponent === undefined) return String(value);
  const by = Number(exponent);
  if (by > 0) return `${sign}${whole}${fraction.padEnd(by, '0')}`;
  return `${sign}0.${'0'.repeat(-by - 1)}${whole}${fraction}`;
}
