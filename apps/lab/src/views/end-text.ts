import { countText } from '../picture/numbers.ts';
import { amountText } from '../picture/shares.ts';
import { boundOf, spaceOf } from './proof/bound.ts';
import { isInseparable } from './proof/quantities.ts';
import { allowance } from './proof/text.ts';
import { isSum } from './run-path.ts';
import type { Scene } from './view.ts';

/** Says at the end of a run that it stopped, and why; null: this is not the end, or there were no steps. */
export function endText(scene: Scene): { readonly head: string; readonly text: string } | null {
  const { recording, moment } = scene;
  if (recording.steps === 0 || moment.step < recording.steps) return null;
  const { report } = recording;
  const wrong = report.train?.errors ?? null;
  const still =
    wrong === null || wrong === 0
      ? ''
      : wrong === 1
        ? ' 1 example is still wrong.'
        : ` ${countText(wrong)} examples are still wrong.`;
  switch (report.stop) {
    case 'separated':
      return {
        head: 'It stopped:',
        text: `a whole round without an update. ${countsText(scene)}.`,
      };
    case 'quiet':
      return { head: 'It stopped:', text: `a whole round without an update.${still} ${countsText(scene)}.` };
    case 'patience':
      return {
        head: 'It stopped early:',
        text: `held-out examples were best in pass ${countText(report.best!.pass)}.`,
      };
    default:
      return {
        head:
          report.passes === 1
            ? 'The limit of one pass is reached.'
            : `The limit of ${countText(report.passes)} passes is reached.`,
        text: `${still} ${isInseparable(scene.verdict) ? 'No line separates these examples: it would never stop.' : ''}`.trim(),
      };
  }
}

/** Writes the updates made, and the most by the theorem where it is proved: `8 of at most 185 updates`. */
function countsText(scene: Scene): string {
  const { recording } = scene;
  const made = recording.updates.length + (recording.skipped?.updates ?? 0);
  const bound = isSum(scene) ? boundOf(scene, spaceOf(scene.look)) : null;
  return bound === null || bound.updates === null
    ? amountText(made, 'update')
    : `${countText(made)} of at most ${allowance(scene, bound).allowed}`;
}
