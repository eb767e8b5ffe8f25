import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { firstLetters, shownLetters } from './vite-formulas.ts';

/**
 * Cuts KaTeX's fonts down to the letters that the formulas in the build have. Formulas are set when the page is built, so that no other letters
 * can come. A font with letters of the first listing becomes two files, so that the page opens with those letters only; the
 * browser loads the other file when a formula with other letters is shown.
 */
export function fonts(): Plugin {
  return {
    name: 'halfspace-fonts',
    apply: 'build',
    async generateBundle(_, bundle) {
      const cut = (source: Uint8Array, letters: Iterable<string>) =>
        subsetFont(Buffer.from(source), [...letters].join(''), { targetFormat: 'woff2' });
      const later = [...shownLetters].filter((letter) => !firstLetters.has(letter));
      for (const part of Object.values(bundle)) {
        if (part.type !== 'asset' || !/KaTeX_.*\.woff2$/.test(part.fileName)) continue;
        const whole = part.source as Uint8Array;
        if (!opening.test(part.fileName) || firstLetters.size === 0) {
          part.source = await cut(whole, shownLetters);
          continue;
        }
        const first = this.emitFile({ type: 'asset', name: 'first.woff2', source: await cut(whole, firstLetters) });
        part.source = await cut(whole, later);
        const [own, other] = [part.fileName, this.getFileName(first)].map((name) => name.split('/').at(-1)!) as [
          string,
          string,
        ];
        for (const style of Object.values(bundle))
          if (style.type === 'asset' && style.fileName.endsWith('.css'))
            style.source = split(String(style.source), { own, later, other, first: [...firstLetters] });
      }
    },
  };
}

/** The fonts of plain letters and of variables, which every listing has. */
const opening = /KaTeX_(?:Main-Regular|Math-Italic)-/;

interface Halves {
  /** Names of the files of the two halves, and their letters. */
  readonly own: string;
  readonly later: readonly string[];
  readonly other: string;
  readonly first: readonly string[];
}

/** Writes the rule of a font as two, each with its file and the letters that are in it. */
export function split(css: string, { own, later, other, first }: Halves): string {
  return css.replace(/@font-face\s*\{[^}]*\}/g, (face) => {
    if (!face.includes(own)) return face;
    const half = (file: string, letters: readonly string[]) =>
      face.replace(own, file).replace(/;?\s*\}$/, `;unicode-range:${rangesOf(letters)}}`);
    return half(own, later) + half(other, first);
  });
}

/** Writes letters as ranges: `U+61-63,U+3b8`. */
export function rangesOf(letters: readonly string[]): string {
  const points = letters.map((letter) => letter.codePointAt(0)!).sort((a, b) => a - b);
  const ranges: [from: number, to: number][] = [];
  for (const point of points) {
    const last = ranges.at(-1);
    if (last !== undefined && point <= last[1] + 1) last[1] = point;
    else ranges.push([point, point]);
  }
  const hex = (point: number) => point.toString(16);
  return ranges.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(',');
}
