import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { ExampleStore } from '../../src/data/store.ts';
import { Random } from '../../src/random.ts';
import { createLearner } from '../../src/rules/registry.ts';
import { passBatches } from '../../src/train/order.ts';
import type { Order } from '../../src/train/presets.ts';
import type { Example } from '../oracles/oracle.ts';
import { decimal, dense, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { train } from '../support/linear.ts';

const kernels = wasm();

/** More examples than are gathered at a time, each known by its one value, in chunks of uneven size. */
const count = 2500;
const store = new ExampleStore(kernels);
const numbered = Array.from({ length: count }, (_, i): Example => ({ x: [i], y: 1 }));
for (const [from, to] of [
  [0, 1],
  [1, 1500],
  [1500, count],
] as const)
  store.append(dense(numbered.slice(from, to)));

/** The examples of one pass, each batch read before the next is asked for. */
function shown(order: Exclude<Order, 'auto'>, random: Random): number[] {
  const numbers: number[] = [];
  for (const { batch } of passBatches(store, order, random)) numbers.push(...batch.values.subarray(0, batch.rows));
  return numbers;
}

const inOrder = [...Array(count).keys()];

describe('a pass', () => {
  it('in the order of the data shows every example once, first to last', () => {
    expect(shown('cyclic', new Random(1))).toEqual(inOrder);
  });

  it('shuffled shows every example once, in the order of one shuffle', () => {
    const numbers = shown('shuffled', new Random(7));
    const expected = Uint32Array.from(inOrder);
    new Random(7).shuffle(expected);
    expect(numbers).toEqual([...expected]);
    expect(numbers).not.toEqual(inOrder);
    expect([...numbers].sort((a, b) => a - b)).toEqual(inOrder);
  });

  it('shuffled again is in another order', () => {
    const random = new Random(7);
    const first = shown('shuffled', random);
    const second = shown('shuffled', random);
    expect(second).not.toEqual(first);
    expect([...second].sort((a, b) => a - b)).toEqual(inOrder);
  });

  it('at random shows as many examples as there are, each drawn from all of them', () => {
    const numbers = shown('random', new Random(7));
    const random = new Random(7);
    expect(numbers).toEqual(inOrder.map(() => random.below(count)));
    // With replacement about e⁻¹ of them are not shown.
    const missed = count - new Set(numbers).size;
    expect(Math.abs(missed / count - Math.exp(-1))).toBeLessThan(0.03);
  });
});

describe('a run', () => {
  it('shuffled equals the perceptron shown one permutation after the other, drawn from the seed', async () => {
    await fc.assert(
      fc.asyncProperty(examplesOf(decimal), fc.nat(1000), async (data, seed) => {
        const passes = 4;
        const learner = createLearner(kernels, 'perceptron');
        const random = new Random(seed);
        const updatesPerPass: number[] = [];
        let updates = 0;
        while (updatesPerPass.length < passes && updatesPerPass.at(-1) !== 0) {
          const permutation = Uint32Array.from(data, (_, i) => i);
          random.shuffle(permutation);
          learner.learn(dense(Array.from(permutation, (i) => data[i]!)));
          updatesPerPass.push(learner.progress.updates - updates);
          updates = learner.progress.updates;
        }
        const { model, report } = await train(arraySource(dense(data)), {
          rule: 'perceptron',
          order: 'shuffled',
          seed,
          passes,
          kernels,
        });
        expect(report.updatesPerPass).toEqual(updatesPerPass);
        expect({ weights: model.weights, bias: model.bias }).toEqual(learner.parameters());
        learner.free();
      }),
      { numRuns: 60 },
    );
  });
});
