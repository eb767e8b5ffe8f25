import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { german } from '../../src/words/german/german.ts';

/** Words that no German sentence has. */
export const englishWords: RegExp =
  /\b(?:the|and|of|with|is|are|for|to|not|no|this|that|point|points|update|updates|pass|run|line)\b/i;

/** Names in a tour's text that are English in German, too: titles in quotation marks, and a lecture. */
export const namesOfSources: RegExp = /„[^“]*“|Foundations of Data Analysis/g;

/** Returns all words of the page: text, labels, titles, and the words of pictures. */
function saidOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const said = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement!.closest('script, style, [lang=en], .katex') === null) said.add(textContent!.trim());
    }
    for (const element of document.querySelectorAll('*')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext', 'aria-roledescription'])
        if (element.getAttribute('lang') === null) said.add(element.getAttribute(name) ?? '');
      const { picture } = element as unknown as { picture?: { marks: { text?: unknown }[] } | null };
      for (const { text } of picture?.marks ?? []) if (typeof text === 'string') said.add(text);
    }
    return [...said];
  });
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The English messages as patterns, those apart that German writes alike. */
const english = Object.entries(german).flatMap(([key, message]) => {
  const words = key.replace(/\{\d\}/g, '').match(/[A-Za-z]{3,}/g) ?? [];
  return message === key || words.length === 0
    ? []
    : [
        new RegExp(
          `^${key
            .trim()
            .split(/\{\d\}/)
            .map(escaped)
            .join('.*')}$`,
          's',
        ),
      ];
});
const germans = Object.values(german).flatMap((message) =>
  typeof message === 'string'
    ? [
        new RegExp(
          `^${message
            .trim()
            .split(/\{\d\}/)
            .map(escaped)
            .join('.*')}$`,
          's',
        ),
      ]
    : [],
);

/** Returns the English texts of the page that the catalogue has in German. */
export async function englishOn(page: Page): Promise<string[]> {
  const said = await saidOn(page);
  expect(said.length).toBeGreaterThan(20);
  return said.filter((text) => english.some((each) => each.test(text)) && !germans.some((each) => each.test(text)));
}
