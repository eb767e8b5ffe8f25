import { describe, expect, it } from 'vitest';
import type { PointSet } from '../../src/data/dataset.ts';
import { movedExamples } from '../../src/engine/examples.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';

const set = (points: readonly (readonly [number, number, 1 | -1])[], dimension: 1 | 2 = 2): PointSet => ({
  kind: 'points',
  name: 'points',
  dimension,
  points: points.map(([x, y, label]) => ({ x, y, label })),
});
const opened = (dataset: PointSet) => new LocalEngine().open(dataset, () => {});

describe('examples whose points are dragged', () => {
  const before = [
    [1, 2, 1],
    [-1, 0.5, -1],
    [3, -2, 1],
  ] as const;
  const after = [
    [1, 2, 1],
    [-4, 0.25, 1],
    [3, -2, -1],
  ] as const;

  it('are where they will be once they are opened again', async () => {
    for (const dimension of [1, 2] as const) {
      const moved = movedExamples(await opened(set(before, dimension)), set(after, dimension));
      const { vectors, labels } = await opened(set(after, dimension));
      expect([...moved.vectors]).toEqual([...vectors]);
      expect([...moved.labels]).toEqual([...labels]);
    }
  });

  it('stay where they are when points came or went, or when a coordinate is no feature', async () => {
    const examples = await opened(set(before));
    expect(movedExamples(examples, set(before.slice(1)))).toBe(examples);
    expect(movedExamples(examples, set(before, 1))).toBe(examples);
    const flat = await opened(
      set([
        [1, 2, 1],
        [-1, 2, -1],
      ]),
    );
    expect(
      movedExamples(
        flat,
        set([
          [1, 2, 1],
          [-1, 5, -1],
        ]),
      ),
    ).toBe(flat);
  });
});
