import type { ClassBracket, FeatureEncoding, MarginReport, TrainingReport } from 'halfspace';
import type { MarginBracket, MistakeBound } from 'halfspace/margins';
import { above, below, count, counted, listed, number, radiusAbove } from './format.ts';

/** Returns what a run proved about margins, and of which numbers; empty if it proved nothing. */
export function marginLines(
  { bracket, classBrackets, multiclassBracket, mistakeBounds, maximumMargin, updates, examples }: TrainingReport,
  features: FeatureEncoding,
): string[] {
  const together = multiclassBracket === null ? [] : [multiclassBracket];
  const brackets = [...(bracket === null ? [] : [bracket]), ...(classBrackets ?? []), ...together];
  const standard = features.kind === 'table' && features.scale === 'standard' ? ', with standardised columns' : '';
  return [
    ...(bracket === null ? [] : bracketLines(bracket, updates)),
    ...(classBrackets === null ? [] : classLines(classBrackets)),
    ...together.map(togetherLine),
    ...(mistakeBounds === null ? [] : mistakeLines(mistakeBounds, updates, examples)),
    ...(maximumMargin === null ? [] : maximumLines(maximumMargin)),
    ...(brackets.some(({ lower, upper }) => lower > 0 || upper === 0)
      ? [`this is about doubles${standard}; halfspace certify proves it of decimals as written`]
      : []),
  ];
}

/**
 * @param made number of updates of the run. The bracket counts the terms of the sum w, one of which is FODA's start. If
 *   the two numbers differ, the lines say steps instead of updates.
 */
function bracketLines({ lower, upper, radius, constant, updates, bound }: MarginBracket, made: number): string[] {
  const things = updates === null || updates === made ? 'updates' : 'steps with the start';
  const of = constant === 0 ? '' : `, of the rows with the constant ${number(constant)}`;
  const size = `radius ${radiusAbove(radius)}`;
  if (bound !== null)
    return [
      updates === null
        ? `largest margin ${between(below(lower, 4), above(upper, 4))}${of}; so a perceptron makes at most ${whole(bound)} ${bound === 1 ? 'update' : 'updates'} (${size})`
        : `largest margin ${between(below(lower, 4), above(upper, 4))}${of}; so at most ${whole(bound)} ${things} (${size}), ${count(updates)} so far`,
    ];
  if (upper === 0 && constant === 0) return ['proved: no hyperplane through the origin separates the rows'];
  if (upper === 0)
    return [
      'proved: no hyperplane separates the rows, because weighted means of both classes are equal; halfspace certify names such rows',
    ];
  const most = upper < radius ? [`proved: no hyperplane has a margin above ${above(upper, 4)}${of} (${size})`] : [];
  if (updates === null)
    return [...most, 'not proved: that no hyperplane separates the rows; halfspace certify searches longer'];
  const needed = (radius / upper) ** 2;
  return [
    ...most,
    `not proved: that no hyperplane separates the rows; with that margin up to ${whole(Math.floor(needed))} ${things} may be needed, ${count(updates)} so far`,
  ];
}

const theorems = { 'freund-schapire': 'Freund and Schapire', 'mohri-rostamizadeh': 'Mohri and Rostamizadeh' };

/** Returns the lower bound for rows that need not be separable; nothing if it is not below the number of rows shown. */
function mistakeLines([first, second]: readonly [MistakeBound, MistakeBound], made: number, rows: number): string[] {
  const { theorem, updates, margin, deviation, radius, passes } = first.updates < second.updates ? first : second;
  if (updates >= rows * passes) return [];
  const missed = theorem === 'freund-schapire' ? 'by squares that add up to the square of' : 'by a total of';
  return [
    `proved: at most ${whole(updates)} updates in ${counted(passes, 'pass', 'passes')}, whatever the order (${theorems[theorem]}; rows miss a margin of ${margin} ${missed} ${above(deviation, 4)}, radius ${radiusAbove(radius)}), ${count(made)} so far`,
  ];
}

/** Maximum number of classes that a line names. */
const mostClasses = 8;

function classLines(brackets: readonly ClassBracket[]): string[] {
  const named = (those: readonly ClassBracket[], what: (bracket: ClassBracket) => string) =>
    listed(those.map(what), mostClasses);
  const can = brackets.filter(({ lower }) => lower > 0);
  const cannot = brackets.filter(({ upper }) => upper === 0);
  const open = brackets.filter(({ lower, upper }) => lower === 0 && upper > 0);
  return [
    ...(can.length === 0
      ? []
      : [
          `proved: a hyperplane separates from all others: ${named(can, (each) => `${each.class} (margin ${below(each.lower, 4)} to ${above(each.upper, 4)})`)}`,
        ]),
    ...(cannot.length === 0 ? [] : [`proved: none separates from all others: ${named(cannot, (each) => each.class)}`]),
    ...(open.length === 0 ? [] : [`not known if one separates from all others: ${named(open, (each) => each.class)}`]),
  ];
}

function togetherLine({ lower, upper }: MarginBracket): string {
  if (lower > 0)
    return `proved: weights of all classes together are right on every row (margin ${below(lower, 4)} to ${above(upper, 4)})`;
  return upper === 0
    ? 'proved: no weights of all classes together are right on every row'
    : `not known if weights of all classes together are right on every row; none with a margin above ${above(upper, 4)}`;
}

function maximumLines({ lower, upper, gap, separable, support, passes }: MarginReport): string[] {
  const work = `${counted(passes, 'pass', 'passes')} of the search`;
  if (separable === true)
    return [
      `largest margin of any hyperplane: ${below(lower, 8)} to ${above(upper, 8)}, a gap of ${above(gap, 2)}; ${counted(support, 'support vector')}, ${work}`,
    ];
  return separable === false
    ? [`proved: no hyperplane separates the rows (${counted(support, 'row')} contradict each other)`]
    : [`largest margin of any hyperplane: at most ${above(upper, 4)}; no separating hyperplane was found (${work})`];
}

function between(least: string, most: string): string {
  return least === most ? least : `between ${least} and ${most}`;
}

/** Returns a number of updates, rounded up if it is large. */
function whole(value: number): string {
  return value < 1e9 ? count(value) : above(value, 4);
}
