import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { HalfspaceError } from '../../src/errors.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { digestOf } from '../../src/model/digest.ts';
import type { Learner, LearnerState } from '../../src/rules/learner.ts';
import { decodeLearner, encodeLearner } from '../../src/rules/learner-file.ts';
import {
  completeRuleOptions,
  createLearner,
  createMulticlassLearner,
  type RuleName,
  rules,
} from '../../src/rules/registry.ts';
import type { RuleDefinition } from '../../src/rules/rule-definition.ts';
import { decimal, dense, examplesOf } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';
import {
  denseSeveral,
  learnedByExample,
  seenOf,
  severalOf,
  severalUnderTest,
  sparseSeveral,
} from '../support/several.ts';

const kernels = wasm();
// Rules that learn from all rows at once have nothing to go on from.
const learners = (Object.keys(rules) as RuleName[]).filter((rule) => rule !== 'tree' && rule !== 'logistic');

/** Learns in pieces, with a new learner from the text of a file between them. */
function inPieces<T>(
  create: (state?: LearnerState) => Learner,
  shown: readonly T[],
  cuts: readonly number[],
  show: (learner: Learner, one: T) => void,
): Learner {
  let learner = create();
  shown.forEach((one, t) => {
    if (cuts.includes(t)) {
      const text = encodeLearner(learner.state());
      learner.free();
      learner = create(decodeLearner(text));
    }
    show(learner, one);
  });
  return learner;
}

describe.each(learners)('a learner by the rule %s', (rule) => {
  const options = completeRuleOptions(rule, {});

  it('continues from its file as if it had never stopped, at any place', () => {
    const create = (state?: LearnerState) => createLearner(kernels, rule, options, state);
    forAll(40, examplesOf(decimal), fc.array(fc.nat(60), { maxLength: 4 }), (data, cuts) => {
      const shown = [...data, ...data, ...data];
      const show = (learner: Learner, one: (typeof data)[number]) => learner.learn(dense([one]));
      const [whole, pieces] = [inPieces(create, shown, [], show), inPieces(create, shown, cuts, show)];
      expect(seenOf(pieces)).toEqual(seenOf(whole));
      expect(pieces.state()).toEqual(whole.state());
    });
  });

  it('of several classes does so too, by either strategy, also if classes appear after the stop', () => {
    const strategies = (rules[rule] as RuleDefinition).multiclass === undefined ? [] : (['kesler'] as const);
    for (const strategy of ['one-vs-rest', ...strategies] as const) {
      const create = (state?: LearnerState) => createMulticlassLearner(kernels, rule, strategy, options, state);
      forAll(15, severalOf(decimal), fc.array(fc.nat(40), { maxLength: 3 }), ({ data }, cuts) => {
        const shown = [...data, ...data];
        const show = (learner: Learner, one: (typeof data)[number]) => learner.learn(denseSeveral([one]));
        const [whole, pieces] = [inPieces(create, shown, [], show), inPieces(create, shown, cuts, show)];
        expect(seenOf(pieces)).toEqual(seenOf(whole));
      });
    }
  });
});

describe('the file of a learner', () => {
  const learner = createLearner(kernels, 'perceptron', {});
  learner.start!(Float64Array.of(-0, 1.5), 1 / 3);
  const state = learner.state();
  const text = encodeLearner(state);

  it('keeps every number, also those that JSON cannot write', () => {
    expect(decodeLearner(text)).toEqual(state);
    const listed = { ...state, limits: [-0, Number.NaN, Infinity, -Infinity, 1.5], none: null };
    expect(decodeLearner(encodeLearner(listed))).toEqual(listed);
  });

  it('is refused if it was cut or edited, or is of another kind', () => {
    for (const wrong of [
      text.slice(0, -9),
      text.replace('perceptron', 'averaged'),
      '{}',
      'null',
      '',
      text.replace('"version":1', '"version":2'),
    ])
      expect(() => decodeLearner(wrong)).toThrow(expect.objectContaining({ code: 'model-invalid' }));
  });
});

const examples = Array.from({ length: 12 }, (_, i) => ({
  x: [((i * 7) % 5) - 2, ((i * 3) % 4) / 2, i % 3],
  y: i % 3,
}));
const batch = sparseSeveral(examples);
const twoClasses = { ...batch, labels: batch.labels.map((y) => (y === 0 ? -1 : 1)) };

interface Sample {
  readonly name: string;
  readonly create: (kernels: Kernels, state?: LearnerState) => Learner;
  readonly shown: typeof batch;
}
const samples: readonly Sample[] = [
  ...learnedByExample.map((rule) => ({
    name: rule,
    create: (kernels: Kernels, state?: LearnerState) => createLearner(kernels, rule, {}, state),
    shown: twoClasses,
  })),
  {
    name: 'kernel with a budget',
    create: (kernels, state) =>
      createLearner(kernels, 'kernel', { kernel: 'rbf', aggregate: 'last', budget: 2 }, state),
    shown: twoClasses,
  },
  ...severalUnderTest.map(({ name, create }) => ({
    name,
    create: (kernels: Kernels, state?: LearnerState) => create(kernels, 0, state),
    shown: batch,
  })),
];

const harm = fc.oneof(
  fc.constantFrom<unknown>(
    0,
    -0,
    1,
    -1,
    0.5,
    3,
    17,
    2 ** 28,
    2 ** 32,
    2 ** 53,
    1e300,
    -1e300,
    Infinity,
    -Infinity,
    Number.NaN,
  ),
  fc.constantFrom<unknown>(null, '', 'arow', 'kernel', [], {}, true, new Float64Array(0), new Uint32Array(3), [{}]),
  fc.integer(),
);

/** Changes one place of a state: a member, an element of a list, or the length of a list. */
function mutate(state: unknown, path: readonly number[], value: unknown): void {
  let place = state as Record<string, unknown>;
  for (const [depth, step] of path.entries()) {
    const keys = Object.keys(place);
    if (keys.length === 0) return;
    const key = keys[step % keys.length]!;
    const next = place[key];
    if (typeof next !== 'object' || next === null || depth === path.length - 1) {
      place[key] = ArrayBuffer.isView(next) && step % 2 === 0 ? (next as Float64Array).slice(0, step % 5) : value;
      return;
    }
    place = next as Record<string, unknown>;
  }
}

function refusing<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (error instanceof HalfspaceError) return null;
    throw error;
  }
}

describe.each(samples)('a state of $name', ({ create, shown }) => {
  it('that was changed and signed again is refused, or continues without a crash', () => {
    const kernels = wasm();
    const first = create(kernels);
    first.learn(shown);
    const state = first.state();
    first.free();
    const path = fc.array(fc.nat(60), { minLength: 1, maxLength: 5 });
    const changes = fc.array(fc.tuple(path, harm), { minLength: 1, maxLength: 2 });
    forAll(Number(process.env.MUTATIONS ?? 150), changes, (all) => {
      const changed = structuredClone(state);
      for (const [steps, value] of all) mutate(changed, steps, structuredClone(value));
      const read = refusing(() => decodeLearner(encodeLearner(changed)));
      if (read === null) return;
      expect(read).toEqual(changed);
      refusing(() => {
        const learner = create(kernels, read);
        try {
          const scores = new Float64Array(shown.rows * Math.max(3, learner.outputs));
          learner.limit({});
          learner.learn(shown);
          learner.scoreInto(shown, scores);
          learner.functions();
          decodeLearner(encodeLearner(learner.state()));
        } finally {
          learner.free();
        }
      });
    });
  });

  it('is refused after free()', () => {
    for (const kernels of [wasm(), reference()]) {
      const learner = create(kernels);
      learner.learn(shown);
      learner.free();
      const uses: readonly (() => unknown)[] = [
        () => learner.learn(shown),
        () => learner.learn(shown, 0, 1),
        () => learner.scoreInto(shown, new Float64Array(100)),
        () => learner.functions(),
        () => learner.state(),
        () => learner.survive?.(1) ?? learner.state(),
        () => learner.skip?.(shown, 0, 1) ?? learner.state(),
      ];
      for (const use of uses)
        expect(use).toThrow(
          expect.objectContaining({ code: 'option-invalid', message: expect.stringContaining('free()') }),
        );
      expect(() => learner.free()).not.toThrow();
    }
  });
});

describe('a changed learner file with a valid digest', () => {
  it('is refused for any state', () => {
    const depth = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    const states = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(null, {}, { members: null }, { members: {} }, { float64: 5 }, { float64: 'AAA=' }),
      fc.constantFrom<unknown>(depth(100), depth(500), { members: { rule: 'perceptron' } }, { number: 'x' }),
    );
    forAll(states, (state) => {
      const body = { format: 'halfspace-learner', version: 1, state };
      const text = JSON.stringify({ ...body, digest: digestOf(body) });
      expect(() => decodeLearner(text)).toThrow(expect.objectContaining({ code: 'model-invalid' }));
    });
  });

  it('is refused as what it is', () => {
    expect(() => createLearner(wasm(), 'averaged' as RuleName, {}, { rule: 'strange' })).toThrow(
      'expected the state of rule averaged; got strange',
    );
    expect(() =>
      createMulticlassLearner(wasm(), 'averaged', 'kesler', {}, { rule: 'averaged', classes: null } as LearnerState),
    ).toThrow(HalfspaceError);
  });
});
