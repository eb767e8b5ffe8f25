import katex from 'katex';
import type { Plugin } from 'vite';

/** Font families of KaTeX that ship; formulas in others are refused. */
const families = /KaTeX_(?:Main|Math|Size[1-4]|AMS|Caligraphic)$/;
const refusedClasses = /class="[^"]*\b(?:mathfrak|mathscr|mathtt|mathsf|mathboldfrak|textscr|texttt|textsf)\b/;

/** Sizes of KaTeX that formulas are set in, text and two of scripts; the style sheet has rules for every pair of eleven. */
const sizes = /^[136]$/;
const refusedSizes = /\b(?:sizing|fontsize-ensurer) reset-size(?![136]\b)|\breset-size\d+ size(?![136]\b)/;

/** Every letter of every formula that was set, for vite-fonts.ts. */
export const shownLetters: Set<string> = new Set();

/** Every class of every formula that was set. */
const shownClasses: Set<string> = new Set();

/** The letters of the formulas with which the page opens. */
export const firstLetters: Set<string> = new Set();
const firstListing = /\/perceptron-listing\.ts$/;

/**
 * A formula as HTML, with MathML for those who listen. To be called when the page is built: KaTeX itself never ships, only its style sheet and fonts.
 *
 * @param tex as KaTeX reads it. @param display set on a line of its own; default false. @param letters that gets the
 * letters, besides `shownLetters`.
 * @throws Error where the formula is wrong, or needs a font that does not ship.
 */
export function renderFormula(tex: string, display = false, letters: Set<string> = shownLetters): string {
  const set = katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: 'error' });
  if (refusedSizes.test(set)) throw new Error(`expected a formula in the sizes of text and of scripts; got ${tex}`);
  if (refusedClasses.test(set)) throw new Error(`expected a formula in the fonts that ship (${families}); got ${tex}`);
  // What it was written as says nothing to those who listen.
  const html = set.replace(/<annotation .*?<\/annotation>/s, '');
  for (const [, names] of html.matchAll(/class="([^"]*)"/g))
    for (const name of names!.split(' ')) shownClasses.add(name);
  const shown = html.slice(html.indexOf('katex-html'));
  for (const [, text] of shown.matchAll(/>([^<>]+)/g))
    for (const letter of text!.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>'))
      for (const each of [letters, shownLetters]) each.add(letter);
  return html;
}

const literal = /\bformula`((?:[^`\\]|\\[^`])*)`/g;

/** Sets what is written formula`…` in the page's sources, and cuts KaTeX's style sheet down to the fonts that ship. */
export function formulas(): Plugin {
  return {
    name: 'formulas',
    enforce: 'pre',
    transform(code, id) {
      const [file = ''] = id.split('?');
      if (file.endsWith('katex.min.css')) return { code: trimStyles(code), map: null };
      if (file.includes('node_modules') || !/\.(?:ts|svelte)$/.test(file) || !code.includes('formula`')) return null;
      const set = code.replace(literal, (whole: string, tex: string) => {
        if (tex.includes('${'))
          throw new Error(`expected a formula without parts computed later; got ${whole} in ${file}`);
        return JSON.stringify(renderFormula(tex, false, firstListing.test(file) ? firstLetters : shownLetters));
      });
      return { code: set, map: null };
    },
    // After every module: only then are all formulas set.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const part of Object.values(bundle))
          if (part.type === 'asset' && part.fileName.endsWith('.css'))
            part.source = withoutUnusedRules(String(part.source), shownClasses);
      },
    },
  };
}

/** Returns a style sheet without KaTeX's rules for classes that no formula has. */
export function withoutUnusedRules(css: string, shown: ReadonlySet<string>): string {
  return css.replace(/(?<=[{}]|^)((?:\.katex[^{},]*,?)+)\{[^{}]*\}/g, (rule, selectors: string) =>
    selectors.split(',').some((selector) => classesOf(selector).every((name) => shown.has(name))) ? rule : '',
  );
}

const classesOf = (selector: string): string[] => Array.from(selector.matchAll(/\.([\w-]+)/g), ([, name]) => name!);

/** Fonts as WOFF2 only, which every browser reads that the lab runs in, and the sizes that there are. */
function trimStyles(css: string): string {
  const pair =
    /\.katex \.fontsize-ensurer\.reset-size(\d+)\.size(\d+),\.katex \.sizing\.reset-size\1\.size\2\{[^}]*\}/g;
  const sized = css.replace(pair, (rule, from, to) => (sizes.test(from) && sizes.test(to) ? rule : ''));
  return sized.replace(/@font-face\{[^}]*\}/g, (face) => {
    const family = /font-family:"?([\w-]+)"?/.exec(face)?.[1] ?? '';
    if (!families.test(family) || (family === 'KaTeX_Math' && /font-weight:(?:700|bold)/.test(face))) return '';
    const woff2 = /url\([^)]*\.woff2\) format\("woff2"\)/.exec(face);
    if (woff2 === null) throw new Error(`expected a WOFF2 file of ${family} in KaTeX's style sheet`);
    return face.replace(/src:[^;}]*/, `src:${woff2[0]}`);
  });
}
