import {
  type CalibrationReport,
  evenScore,
  isJoint,
  type Model,
  type ProbabilityJudgement,
  probabilityOf,
  type ScoreCalibration,
} from 'halfspace';
import { count, counted, number, percent } from './format.ts';

type Calibrated = Pick<Model, 'calibration' | 'classes'>;

/** How a model turns scores into probabilities, and where its most probable class changes. Empty without a calibration. */
export function calibrationLines({ calibration, classes }: Calibrated): string[] {
  const [first] = calibration ?? [];
  if (first === undefined) return [];
  const how = 'scores become probabilities by';
  if (isJoint(first))
    return [
      first.kind === 'isotonic-leads'
        ? `${how} an isotonic curve of leads`
        : `${how} a softmax, slope ${number(first.slope)}${first.reach === null ? '' : `; a class behind the highest score by more than ${number(first.reach)} counts as that far behind`}`,
      'the class that scores highest is the most probable one',
    ];
  if (calibration!.length > 1)
    return [
      `${how} ${kindOf(first)} calibration of each class against all others`,
      'the most probable class need not be the one that scores highest',
    ];
  const clipped =
    first.kind === 'clipped-platt'
      ? `; scores below ${number(first.low)} and above ${number(first.high)} count as these`
      : '';
  return [`${how} ${kindOf(first)} calibration${clipped}`, evenLine(first, classes)];
}

function kindOf({ kind }: ScoreCalibration): string {
  return kind === 'clipped-platt' ? 'platt' : kind;
}

/** At which score both of two classes are equally probable. */
function evenLine(calibration: ScoreCalibration, classes: readonly string[]): string {
  const even = evenScore(calibration);
  if (even !== null)
    return `probability ½ at score ${number(even.score)}: with probabilities, ${classes[1]} where the score is ${even.above > 0 ? 'above' : 'below'} that`;
  const sum = probabilityOf(calibration, -Infinity) + probabilityOf(calibration, Infinity);
  return sum === 1
    ? 'both classes are equally probable at every score'
    : `probability ½ at no score: ${classes[sum > 1 ? 1 : 0]} is the most probable class at every score`;
}

/** `evenScore`: where the probability of the positive class crosses ½; null where it does not. Nothing for several classes. */
export function evenJson({ calibration }: Pick<Model, 'calibration'>): object {
  const [first] = calibration ?? [];
  return first === undefined || isJoint(first) || calibration!.length > 1 ? {} : { evenScore: evenScore(first) };
}

/** How often the most probable class is right beside the class of the score; empty where both are right equally often. */
export function rightLines(judged: ProbabilityJudgement, what = ''): string[] {
  const { errors, accuracy, scoreAccuracy } = judged;
  if (accuracy === scoreAccuracy) return [];
  const byProbability = `${percent(accuracy)} by probability (${counted(errors, 'error')})`;
  const byScore = `${percent(scoreAccuracy)} by score (${count(scoreErrors(judged))})`;
  return [`right: ${byProbability}, ${byScore}${what === '' ? '' : ` ${what}`}`];
}

/** The warning that the calibration's class is less often right than the score's; null where there is no need for it. */
export function calibrationWarning({ kind, isLessRight, outOfFold }: CalibrationReport): string | null {
  if (!isLessRight) return null;
  const errors = `${counted(outOfFold.errors, 'error')} against ${count(scoreErrors(outOfFold))}`;
  const other = kind === 'platt' ? 'isotonic' : 'platt';
  return `the most probable class is less often right than the class of the score: ${errors} in ${counted(outOfFold.examples, 'row')} out of fold. Ask for classes without --probabilities, or try --calibrate ${other}`;
}

function scoreErrors({ examples, scoreAccuracy }: ProbabilityJudgement): number {
  return Math.round(examples * (1 - scoreAccuracy));
}
