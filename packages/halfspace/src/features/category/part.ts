import type { CategoryFit } from './fit.ts';

/** The levels of a category or a set in some rows. */
export interface LevelsPart {
  readonly kind: 'category';
  readonly missing: number;
  /** Number of rows with a value. */
  readonly count: number;
  /** Levels in order of appearance, with their numbers of rows. */
  readonly levels: readonly (readonly [level: string, rows: number])[];
  readonly full: boolean;
}

export function levelsPart({ missing, count, levels, occurrences, full }: CategoryFit): LevelsPart {
  return {
    kind: 'category',
    missing,
    count,
    levels: Array.from(levels, ([level, at]) => [level, occurrences[at]!] as const),
    full,
  };
}

export function addLevels(fit: CategoryFit, part: LevelsPart): void {
  fit.missing += part.missing;
  fit.count += part.count;
  for (const [level, rows] of part.levels) {
    const at = fit.numberOf(level);
    fit.occurrences[at]! += rows;
  }
  fit.full ||= part.full || fit.levels.size > fit.mostLevels;
}
