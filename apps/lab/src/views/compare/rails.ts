import type { Recording } from '../../engine/recording.ts';
import { momentAt } from '../../engine/recording.ts';
import { lineMark, symbolMark, textMark } from '../../picture/marks.ts';
import { countText } from '../../picture/numbers.ts';
import type { Frame, Mark } from '../../picture/picture.ts';
import { amountText } from '../../picture/shares.ts';
import { fitText } from '../../picture/text-width.ts';

/** One of two runs that are compared at a step. */
export interface Runner {
  readonly name: string;
  readonly recording: Recording;
  /** Drawn examples on their wrong side at the step; null: not known. */
  readonly wrong: number | null;
}

/** Number of drawn examples that the counts of wrong ones are of. */
interface Compared {
  readonly step: number;
  /** The last step of the longer run. */
  readonly last: number;
}

/** Says how far a run is: `Perceptron: 5 updates, 3 wrong, stopped after 96`. */
export function progressText({ name, recording, wrong }: Runner, step: number): string {
  const { updates } = momentAt(recording, step);
  const isOver = step >= recording.steps;
  const parts = [
    ...(recording.steps === 0 ? [] : [amountText(updates, 'update')]),
    ...(wrong === null ? [] : [`${countText(wrong)} wrong`]),
    ...(recording.steps === 0 ? ['grown at once'] : isOver ? [`stopped after ${countText(recording.steps)}`] : []),
  ];
  return `${name}: ${parts.join(', ')}`;
}

/** Height of the rails below a picture. */
export const railsHeight = (text: number): number => Math.round(text * 5.4);

/** Draws two runs over one time: their updates as ticks, the present step across both. The first is at the top. */
export function railMarks(
  runners: readonly Runner[],
  { step, last }: Compared,
  { width, height, text }: Frame,
): Mark[] {
  const [left, right] = [text * 0.9, width - text * 0.9];
  const x = (at: number) => left + (last === 0 ? 0 : (right - left) * (at / last));
  const marks: Mark[] = [];
  const top = height - railsHeight(text);
  runners.forEach((runner, k) => {
    const { recording } = runner;
    const y = top + text * (0.8 + 2.6 * k);
    const rail = y + text * 1.1;
    const words = fitText(progressText(runner, step), text * 1.05, right - left);
    marks.push(textMark([left, y], words, text * 0.92, { weight: 'bold', id: `progress ${k}` }));
    marks.push(lineMark([left, rail], [x(recording.steps), rail], { stroke: 'grid', width: 4, id: `rail ${k}` }));
    const tick = (at: number) =>
      lineMark([x(at), rail - text * 0.4], [x(at), rail + text * 0.4], {
        stroke: 'update',
        width: 1.5,
        opacity: at <= step ? 1 : 0.35,
        id: `updates ${k}`,
      });
    // At most one tick for every two pixels.
    let drawn = -Infinity;
    for (const at of recording.updates) {
      if (x(at) - drawn < 2) continue;
      drawn = x(at);
      marks.push(tick(at));
    }
    marks.push(
      symbolMark('disc', [x(Math.min(step, recording.steps)), rail], text * 0.7, { fill: 'ink', stroke: 'paper' }),
    );
  });
  return marks;
}
