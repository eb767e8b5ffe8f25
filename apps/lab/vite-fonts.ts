import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { shownLetters } from './vite-formulas.ts';

/**
 * Cuts KaTeX's fonts down to the letters that the formulas in the build have. Formulas are set when the page is built, so that no other letters
 * can come.
 */
export function fonts(): Plugin {
  return {
    name: 'halfspace-fonts',
    apply: 'build',
    async generateBundle(_, bundle) {
      const text = [...shownLetters].join('');
      for (const part of Object.values(bundle))
        if (part.type === 'asset' && /KaTeX_.*\.woff2$/.test(part.fileName))
          part.source = await subsetFont(Buffer.from(part.source as Uint8Array), text, { targetFormat: 'woff2' });
    },
  };
}
