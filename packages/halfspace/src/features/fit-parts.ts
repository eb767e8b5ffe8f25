import { CategoryFit } from './category/fit.ts';
import { addLevels, type LevelsPart, levelsPart } from './category/part.ts';
import type { TableFitter } from './fit-table.ts';
import type { NumericFit } from './number/fit.ts';
import { addNumbers, type NumbersPart, numbersPart } from './number/part.ts';
import { TextFit } from './text/fit.ts';
import { addTerms, type TermsPart, termsPart } from './text/part.ts';

/*
 * The counts of rows that are fitted in parts. Counts of levels, terms and dates are added exactly; means and
 * deviations are rounded, so parts must be added in one order.
 */

/** The counts of one column as plain data. */
export type FitPart = NumbersPart | LevelsPart | TermsPart;

/**
 * Returns what was counted, by column.
 *
 * @param mostValues largest number of values that stand for those of a column with `bins`.
 */
export function partsOf(fitter: TableFitter, mostValues: number): readonly FitPart[] {
  return fitter.columns.map((fit) => {
    if (fit instanceof TextFit) return termsPart(fit);
    return fit instanceof CategoryFit ? levelsPart(fit) : numbersPart(fit as NumericFit, mostValues);
  });
}

/** Adds the counts of rows to a fitter that has observed none itself. */
export function addParts(fitter: TableFitter, parts: readonly FitPart[]): void {
  fitter.columns.forEach((fit, c) => {
    const part = parts[c]!;
    if (fit instanceof TextFit) addTerms(fit, part as TermsPart);
    else if (fit instanceof CategoryFit) addLevels(fit, part as LevelsPart);
    else addNumbers(fit as NumericFit, part as NumbersPart);
  });
}
