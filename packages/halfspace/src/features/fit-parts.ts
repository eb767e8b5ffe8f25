import { decodeWhole, type EncodedWhole, encodeNumbers } from '../numbers.ts';
import { CategoryFit } from './category/fit.ts';
import type { TableFitter } from './fit-table.ts';
import type { NumericFit } from './number/fit.ts';
import { addNumbers, type NumbersPart, numbersPart } from './number/part.ts';
import { HashedCounter, type TermCounters, TextFit } from './text/fit.ts';

/*
 * The counts of rows that are fitted in parts. Counts of levels, terms and dates are added exactly; means and
 * deviations are rounded, so parts must be added in one order.
 */

/** The counts of one column as plain data. */
type FitPart = NumbersPart | LevelsPart | TermsPart;

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

/** The levels of a category or a set in some rows. */
interface LevelsPart {
  readonly kind: 'category';
  readonly missing: number;
  /** Number of rows with a value. */
  readonly count: number;
  /** Levels in order of appearance, with their numbers of rows. */
  readonly levels: readonly (readonly [level: string, rows: number])[];
  readonly full: boolean;
}

function levelsPart({ missing, count, levels, occurrences, full }: CategoryFit): LevelsPart {
  return {
    kind: 'category',
    missing,
    count,
    levels: Array.from(levels, ([level, at]) => [level, occurrences[at]!] as const),
    full,
  };
}

function addLevels(fit: CategoryFit, part: LevelsPart): void {
  fit.missing += part.missing;
  fit.count += part.count;
  for (const [level, rows] of part.levels) {
    const at = fit.numberOf(level);
    fit.occurrences[at]! += rows;
  }
  fit.full ||= part.full || fit.levels.size > fit.mostLevels;
}

/** The terms of a text column in some rows. */
interface TermsPart {
  readonly kind: 'text';
  readonly documents: number;
  readonly missing: number;
  /** Number of tokens in all texts. */
  readonly tokens: number;
  /** Numbers of rows of each of the names, or of each slot of hashed terms. */
  readonly rows: readonly number[] | EncodedWhole;
  readonly names: readonly string[];
}

function termsPart({ documents, missing, terms, counter }: TextFit): TermsPart {
  const names = [...counter.names];
  const rows =
    counter instanceof HashedCounter
      ? counter.counts
      : Uint32Array.from(names, (name) => {
          const { counts, numbers } = counter.of(name);
          return counts[numbers.get(name)!]!;
        });
  return { kind: 'text', documents, missing, tokens: terms.tokens, rows: encodeNumbers(rows), names };
}

/** Counts are exact unless a fit met so many terms that it forgot some. */
function addTerms(fit: TextFit, { documents, missing, tokens, rows, names }: TermsPart): void {
  if (documents > 0) {
    const counts = decodeWhole(rows)!;
    if (fit.counter instanceof HashedCounter) addHashed(fit.counter, counts, names);
    else addNamed(fit.counter, counts, names);
    fit.counter.row += documents - 1;
  }
  fit.documents += documents;
  fit.missing += missing;
  fit.terms.tokens += tokens;
}

function addNamed(counters: TermCounters, counts: Uint32Array, names: readonly string[]): void {
  counters.begin();
  names.forEach((name, k) => {
    const counter = counters.of(name);
    counter.add(name);
    counter.counts[counter.numbers.get(name)!]! += counts[k]! - 1;
  });
}

function addHashed(counter: HashedCounter, counts: Uint32Array, names: readonly string[]): void {
  counter.begin();
  counts.forEach((count, slot) => {
    counter.counts[slot]! += count;
  });
  for (const name of names) if (counter.names.size < counter.mostNames) counter.names.add(name);
}
