import type { MarginBracket, MarginReport, TrainingReport } from 'halfspace';
import { count, counted, number } from './format.ts';

/** What a run proved about margins, and what it did not; nothing where it proved nothing. */
export function marginLines({ bracket, maximumMargin, updates }: TrainingReport): string[] {
  return [
    ...(bracket === null ? [] : bracketLines(bracket, updates)),
    ...(maximumMargin === null ? [] : maximumLines(maximumMargin)),
  ];
}

/**
 * @param made updates of the run. The bracket's own count is of the terms of the sum w, which FODA's start is one of: where it is larger, lines
 *   speak of steps.
 */
function bracketLines({ lower, upper, radius, constant, updates, bound }: MarginBracket, made: number): string[] {
  const things = updates === made ? 'updates' : 'steps with the start';
  const of = constant === 0 ? '' : `, of the rows with the constant ${number(constant)}`;
  if (bound !== null)
    return [
      `largest margin ${number(lower) === number(upper) ? number(lower) : `between ${number(lower)} and ${number(upper)}`}${of}; so at most ${whole(bound)} ${things} (radius ${number(radius)}), ${count(updates)} made`,
    ];
  if (upper === 0)
    return [`proved: no hyperplane separates the rows, for the ${count(updates)} updates cancelled without rounding`];
  const needed = (radius / upper) ** 2;
  return [
    `proved: no hyperplane has a margin above ${number(upper)}${of} (radius ${number(radius)})`,
    `not proved: that none separates; with that margin up to ${whole(Math.floor(needed))} ${things} may be needed, ${count(updates)} were made`,
  ];
}

function maximumLines({ lower, upper, gap, separable, support, passes }: MarginReport): string[] {
  const work = `${counted(passes, 'pass', 'passes')} of its own`;
  if (separable === true)
    return [
      `largest margin of any hyperplane: ${digits(lower)} to ${digits(upper)}, apart by ${gap.toExponential(1)}; ${counted(support, 'support vector')}, ${work}`,
    ];
  return separable === false
    ? [`proved: no hyperplane separates the rows (${counted(support, 'row')} contradict each other)`]
    : [`largest margin of any hyperplane: at most ${number(upper)}; none that separates was found (${work})`];
}

/** Enough digits to tell bounds apart that are near each other. */
function digits(value: number): string {
  return String(Number(value.toPrecision(8)));
}

/** A number of updates; one of many digits is not worth all of them. */
function whole(value: number): string {
  return value < 1e9 ? count(value) : number(value);
}
