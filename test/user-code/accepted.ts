/*
 * Code of users that must compile, with every version of TypeScript that `docs/library.md` names. It is never run.
 */
import { type Model, type OnlineClassifier, Predictor, type RawRow, rows, type TrainOptions, train } from 'halfspace';
import { toTypeScript } from 'halfspace/export';
import { explainScore } from 'halfspace/ledger';
import { activationGain } from 'halfspace/margins';
import { learningCurve } from 'halfspace/metrics';
import * as predict from 'halfspace/predict';
import * as predictText from 'halfspace/predict/text';
import { rules } from 'halfspace/rules';
import { classify, type DecisionTree } from 'halfspace/tree';
import { check } from 'halfspace-certify/check';
import { type AnyRow, ServiceClient } from 'halfspace-server/client';

interface Mail {
  readonly sender: string;
  links: number;
  note?: string | null;
}

interface Dated extends Mail {
  readonly at: Date;
}

type Alias = { sender: string; links: number };

class Flat {
  readonly rooms: number;
  #town = 'Oslo';
  private readonly year = 1990;

  constructor(rooms: number) {
    this.rooms = rooms;
  }

  get town(): string {
    return `${this.#town} ${this.year}`;
  }
}

declare const model: Model;
declare const tree: DecisionTree;
declare const mail: Mail;
declare const dated: Dated;
declare const alias: Alias;
declare const either: Mail | Alias | Flat;
declare const some: Partial<Mail>;
declare const fields: Record<string, unknown>;
declare const counts: Readonly<Record<string, number>>;
// What `JSON.parse` returns.
// biome-ignore lint/suspicious/noExplicitAny: the subject of the test.
declare const parsed: any;
const flat = new Flat(2);

/** Every row that a program may hold. */
const held: readonly RawRow[] = [mail, dated, alias, either, some, fields, counts, parsed, flat, Object.freeze(mail)];

export function ask(predictor: Predictor, online: OnlineClassifier): readonly string[] {
  const lists = [[1, 2], new Float64Array(2), new Int8Array(2), { indices: [1], values: new Float32Array(1) }];
  for (const row of [...held, ...lists]) predictor.predict(row);
  predictor.predict({ sender: 'x', links: 1, at: new Date(), gone: undefined, nothing: null });
  predictor.predict([1, 2] as const, 'probability');
  predictor.score(mail);
  predictor.scores(flat);
  predictor.probabilities(dated);
  const { unknown, terms } = predictor.explain(either, { most: 2 });
  online.learn(mail, 'ham');
  online.learn(flat, true, { importance: 2 });
  online.learn([1, 2], 3);
  online.learnMany([mail, dated], ['ham', 'spam']);
  online.learnMany(new Set<Mail>(), new Set(['ham']));
  online.predict(alias);
  online.scores(some);
  online.probabilities(mail);
  online.explain(flat, 'dear');
  return [
    ...unknown,
    ...online.unknownFields(flat),
    ...predictor.unknownFields(mail),
    ...terms.map(({ term }) => term),
  ];
}

/** Rows of a type that the caller gives. */
export function predictAny<T extends object>(row: T, mails: readonly Mail[]): readonly string[] {
  const of = new Predictor(model);
  return [String(of.predict(row)), ...mails.map((each) => String(of.predict(each))), classify(tree, mail).class];
}

export async function learn(options: TrainOptions): Promise<Model> {
  const source = rows([mail, { sender: 'me', links: 2 }], {
    label: 'sender',
    features: { columns: { links: { kind: 'number' } } },
  });
  await train(source, options);
  await train(source, { rule: { name: 'sgd', loss: 'hinge' }, calibrate: 'platt', holdout: 0.2 });
  const { model: grown } = await train(source, { rule: { name: 'tree' } });
  return grown.kind === 'tree' ? grown : (await train(source)).model;
}

export async function serve(): Promise<readonly string[] | undefined> {
  const service = new ServiceClient('http://127.0.0.1:3000');
  const typed = service.model<Mail>('mails');
  const plain = service.model('mails');
  await plain.learn({ row: mail, label: 'ham' });
  await typed.learnAll([{ row: mail, label: 'ham' }]);
  await plain.predictAll([mail, dated]);
  return (await plain.predict(flat)).unknown ?? (await typed.predict(mail)).unknown;
}

void [check, toTypeScript, explainScore, activationGain, learningCurve, predict, predictText, rules];

// The client imports nothing of the library, and has the same rows.
declare const raw: RawRow;
declare const any: AnyRow;
void [raw satisfies AnyRow, any satisfies RawRow];
