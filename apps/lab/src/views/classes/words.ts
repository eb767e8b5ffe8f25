import type { ClassRun } from '../../engine/class-recording.ts';
import { countText, numberText } from '../../picture/numbers.ts';
import { amountText } from '../../picture/shares.ts';
import { bestOther, type ClassMoment, classScores, featuresOfRow, predictions } from './moment.ts';

/** Counts the drawn examples that do not get their class. */
export function wrongCount(run: ClassRun, { present }: Pick<ClassMoment, 'present'>): number {
  return predictions(run, present).reduce((wrong, k, i) => wrong + (k === run.truth[run.shown[i]!] ? 0 : 1), 0);
}

/** Says how far the run is: `12 updates, 3 of 90 wrong`. */
export function standText(run: ClassRun, moment: ClassMoment): string {
  const wrong = `${countText(wrongCount(run, moment))} of ${countText(run.shown.length)} wrong`;
  const over = moment.isOver ? `, stopped after ${countText(run.steps)} examples` : '';
  return `${amountText(moment.updates, 'update')}, ${wrong}${over}`;
}

/** Says what the step did to the classes. Null: at the start, and for an example that is not drawn. */
export function stepText(run: ClassRun, moment: ClassMoment): string | null {
  const { row, before, updated } = moment;
  const x = row < 0 ? null : featuresOfRow(run, row);
  if (x === null) return null;
  const { classes, truth, strategy } = run;
  const own = truth[row]!;
  const scores = classScores(run, before, x);
  const example = `Example ${countText(row + 1)} is ${classes[own]}`;
  const read = (k: number) => `${classes[k]} ${numberText(scores[k]!)}`;
  if (strategy === 'kesler') {
    const other = bestOther(scores, own);
    const compared = `${read(own)}, best other ${read(other)}`;
    return updated
      ? `${example} (${compared}): w of ${classes[own]} grows by x, w of ${classes[other]} shrinks by x.`
      : `${example} (${compared}): nothing changes.`;
  }
  const moved = classes.flatMap((name, k) => {
    const y = k === own ? 1 : -1;
    return y * scores[k]! <= 0 ? [y > 0 ? `w of ${name} grows by x` : `w of ${name} shrinks by x`] : [];
  });
  return `${example}: ${updated && moved.length > 0 ? moved.join(', ') : 'nothing changes'}.`;
}
