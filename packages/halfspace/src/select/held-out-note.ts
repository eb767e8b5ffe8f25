import { listed } from '../table/columns.ts';
import type { TrainingReport } from '../train/report.ts';

/** Largest number of classes that the note lists. */
const most = 8;

/** Returns a note on the classes of which no row is held out, or null. @param share the option `holdout`. */
export function heldOutNote(
  { classes, classExamples, holdout }: Pick<TrainingReport, 'classes' | 'classExamples' | 'holdout'>,
  share: number | undefined,
): string | null {
  if (share === undefined) return null;
  const lacking = classes.flatMap((name, k) => {
    const rows = classExamples[k]!;
    const held = holdout !== null && holdout.confusion[k]!.some((count) => count > 0);
    return held ? [] : [`${name} (${rows} ${rows === 1 ? 'row' : 'rows'})`];
  });
  if (lacking.length === 0) return null;
  return `no row is held out of ${lacking.length === 1 ? 'the class' : 'the classes'} ${listed(lacking, most)}: too few for a share of ${share}`;
}
