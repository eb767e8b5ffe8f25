/**
 * Estimates the width of a text in pixels, rather too wide than too narrow. Pictures are data, and are also made
 * in places that cannot measure fonts.
 */
export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const letter of text) ems += emsOf(letter);
  return ems * size;
}

/** Widths follow DejaVu Sans, the widest of the fonts that are likely. */
function emsOf(letter: string): number {
  if (/[iljI.,:;'|! ()[\]ft⟨⟩·]/.test(letter)) return 0.38;
  if (/[mMW@%—√∞=+−×≤≥→]/.test(letter)) return 0.92;
  return /[wA-ZΣ]/.test(letter) ? 0.72 : 0.61;
}

/** Shortens a text to a width, with … at its end. */
export function fitText(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, size) > width) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

/**
 * Moves positions along an axis as little as possible, in their order, so that neighbours are `gap` apart and all are
 * in [from, to].
 */
export function spread(wanted: readonly number[], gap: number, from: number, to: number): number[] {
  const order = wanted.map((_, k) => k).sort((a, b) => wanted[a]! - wanted[b]!);
  const placed = [...wanted];
  let last = -Infinity;
  for (const k of order) {
    placed[k] = Math.max(placed[k]!, last + gap, from);
    last = placed[k]!;
  }
  let next = to + gap;
  for (const k of order.reverse()) {
    placed[k] = Math.min(placed[k]!, next - gap);
    next = placed[k]!;
  }
  return placed;
}
