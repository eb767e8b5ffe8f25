import { reportMark } from '../../files/output-kinds.ts';
import { escaped } from './html.ts';
import { style } from './style.ts';

/** A number in the head of a page: what it is, its value, and an explanation. */
export type Tile = readonly [what: string, value: string, more?: string];

export interface Document {
  readonly title: string;
  readonly subtitle: string;
  readonly tiles: readonly Tile[];
  /** Sections in HTML; empty ones are left out. */
  readonly sections: readonly string[];
  readonly footer: string;
}

/**
 * Returns a self-contained HTML page: no script, no external font or image. It has no times, so equal runs give equal
 * pages.
 */
export function documentOf({ title, subtitle, tiles, sections, footer }: Document): string {
  const shown = tiles.map(
    ([what, value, more]) =>
      `<div><dt>${escaped(what)}</dt><dd>${escaped(value)}${more === undefined ? '' : `<small>${escaped(more)}</small>`}</dd></div>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${reportMark}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p class="lede">${escaped(subtitle)}</p>
<dl class="tiles">${shown.join('\n')}</dl>
</header>
<main>
${sections.filter((section) => section !== '').join('\n')}
</main>
<footer>${escaped(footer)}</footer>
</body>
</html>
`;
}
