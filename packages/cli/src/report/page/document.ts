import { reportMark } from '../../files/output-kinds.ts';
import { escaped } from './html.ts';

/** The style sheet: one type scale with steps of 1.25, named colours, for light and dark screens and for paper. */
const style = `
:root {
  color-scheme: light dark;
  --ink: #1f2937; --muted: #5b6471; --line: #d9dee5; --paper: #ffffff; --ground: #f5f6f8;
  --blue: #0072b2; --vermilion: #d55e00; --green: #009e73; --purple: #cc79a7; --orange: #e69f00; --sky: #56b4e9;
  --blue-region: #d9eafa; --vermilion-region: #fbe8d3;
  --small: 0.8rem; --body: 1rem; --h3: 1.1rem; --h2: 1.5625rem; --h1: 1.953rem;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e9ee; --muted: #a2abb8; --line: #39424e; --paper: #1a1f26; --ground: #12161b;
    --blue: #56b4e9; --vermilion: #f0803c; --green: #2bbf95; --purple: #dba0c2; --orange: #e9b43c; --sky: #9fd4f3;
    --blue-region: #17324a; --vermilion-region: #40301a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: var(--body)/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main, header, footer { max-width: 100rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
h1 { font-size: var(--h1); line-height: 1.2; margin: 0 0 0.25rem; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: var(--h2); line-height: 1.25; margin: 2.5rem 0 0.25rem; }
h3 { font-size: var(--h3); line-height: 1.3; margin: 0 0 0.25rem; }
p { margin: 0 0 0.75rem; max-width: 44rem; }
.lede, .card > p, footer, caption { color: var(--muted); }
.tiles { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.25rem 0 0; padding: 0; }
.tiles > div { flex: 1 1 9rem; background: var(--paper); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.75rem 1rem; }
.tiles dt { color: var(--muted); font-size: var(--small); }
.tiles dd { margin: 0; font-size: var(--h2); line-height: 1.25; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.tiles dd small { display: block; font-size: var(--small); color: var(--muted); line-height: 1.35; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 23rem), 1fr)); gap: 1rem; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 0.5rem; padding: 1rem; min-width: 0; break-inside: avoid; }
.card > p { font-size: var(--small); }
@media (min-width: 50rem) { .wide { grid-column: span 2; } }
svg { display: block; width: 100%; height: auto; max-width: 40rem; margin: 0 auto; font-family: inherit; overflow: visible; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: var(--small); font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 0.25rem; }
th, td { text-align: left; padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--line); font-weight: normal; vertical-align: top; }
thead th { color: var(--muted); border-bottom-color: var(--muted); white-space: nowrap; }
td.n, th.n { text-align: right; white-space: nowrap; }
tr.taken > * { font-weight: 600; }
.confusion td { print-color-adjust: exact; text-align: right; background: color-mix(in srgb, var(--cell) calc(var(--share) * 55%), transparent); border: 2px solid var(--paper); }
.confusion td small { color: inherit; display: block; }
.confusion thead th { white-space: normal; }
.drawn { width: 45%; min-width: 6.5rem; }
thead .drawn span { display: flex; justify-content: space-between; gap: 0.5rem; white-space: normal; }
.whisker { display: block; position: relative; height: 1.2em; }
.whisker::before, .whisker::after { content: ""; position: absolute; top: 50%; background: var(--blue); print-color-adjust: exact; }
.whisker::before { left: var(--low); width: calc(var(--high) - var(--low)); height: 2px; margin-top: -1px; }
.whisker::after { left: var(--at); width: 0.6rem; height: 0.6rem; margin: -0.3rem 0 0 -0.3rem; border-radius: 50%; }
.taken .whisker::before, .taken .whisker::after { background: var(--vermilion); }
.taken .whisker::after { border-radius: 0; transform: rotate(45deg); }
.bar { display: block; height: 0.8rem; margin-top: 0.2rem; width: var(--width); print-color-adjust: exact; }
.bar.right { margin-left: 50%; background: var(--blue); }
.bar.left { margin-left: calc(50% - var(--width)); background: var(--vermilion); }
tbody th { overflow-wrap: break-word; min-width: 3.5rem; max-width: 20rem; }
@media (max-width: 30rem) { th, td { padding: 0.25rem 0.3rem; } }
.card table + h3, .card .scroll + h3 { margin-top: 1.25rem; }
pre { margin: 0; font-size: var(--small); line-height: 1.35; }
details { margin-top: 0.75rem; font-size: var(--small); }
summary { cursor: pointer; color: var(--muted); }
details[open] summary { margin-bottom: 0.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0; font-size: var(--small); }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { .card dl { grid-template-columns: 1fr; gap: 0; } .card dl dd { margin-bottom: 0.5rem; } }
dl.tiles { font-size: var(--body); }
ul { margin: 0; padding-left: 1.25rem; font-size: var(--small); }
footer { padding-top: 2rem; padding-bottom: 2rem; font-size: var(--small); }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
@media print {
  :root { --ground: #ffffff; }
  body { font-size: 10pt; }
  .cards { grid-template-columns: 1fr 1fr; }
  .wide { grid-column: span 2; }
  h2 { break-after: avoid; }
  .scroll { overflow: visible; }
}
`;

/** A number in the head of a page: what it is, its value, and an explanation. */
export type Tile = readonly [what: string, value: string, more?: string];

interface Document {
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
