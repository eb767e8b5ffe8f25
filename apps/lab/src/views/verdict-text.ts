import type { Verdict } from '../engine/verdict.ts';
import { countText, numberText } from '../picture/numbers.ts';
import { proofOf } from './proof/quantities.ts';
import { allowance } from './proof/text.ts';
import type { Scene } from './view.ts';

/** A verdict in words: the answer, and one line with its evidence. */
export interface VerdictText {
  readonly head: string;
  readonly text: string;
  /** The examples that prove it, by their numbers in the data. */
  readonly rows: readonly number[];
}

export function verdictText(verdict: Verdict, scene: Scene | null): VerdictText {
  switch (verdict.kind) {
    case 'separable':
      return { head: 'Separable:', text: `${marginText(verdict)}${boundText(scene)}.`, rows: [] };
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
    : ` If a line separates them, its margin is below ${rounded(upper, Math.ceil)}.`;
}

function marginText({ lower, upper }: { readonly lower: number; readonly upper: number }): string {
  const [least, most] = [rounded(lower, Math.floor), rounded(upper, Math.ceil)];
  return least === most ? `margin ${least}` : `margin between ${least} and ${most}`;
}

/** Compares the theorem's bound with this run, where the theorem applies. */
function boundText(scene: Scene | null): string {
  const proof = scene === null ? null : proofOf(scene);
  if (scene === null || proof === null || proof.bound === null) return '';
  const { allowed, made } = allowance(scene, proof);
  return `; the theorem allows ${allowed}, this run made ${made}`;
}

/** Rounds to four significant digits, up or down, so that the statement stays true. */
function rounded(value: number, round: (value: number) => number): string {
  if (value === 0) return '0';
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 3);
  return numberText(round(value / unit) * unit, 4);
}

function lowered(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
