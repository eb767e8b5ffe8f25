import type { CalibrationReport, Model } from 'halfspace';
import { evenScore, isJoint, type ProbabilityJudgement, probabilityOf, type ScoreCalibration } from 'halfspace/metrics';
import { count, counted, number, percent } from './format.ts';

type Calibrated = Pick<Model, 'calibration' | 'classes'>;

/**
 * Returns how a model turns scores into probabilities, and where its most probable class changes. Empty without a
 * calibration.
 */
export function calibrationLines({ calibration, classes }: Calibrated): string[] {
  const [first] = calibration ?? [];
  if (first === undefined) return [];
  const how = 'scores become probabilities by';
  if (isJoint(first))
    return [
      first.kind === 'isotonic-leads'
        ? `${how} an isotonic curve of the leads`
        : `${how} a softmax, slope ${number(first.slope)}${first.reach === null ? '' : `; distances from the highest score are limited to ${number(first.reach)}`}`,
      'the class with the highest score is the most probable one',
    ];
  const clipped =
    first.kind === 'clipped-platt' ? `; scores are limited to [${number(first.low)}, ${number(first.high)}]` : '';
  return [`${how} ${kindOf(first)} calibration${clipped}`, evenLine(first, classes)];
}

function kindOf({ kind }: ScoreCalibration): string {
  return kind === 'clipped-platt' ? 'platt' : kind;
}

/** Returns the line about the score at which two classes are equally probable. */
function evenLine(calibration: ScoreCalibration, classes: readonly string[]): string {
  const even = evenScore(calibration);
  if (even !== null)
    return `probability ½ at score ${number(even.score)}: ${classes[1]} is more probable ${even.above > 0 ? 'above' : 'below'} it`;
  const sum = probabilityOf(calibration, -Infinity) + probabilityOf(calibration, Infinity);
  return sum === 1
    ? 'both classes are equally probable at every score'
    : `probability ½ at no score: ${classes[sum > 1 ? 1 : 0]} is the most probable class at every score`;
}

/**
 * Returns `evenScore`, the score with probability ½, or null if there is none. Returns no member for three or more
 * classes.
 */
export function evenJson({ calibration }: Pick<Model, 'calibration'>): object {
  const [first] = calibration ?? [];
  return first === undefined || isJoint(first) ? {} : { evenScore: evenScore(first) };
}

type Rightness = Pick<ProbabilityJudgement, 'examples' | 'errors' | 'accuracy' | 'scoreAccuracy'>;

/** Returns the accuracies of the most probable class and of the class by score; empty if they are equal. */
export function rightLines(judged: Rightness, what = ''): string[] {
  const { errors, accuracy, scoreAccuracy } = judged;
  if (accuracy === scoreAccuracy) return [];
  const byProbability = `${percent(accuracy)} by probability (${counted(errors, 'error')})`;
  const byScore = `${percent(scoreAccuracy)} by score (${count(scoreErrors(judged))})`;
  return [`right: ${byProbability}, ${byScore}${what === '' ? '' : ` ${what}`}`];
}

/** Returns a warning if the most probable class is less accurate than the class by score; else null. */
export function calibrationWarning({ kind, isLessRight, outOfFold }: CalibrationReport): string | null {
  if (!isLessRight) return null;
  const errors = `${counted(outOfFold.errors, 'error')} against ${count(scoreErrors(outOfFold))}`;
  const other = kind === 'platt' ? 'isotonic' : 'platt';
  return `the most probable class has more errors than the class by score: ${errors} in ${counted(outOfFold.examples, 'row')} out of fold. Predict without --probabilities, or try --calibrate ${other}`;
}

function scoreErrors({ examples, scoreAccuracy }: Rightness): number {
  return Math.round(examples * (1 - scoreAccuracy));
}
