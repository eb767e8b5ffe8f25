import { similarNote, writeAlike } from '../features/class-names.ts';
import { listedClasses } from '../table/listed.ts';
import type { TrainingReport } from '../train/report.ts';

/** Number of folds of the cross-validation of a training, unless it is given. */
export const defaultFolds = 5;

/** Options of a run that can be too much for few rows. */
interface Asked {
  readonly holdout?: number | undefined;
  readonly patience?: number | undefined;
  /** Number of folds; null without a cross-validation. */
  readonly folds: number | null;
  readonly calibrates: boolean;
  /** True for a table, whose reader has compared the labels. */
  readonly isTable: boolean;
}

/** Returns notes on classes that look alike, and on those with too few rows for the held-out parts and the folds. */
export function runNotes(report: TrainingReport, { holdout, patience, folds, calibrates, isTable }: Asked): string[] {
  const { classes, classExamples } = report;
  const counts = new Map(classes.map((name, k) => [name, classExamples[k]!]));
  const notes = [
    isTable ? null : similarNote(classes, counts, writeAlike),
    holdout === undefined ? null : heldOutNote(report, holdout),
    patience === undefined ? null : stoppingNote(classes, classExamples),
    folds === null ? null : foldsNote(classes, classExamples, folds),
    calibrates ? calibrationNote(classes, classExamples) : null,
  ];
  return notes.filter((note) => note !== null);
}

function heldOutNote({ classes, classExamples, holdout }: TrainingReport, share: number): string | null {
  const isHeldOut = (k: number) => holdout !== null && holdout.confusion[k]!.some((count) => count > 0);
  const few = rowsOf(classes, classExamples, (k) => !isHeldOut(k));
  return few && `no row is held out of the ${few}: too few for a share of ${share}`;
}

/** Returns a note on the classes that early stopping cannot judge; null: there are none. */
function stoppingNote(classes: readonly string[], perClass: readonly number[]): string | null {
  const few = rowsOf(classes, perClass, (k) => perClass[k] === 1);
  return few && `early stopping holds out no row of the ${few}: the model learns it, and no pass is judged on it`;
}

function calibrationNote(classes: readonly string[], perClass: readonly number[]): string | null {
  const few = rowsOf(classes, perClass, (k) => perClass[k] === 1);
  return few && `the calibration is fitted without the ${few}: the run that scored it had no row of it`;
}

/** Returns a note on the classes with fewer rows than folds; null: there are none. */
export function foldsNote(classes: readonly string[], perClass: readonly number[], folds: number): string | null {
  const few = rowsOf(classes, perClass, (k) => perClass[k]! < folds);
  return few && `some of the ${folds} folds have no row of the ${few}`;
}

/** Lists some classes with their numbers of rows; null: there are none. */
function rowsOf(
  classes: readonly string[],
  perClass: readonly number[],
  isListed: (k: number) => boolean,
): string | null {
  return listedClasses(classes.flatMap((name, k) => (isListed(k) ? [[name, perClass[k]!] as const] : [])));
}
