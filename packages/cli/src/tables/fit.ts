import { type ColumnKind, type ColumnTally, chooseKind, tallyWords } from 'halfspace';
import { type ChosenColumns, labelColumn, wantedColumns } from './columns.ts';
import { type FitOptions, FitReading, type FitResult } from './fit-reading.ts';
import { WordCounts } from './kinds.ts';
import type { Table } from './table.ts';
import { WordList } from './words.ts';

/** So many rows, or cells, of so many files are looked at for a first guess. */
const sampledRows = 2048;
const sampledCells = 200_000;
/** Of wide tables a hundred rows, and of very wide ones fewer: their words all take memory at once. */
const fewRows = 100;
const fewestRows = 20;
const mostSampledCells = 1_000_000;
const sampledFiles = 4;
/** A guess that the whole table does not bear out is made anew, up to so many times. */
const mostGuesses = 4;

/**
 * Learns the encoding of tables: a look at the first rows guesses what each column is, one reading of all rows learns its mean or its
 * levels and finds out whether the guess was right. Where it was not, the reading is repeated.
 *
 * @throws HalfspaceError for the first row that is at fault (unless tolerant), `source-empty`, `label-classes`.
 */
export async function fitTables(
  tables: readonly Table[],
  chosen: ChosenColumns,
  options: FitOptions,
): Promise<FitResult> {
  const lists = chosen.candidates.map(() => new WordList());
  const labelList = new WordList();
  const sample = await sampleTables(tables, chosen, lists, labelList);
  let kinds: ColumnKind[] = chosen.candidates.map(
    ({ kind }, c) => kind ?? chooseKind(sample[c]!, chosen.candidates[c]!.isText),
  );
  // Words of columns that are not read as words are not needed any more.
  kinds.forEach((kind, c) => {
    if (kind === 'number') lists[c] = new WordList();
  });
  for (let guess = 1; ; guess++) {
    const reading = new FitReading(tables, chosen, kinds, lists, labelList, sample, options);
    let isRight = false;
    try {
      await reading.run();
      const revised = kinds.map((kind, c) => chosen.candidates[c]!.kind ?? reading.kindOf(c, kind));
      isRight = guess === mostGuesses || revised.every((kind, c) => kind === kinds[c]);
      if (isRight) return reading.result();
      kinds = revised;
    } finally {
      if (!isRight) reading.close();
    }
  }
}

/** The tallies of the first rows. */
async function sampleTables(
  tables: readonly Table[],
  chosen: ChosenColumns,
  lists: readonly WordList[],
  labelList: WordList,
): Promise<ColumnTally[]> {
  const counts = lists.map(() => new WordCounts());
  const width = Math.max(1, lists.length);
  const few = Math.max(fewestRows, Math.min(fewRows, Math.floor(mostSampledCells / width)));
  const limit = Math.max(few, Math.min(sampledRows, Math.floor(sampledCells / width)));
  for (const table of tables.slice(0, sampledFiles)) {
    const wanted = wantedColumns(table, chosen, lists, () => 'category');
    const label = { column: labelColumn(table, chosen.label), kind: 'category', list: labelList } as const;
    for await (const chunk of table.scan(wanted, label, { tolerant: true, limit }).chunks())
      chunk.columns.forEach((cells, c) => {
        counts[c]!.add(cells, chunk.rows);
      });
  }
  return lists.map(({ words }, c) => tallyWords(words, counts[c]!.counts));
}
