import type { WeightInterval, WeightIntervals } from 'halfspace';
import { fit } from './features.ts';
import { counted, number, percent } from './format.ts';

/** Returns lines with the intervals of the bias and of the strongest weights, class by class. */
export function intervalLines(told: WeightIntervals, classes: readonly string[]): string[] {
  const { runs, confidence, seed, examples, functions } = told;
  const head = [
    `weight, and the ends of ${percent(confidence)} of ${counted(runs, 'run')} on samples of ${counted(examples, 'row')}, seed ${seed}`,
  ];
  const isSingle = classes.length === 2;
  const lines = functions.flatMap(({ class: name, bias, weights }) => {
    const entries = [['(bias)', bias] as const, ...weights.map((each) => [each.feature, each] as const)];
    const width = Math.min(40, Math.max(...entries.map(([feature]) => [...feature].length)));
    const cells = entries.map(([, { weight, low, high }]) => [weight, low, high].map(number));
    const widths = [0, 1, 2].map((k) => Math.max(...cells.map((each) => each[k]!.length)));
    const own = entries.map(([feature, each], i) => {
      const [weight, low, high] = cells[i]!.map((text, k) => text.padStart(widths[k]!));
      return `${fit(feature, width)}  ${weight}   ${low} to ${high}   ${signText(each)}`;
    });
    return [...(isSingle ? [] : [`for ${name}`]), ...own];
  });
  return [...head, ...lines];
}

function signText({ sameSign }: WeightInterval): string {
  return sameSign === 1 ? 'same sign in all runs' : `same sign in ${percent(sameSign)}`;
}
