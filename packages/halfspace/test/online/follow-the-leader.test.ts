import { describe, expect, it, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { arrays, train } from '../../src/index.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { Adwin } from '../../src/online/drift/adwin.ts';
import type { OnlineOptions } from '../../src/online/options.ts';
import { Random } from '../../src/random.ts';

const rules: OnlineOptions['rule'][] = [
  { name: 'arow', r: 0.3 },
  'sgd',
  { name: 'sgd', answer: 'last' },
  'passive-aggressive',
];

/** The rule as it is defined, of classifiers by single rules. */
class Naive {
  readonly members: OnlineClassifier[];
  mistakes = [0, 0, 0, 0];
  leader = 0;
  restarts = 0;
  readonly #classes: readonly string[];
  readonly #detector = new Adwin();

  constructor(classes: readonly string[]) {
    this.#classes = classes;
    this.members = rules.map((rule) => new OnlineClassifier({ rule, classes }));
  }

  learn(x: readonly number[], label: string, importance: number) {
    const answers = this.members.map((member) => member.learn(x, label, { importance }));
    if (importance === 0) return answers[this.leader]!;
    const wrong = answers.map(({ scores }) => (this.#isRight(scores, label) ? 0 : 1));
    this.mistakes = this.mistakes.map((each, m) => each * 0.995 + wrong[m]!);
    const { leader } = this;
    if (this.#detector.update(wrong[0]!)) {
      const most = Math.max(...this.mistakes) + 1;
      for (const m of [0, 1, 2]) {
        this.members[m] = new OnlineClassifier({ rule: rules[m], classes: this.#classes });
        this.mistakes[m] = most;
      }
      this.restarts++;
    }
    this.leader = this.mistakes.indexOf(Math.min(...this.mistakes));
    return answers[leader]!;
  }

  #isRight(scores: readonly number[], label: string): boolean {
    const k = this.#classes.indexOf(label);
    if (scores.length === 1) return (k === 1 ? scores[0]! : -scores[0]!) > 0;
    return scores.every((score, other) => other === k || score < scores[k]!);
  }
}

/** Rows whose classes begin to mean something else at some rows. */
function stream(classes: number, rows: number, changes: number, seed: number) {
  const random = new Random(seed);
  const turn = Math.ceil(rows / (changes + 1));
  return Array.from({ length: rows }, (_, i) => {
    const x = Array.from({ length: 4 }, () => random.below(2001) / 1000 - 1);
    const place = Math.floor(((x[0]! + x[1]! / 2 + random.below(400) / 1000 - 0.2 + 1.5) / 3) * classes);
    const k = Math.max(0, Math.min(classes - 1, place));
    return {
      x,
      label: `class ${(k + Math.floor(i / turn)) % classes}`,
      importance: [1, 1, 2, 0.5, 0][random.below(5)]!,
    };
  });
}

test('one rule answers: that with the fewest recent mistakes, as plainly computed, wherever the state is saved', () => {
  let [leaders, restarts] = [new Set<number>(), 0];
  forAll(
    process.env.TEST_DEEP === '1' ? 60 : 16,
    fc.constantFrom(2, 3),
    fc.nat(2),
    fc.nat(),
    fc.integer({ min: 20, max: 200 }),
    (classes, changes, seed, every) => {
      const names = Array.from({ length: classes }, (_, k) => `class ${k}`);
      const naive = new Naive(names);
      let online = new OnlineClassifier({ classes: names });
      for (const [i, { x, label, importance }] of stream(classes, 700, changes, seed).entries()) {
        const { class: name, scores } = naive.learn(x, label, importance);
        expect(online.learn(x, label, { importance })).toMatchObject({ class: name, scores });
        leaders.add(naive.leader);
        if (i % every === 0) online = OnlineClassifier.load(online.save());
      }
      restarts += naive.restarts;
      expect(online.members.map(({ mistakes }) => mistakes)).toEqual(naive.mistakes);
      expect(online.members.findIndex(({ answers }) => answers)).toBe(naive.leader);
      const leader = naive.members[naive.leader]!;
      const { rule, options } = leader.model();
      const model = online.model();
      expect({ rule: model.rule, options: model.options }).toEqual({ rule, options });
      expect(online.members[naive.leader]).toMatchObject({ rule, options });
    },
  );
  expect(leaders.size).toBe(4);
  expect(restarts).toBeGreaterThan(1);
});

describe('a classifier without options', () => {
  it('follows a world that changes, and loses little where it does not', () => {
    const shares = [0, 5].map((changes) =>
      ['follow-the-leader' as const, 'averaged' as const].map((rule) => {
        const online = new OnlineClassifier({ rule, window: 1000 });
        for (const { x, label } of stream(2, 6000, changes, 4)) online.learn(x, label);
        return online.metrics.accuracy;
      }),
    );
    const [[still, mean], [moved, mixed]] = shares as [[number, number], [number, number]];
    expect(new OnlineClassifier().rule).toBe('follow-the-leader');
    expect(still).toBeGreaterThan(mean - 0.005);
    expect(moved).toBeGreaterThan(0.9);
    expect(mixed).toBeLessThan(0.7);
  });

  it('obeys after a few corrections of the same row', () => {
    const online = new OnlineClassifier();
    for (const { x, label } of stream(2, 3000, 0, 5)) online.learn(x, label);
    const row = [0.3, 0.2, -0.5, 0.1];
    const wanted = online.predict(row) === 'class 1' ? 'class 0' : 'class 1';
    let corrections = 0;
    for (; online.predict(row) !== wanted; corrections++) online.learn(row, wanted);
    expect(corrections).toBeLessThanOrEqual(25);
  });

  it('tells which rule answers, and its model and its explanations are those of this rule', () => {
    const online = new OnlineClassifier();
    for (const { x, label } of stream(2, 2000, 3, 6)) online.learn({ a: x[0]!, b: x[1]! }, label);
    const leader = online.members.find(({ answers }) => answers)!;
    for (const { mistakes } of online.members) expect(leader.mistakes).toBeLessThanOrEqual(mistakes);
    const model = online.model();
    expect(model).toMatchObject({ rule: leader.rule, options: leader.options });
    const row = { a: 0.5, b: -0.25 };
    expect(online.explain(row, { class: 'class 1' }).score).toBe(online.scores(row)[0]!);
    expect(new OnlineClassifier({ rule: 'arow' }).members).toEqual([]);
  });

  it('gives each rule its own probabilities, so a change of the leader keeps them sound', () => {
    const online = new OnlineClassifier({ calibrate: { window: 500 } });
    const leaders = new Set<number>();
    for (const { x, label } of stream(2, 4000, 5, 7)) {
      online.learn(x, label);
      leaders.add(online.members.findIndex(({ answers }) => answers));
    }
    expect(leaders.size).toBeGreaterThan(1);
    // Less than that of a coin.
    expect(online.metrics.logLoss).toBeLessThan(0.35);
  });
});

it('is no rule of train, and has no options', async () => {
  const wrong = () => new OnlineClassifier({ rule: { name: 'follow-the-leader', r: 1 } as never });
  expect(wrong).toThrow('the rule follow-the-leader has (none); got "r"');
  await expect(train(arrays([[1], [2]], [0, 1]), { rule: 'follow-the-leader' as never })).rejects.toThrow(
    'got "follow-the-leader", which learns row by row: OnlineClassifier, halfspace learn',
  );
});

test('a correction that is repeated is obeyed within ten rows', () => {
  const random = new Random(7);
  const message = (label: number) => {
    const words = Array.from(
      { length: 4 + random.below(12) },
      () => `w${random.below(4) === 0 ? label * 50 + random.below(50) : 100 + random.below(900)}`,
    );
    return { text: words.join(' ') };
  };
  const online = new OnlineClassifier({ columns: { text: 'text' } });
  const messages = Array.from({ length: 2000 }, () => {
    const label = random.below(2);
    const row = message(label);
    online.learn(row, label);
    return row;
  });
  const state = online.save();
  for (let i = 0; i < messages.length; i += 50) {
    const corrected = OnlineClassifier.load(state);
    const other = 1 - Number(corrected.predict(messages[i]!));
    for (let k = 0; k < 10; k++) corrected.learn(messages[i]!, other);
    expect(corrected.predict(messages[i]!)).toBe(other);
  }
});
