import type { Separable, Verdict } from '../engine/verdict.ts';
import { countText, numberText } from '../picture/numbers.ts';
import { boundText } from '../picture/rounding.ts';
import { boundOf, spaceOf } from './proof/bound.ts';
import { allowance, boundNumbers, relationText, terms } from './proof/text.ts';
import { isSum } from './run-path.ts';
import type { Scene } from './view.ts';

export { spaces } from './proof/bound.ts';

/** A verdict in words: the answer, and one line with its evidence. */
export interface VerdictText {
  readonly head: string;
  readonly text: string;
  /** The examples that prove it, by their numbers in the data. */
  readonly rows: readonly number[];
  /** R, γ and the bound of the present space; empty or absent: there are none to tell apart from the text. */
  readonly numbers?: string;
  /** Relation of R, γ and w* to those of the other space; absent: there is no other. */
  readonly relation?: string;
}

export function verdictText(verdict: Verdict, scene: Scene | null): VerdictText {
  switch (verdict.kind) {
    case 'separable':
      return separableText(verdict, scene);
    case 'not-separable': {
      const rows = [...verdict.combination].sort((a, b) => b.weight - a.weight || a.row - b.row).map(({ row }) => row);
      const some = rows.length === 1 ? '1 example proves' : `${countText(rows.length)} examples prove`;
      return {
        head: 'No line separates:',
        text: `${some} it, where their classes’ hulls meet.`,
        rows: rows.sort((a, b) => a - b),
      };
    }
    case 'undecided':
      return verdict.upper === 0
        ? { head: 'No line separates.', text: verdict.why, rows: [] }
        : { head: 'Undecided:', text: `${lowered(verdict.why)}${upperText(verdict.upper)}`, rows: [] };
  }
}

function upperText(upper: number | null): string {
  return upper === null || !Number.isFinite(upper)
    ? ''
    : ` If a line separates them, its margin is below ${boundText(upper, 4, 'up')}.`;
}

/** Writes R and γ in the space of the look, the theorem's bound where it applies, and the updates of the run. */
function separableText(verdict: Separable, scene: Scene | null): VerdictText {
  const answer = { head: 'Separable:', rows: [] } as const;
  if (scene === null) return { ...answer, text: 'some line has every example on its side.' };
  const bound = boundOf(scene, spaceOf(scene.look));
  const { lower, upper } = bound.space === 'apart' ? verdict : verdict.lifted;
  const { divisor } = scene.recording;
  const numbers = boundNumbers(bound);
  // Bounds that differ in what is written are written both, rounded outward.
  const [least, most] = [boundText(lower / divisor, 4, 'down'), boundText(upper / divisor, 4, 'up')];
  const margin =
    bound.star !== null && upper / lower < 1 + 1e-5 ? `γ = ${numbers.margin}` : `γ between ${least} and ${most}`;
  const bias = numbers.bias === '' ? '' : `, b* = ${numbers.bias}`;
  const scaled = divisor === 1 ? '' : `, x divided by ${numberText(divisor, 4)}`;
  const known = `R = ${numbers.radius}, ${margin}${bias}${scaled}`;
  const relation = relationText(scene, bound);
  if (!isSum(scene) || bound.updates === null) return { ...answer, text: `${known}.`, numbers: '', relation };
  const { allowed, made } = allowance(scene, bound);
  const formula = `${terms(bound).ratio} = ${numbers.ratio}`;
  return { ...answer, text: `at most ${allowed}, this run made ${made}.`, numbers: `${known}, ${formula}.`, relation };
}

function lowered(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
