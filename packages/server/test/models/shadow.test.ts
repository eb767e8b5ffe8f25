import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OnlineClassifier, type OnlineOptions } from 'halfspace';
import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { type Example, type ModelContent, openModels, type ServedModel, type ShadowChange } from '../../src/index.ts';
import { temporaryFolder } from '../support/examples.ts';

const example = (k: number): Example => ({
  row: { x: ((k * 37) % 101) - 50, y: ((k * 53) % 97) - 48, colour: ['red', 'green', 'blue'][k % 3]! },
  label: (k * 37) % 101 > (k * 53) % 97 ? 'yes' : 'no',
  // Some are answered only.
  importance: k % 7 === 3 ? 0 : 1 + (k % 3),
});

const options: OnlineOptions = { rule: 'arow', calibrate: true, drift: 'adwin' };
const start: ShadowChange = { kind: 'start', options };
const content: ModelContent = { kind: 'learning', options: {} };

type Step = ShadowChange | { readonly kind: 'learn'; readonly examples: number } | { readonly kind: 'restart' };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 60 }).map((examples) => ({ kind: 'learn' as const, examples })) },
  { weight: 2, arbitrary: fc.constant(start) },
  { weight: 2, arbitrary: fc.constantFrom({ kind: 'promote' as const }, { kind: 'drop' as const }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 0.3, 1).map((share) => ({ kind: 'share' as const, share })) },
  { weight: 3, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

/** Returns the newest snapshot of the model `m`. */
function snapshotIn(dir: string): Buffer {
  const folder = join(dir, 'models', 'm');
  const generation = readdirSync(folder).find((name) => /^\d+$/.test(name))!;
  const newest = readdirSync(join(folder, generation))
    .filter((name) => name.startsWith('snapshot'))
    .sort()
    .at(-1)!;
  return readFileSync(join(folder, generation, newest));
}

/** Takes the steps in a new folder, and compares the model with two classifiers. Returns the last snapshot. */
async function run(steps: readonly Step[], restarts: boolean): Promise<Buffer> {
  const dir = temporaryFolder();
  let models = await openModels({ dir, segmentBytes: 4096 });
  let model: ServedModel = await models.put('m', content);
  let classifier = new OnlineClassifier();
  let shadow: OnlineClassifier | null = null;
  let k = 0;
  for (const each of steps) {
    if (each.kind === 'learn') {
      const examples = Array.from({ length: each.examples }, () => example(k++));
      const outcomes = await model.learn(examples);
      for (const [i, { row, label, importance }] of examples.entries()) {
        const { class: name, right } = classifier.learn(row, label, { importance });
        expect(outcomes[i]).toMatchObject({ answer: { class: name, right } });
        if (importance! > 0) shadow?.learn(row, label, { importance });
      }
    } else if (each.kind === 'restart') {
      if (!restarts) continue;
      await models.close();
      models = await openModels({ dir, segmentBytes: 4096 });
      model = models.get('m')!;
    } else if (shadow === null && each.kind !== 'start') {
      await expect(model.changeShadow(each)).rejects.toThrow('expected a shadow; got a model without one');
    } else {
      await model.changeShadow(each);
      if (each.kind === 'promote') [classifier, shadow] = [shadow!, classifier];
      else if (each.kind !== 'share') shadow = each.kind === 'start' ? new OnlineClassifier(options) : null;
    }
    expect(model.stateFile()).toBe(classifier.save());
    expect(model.shadow?.metrics).toEqual(shadow?.metrics);
    expect(model.shadow?.examples).toBe(shadow?.examples);
  }
  await models.close();
  return snapshotIn(dir);
}

test('a shadow learns what the model learns, takes its place, and lives through restarts to the bit', async () => {
  await forAllAsync(8, fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
    expect((await run(steps, true)).equals(await run(steps, false))).toBe(true);
  });
});

test('a shadow is compared with its model on the examples that both answered', async () => {
  const models = await openModels({ dir: temporaryFolder() });
  const model = await models.put('m', content);
  const pair = Array.from({ length: 40 }, (_, k): Example => ({ row: { x: k % 2 }, label: k % 2 }));
  await model.learn(pair);
  expect(model.shadow).toBeNull();
  // The shadow must not see x, so it learns nothing of use; rows without any other field are refused by it.
  await model.changeShadow({ kind: 'start', options: { label: 'x' } });
  await model.learn([...pair, ...pair.map(({ row, label }) => ({ row: { ...row, y: 1 }, label }))]);
  const { since, examples, refused, compared } = model.shadow!;
  expect({ since, examples, refused }).toEqual({ since: 41, examples: 40, refused: 40 });
  expect(compared.bothRight + compared.onlyModel).toBe(39);
  expect(compared).toMatchObject({ onlyShadow: 0, bothWrong: 0 });
  expect(compared.pValue).toBeLessThan(0.001);
  await models.close();
});

test('a shadow answers its share, the same rows always, and is compared as without one', async () => {
  const dir = temporaryFolder();
  let models = await openModels({ dir });
  const names = ['split', 'whole'];
  const both = () => names.map((name) => models.get(name)!);
  const teach = async (from: number) => {
    for (const model of both()) await model.learn(Array.from({ length: 100 }, (_, k) => example(from + k)));
  };
  for (const name of names) await models.put(name, content);
  await teach(0);
  for (const model of both()) await model.changeShadow({ kind: 'start', options: { rule: 'perceptron' } });
  const shadow = new OnlineClassifier({ rule: 'perceptron' });
  for (let k = 100; k < 200; k++) {
    const { row, label, importance } = example(k);
    if (importance! > 0) shadow.learn(row, label, { importance });
  }
  await teach(100);
  const rows = Array.from({ length: 400 }, (_, k) => ({ ...example(k).row, x: k }));
  /** Returns the rows that the shadow answers. */
  const answered = () => {
    const [split, whole] = both();
    return rows.filter((row) => {
      const { learner, classes, ...answer } = split!.answer(row);
      if (learner !== 'shadow') {
        expect(answer).toEqual(whole!.answer(row));
        return false;
      }
      expect(classes).toEqual(shadow.classes);
      expect(answer).toMatchObject({ class: shadow.predict(row), scores: Array.from(shadow.scores(row)) });
      return true;
    });
  };
  expect(answered()).toEqual([]);
  await both()[0]!.changeShadow({ kind: 'share', share: 0.25 });
  const few = answered();
  expect(few.length / rows.length).toBeGreaterThan(0.15);
  expect(few.length / rows.length).toBeLessThan(0.35);
  await models.close();
  models = await openModels({ dir });
  expect(answered()).toEqual(few);
  await both()[0]!.changeShadow({ kind: 'share', share: 0.6 });
  expect(answered()).toEqual(expect.arrayContaining(few));
  await teach(200);
  const [split, whole] = both();
  const { share, ...report } = split!.shadow!;
  expect({ ...report, share: 0 }).toEqual({ ...whole!.shadow!, share: 0 });
  expect(share).toBe(0.6);
  await expect(split!.changeShadow({ kind: 'share', share: 1.5 })).rejects.toThrow('share must be in [0, 1]; got 1.5');
  await split!.changeShadow({ kind: 'promote' });
  expect(split!.shadow!.share).toBe(0);
  await models.close();
});

test('a change with the id of an earlier one does nothing, at once and after a new start', async () => {
  const dir = temporaryFolder();
  const models = await openModels({ dir });
  const model = await models.put('m', content);
  await Promise.all([model.changeShadow(start, 'a'), model.changeShadow(start, 'a')]);
  await Promise.all([model.changeShadow({ kind: 'promote' }, 'b'), model.changeShadow({ kind: 'promote' }, 'b')]);
  expect(model).toMatchObject({ version: { sequence: 2 }, description: { rule: 'arow' } });
  await models.close();
  const again = await openModels({ dir });
  await again.get('m')!.changeShadow({ kind: 'promote' }, 'b');
  expect(again.get('m')).toMatchObject({ version: { sequence: 2 }, description: { rule: 'arow' } });
  await again.close();
});

test('an id is of its kind of change alone, and of its options', async () => {
  const models = await openModels({ dir: temporaryFolder() });
  const model = await models.put('m', content);
  await model.learn([{ row: { x: 1 }, label: 'a', id: 'k' }]);
  await model.changeShadow(start, 'k');
  await expect(model.changeShadow({ kind: 'start', options: { rule: 'margin' } }, 'k')).rejects.toMatchObject({
    reason: 'idempotency-key-reused',
  });
  await model.changeShadow({ kind: 'promote' }, 'k');
  await model.changeShadow({ kind: 'drop' }, 'k');
  expect(model).toMatchObject({ version: { sequence: 4 }, shadow: null });
  await models.close();
});

test.each([
  ['of an unknown name', { rules: 'arow' }, /"rules"/],
  ['out of range', { window: 0 }, /window must be/],
  ['with a callback', { onDrift: () => {} }, /onDrift/],
])('options %s make no shadow and no record', async (_, wrong, message) => {
  const models = await openModels({ dir: temporaryFolder() });
  const model = await models.put('m', content);
  await expect(model.changeShadow({ kind: 'start', options: wrong as OnlineOptions })).rejects.toThrow(message);
  expect(model.version.sequence).toBe(0);
  await models.close();
});
