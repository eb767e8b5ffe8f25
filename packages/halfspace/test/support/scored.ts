import fc from 'fast-check';

/** Examples as the judging functions take them. */
export interface Scored {
  readonly scores: Float64Array;
  readonly labels: Float64Array;
  readonly importance: Float64Array | null;
}

/** Few distinct scores, so that many are equal; importance, if any, in quarters, some 0; both classes have weight. */
export const scored: fc.Arbitrary<Scored> = fc
  .tuple(
    fc.array(
      fc.record({
        score: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -100, max: 100, noNaN: true })),
        y: fc.constantFrom(-1, 1),
        quarters: fc.nat(8),
      }),
      { minLength: 0, maxLength: 30 },
    ),
    fc.boolean(),
  )
  .map(([rows, weighted]) => {
    // One of either class, so that both are there and weigh something.
    const all = [...rows, { score: 0.5, y: 1, quarters: 3 }, { score: 1, y: -1, quarters: 5 }];
    return {
      scores: Float64Array.from(all, ({ score }) => score),
      labels: Float64Array.from(all, ({ y }) => y),
      importance: weighted ? Float64Array.from(all, ({ quarters }) => quarters / 4) : null,
    };
  });

export const weightOf = ({ importance }: Scored, i: number): number => (importance === null ? 1 : importance[i]!);
