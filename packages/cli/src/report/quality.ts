import type { Confusion, Judgement } from 'halfspace';
import { baselineAccuracy, mostFrequentClass, perClass } from 'halfspace/metrics';
import { qualityOf } from 'halfspace/models';
import { printable } from 'halfspace/printable';
import { count, counted, ifKnown, listed, percent } from './format.ts';
import { terminalWidth } from './terminal-charts.ts';

/** Maximum number of classes in a table; of more classes, those with the lowest F1 are shown. */
const mostClasses = 12;
const worstShown = 10;
const longestName = 40;

/** Returns the classes of a confusion matrix: those of the model, then those that only the rows have. */
export function judgedClasses(
  classes: readonly string[],
  { unknownClasses = [] }: Pick<Judgement, 'unknownClasses'>,
): readonly string[] {
  return [...classes, ...unknownClasses];
}

/** The accuracy of always predicting the most frequent class of some rows, and that class. */
interface Baseline {
  readonly accuracy: number;
  readonly class: string;
}

/** Returns the baseline of the rows of a confusion matrix; null without rows. */
export function baselineOf(confusion: Confusion, classes: readonly string[]): Baseline | null {
  const accuracy = baselineAccuracy(confusion);
  return Number.isNaN(accuracy) ? null : { accuracy, class: classes[mostFrequentClass(confusion)]! };
}

/** Returns `baseline: always predicting spam`, and says so if the accuracy of the model is not above it. */
function baselineText(baseline: Baseline, accuracy: number): string {
  const verdict = accuracy > baseline.accuracy ? '' : '; the model is no better';
  return `baseline: always predicting ${named(baseline.class, longestName)}${verdict}`;
}

/**
 * Returns a printable name of at most `width` characters. A longer one loses its middle, because names of classes often
 * begin alike.
 */
function named(name: string, width: number): string {
  const letters = [...printable(name)];
  if (letters.length <= width) return letters.join('');
  const head = Math.ceil((width - 1) / 2);
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (width - 1 - head)).join('')}`;
}

/** Returns precision, recall, F1 and rows of the classes as a table; of many classes, the worst ones. */
export function classLines(confusion: Confusion, classes: readonly string[]): string[] {
  const all = perClass(confusion, classes);
  const judged = all.filter(({ f1 }) => f1 !== null).sort((a, b) => a.f1! - b.f1! || b.support - a.support);
  const isLong = all.length > mostClasses;
  const shown = isLong ? judged.slice(0, worstShown) : all;
  const room = Math.max(10, Math.min(longestName, terminalWidth() - 55));
  const width = Math.min(room, Math.max(10, ...shown.map((each) => [...printable(each.class)].length)));
  const share = (value: number | null) => (value === null ? '–' : percent(value)).padStart(11);
  const rest = judged.length - shown.length;
  const absent = all.length - judged.length;
  return [
    `${''.padEnd(width)}  precision     recall         F1       rows`,
    ...shown.map(
      (each) =>
        `${named(each.class, width).padEnd(width)}${share(each.precision)}${share(each.recall)}${share(each.f1)}${count(each.support).padStart(11)}`,
    ),
    ...(isLong && rest > 0
      ? [
          `… and ${counted(rest, 'class', 'classes')} with F1 from ${percent(judged[worstShown]!.f1!)} to ${percent(judged.at(-1)!.f1!)}`,
        ]
      : []),
    ...(isLong && absent > 0
      ? [`… and ${counted(absent, 'class', 'classes')} without rows here, never predicted`]
      : []),
  ];
}

/**
 * Returns a warning if classes occur in the rows but are never predicted; else null.
 *
 * @param what names the rows: `rows held out`.
 */
export function neverPredictedWarning(
  { confusion, examples }: Pick<Judgement, 'confusion' | 'examples'>,
  classes: readonly string[],
  what: string,
): string | null {
  const { perClass: all, neverPredicted } = qualityOf({ confusion }, classes);
  if (neverPredicted.length === 0) return null;
  const missed = all.filter((each) => neverPredicted.includes(each.class));
  const names = missed.map((each) => `${named(each.class, longestName)} (${counted(each.support, 'row')})`);
  return `never predicted, though present in the ${count(examples)} ${what}: ${listed(names, 5)}. Training with --class-weight balanced gives rare classes more weight`;
}

/** Returns the lines of a baseline below the accuracy of a model. @param columns minimum width of the percentage. */
export function baselineLines(
  judgement: Pick<Judgement, 'confusion' | 'accuracy' | 'unknownClasses'>,
  classes: readonly string[],
  columns = 0,
): readonly string[] {
  return ifKnown(baselineOf(judgement.confusion, judgedClasses(classes, judgement)), (baseline) => [
    `${percent(baseline.accuracy).padStart(columns)}  ${baselineText(baseline, judgement.accuracy)}`,
  ]);
}
