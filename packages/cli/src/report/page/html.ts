import { printable } from 'halfspace/printable';

/** Returns printable text with HTML's special characters escaped. */
export function escaped(text: string): string {
  return printable(text).replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!,
  );
}

/** A table of text and numbers. It scrolls if it is wider than the page. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** Number of text columns at the left. The other columns hold numbers, aligned right. Default 1. */
  readonly words?: number;
  /** HTML for an extra cell after the first cell of each row. Its heading is `drawnHead`. */
  readonly drawn?: readonly string[];
  readonly drawnHead?: string;
  /** Index of the highlighted row. */
  readonly taken?: number;
  /** Caption, also for screen readers. */
  readonly caption: string;
}

export function tableOf({ columns, rows, words = 1, caption, drawn, drawnHead = '', taken = -1 }: Table): string {
  const kind = (column: number) => (column < words ? '' : ' class="n"');
  const head = columns.map((name, k) => {
    const own = `<th scope="col"${kind(k)}>${escaped(name)}</th>`;
    return k === 0 && drawn !== undefined ? `${own}<th scope="col" class="drawn">${drawnHead}</th>` : own;
  });
  const body = rows.map((row, i) => {
    const cells = row.map((cell, k) => {
      const text = escaped(String(cell));
      if (k > 0) return `<td${kind(k)}>${text}</td>`;
      const picture = drawn === undefined ? '' : `<td class="drawn">${drawn[i]}</td>`;
      return `<th scope="row"${kind(k)}>${text}</th>${picture}`;
    });
    return `<tr${i === taken ? ' class="taken"' : ''}>${cells.join('')}</tr>`;
  });
  return `<div class="scroll" tabindex="0"><table><caption>${escaped(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

/** Returns a dot with a bar to either side. Positions are shares of the width. */
export function whisker(low: number, middle: number, high: number): string {
  const at = (share: number) => `${(100 * share).toFixed(2)}%`;
  return `<span class="whisker" aria-hidden="true" style="--low: ${at(low)}; --at: ${at(middle)}; --high: ${at(high)}"></span>`;
}

/** Returns a bar that goes from the middle to the right, or to the left below 0. @param share in [−1, 1]. */
export function sideBar(share: number): string {
  const width = `${(50 * Math.abs(share)).toFixed(2)}%`;
  return `<span class="bar ${share < 0 ? 'left' : 'right'}" aria-hidden="true" style="--width: ${width}"></span>`;
}

/** Returns a section with its cards, or nothing if it has none. */
export function sectionOf(title: string, lede: string, cards: readonly string[]): string {
  const shown = cards.filter((card) => card !== '');
  if (shown.length === 0) return '';
  const id = title.toLowerCase().replace(/[^a-z]+/g, '-');
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${escaped(title)}</h2>\n${lede === '' ? '' : `<p class="lede">${escaped(lede)}</p>\n`}<div class="cards">\n${shown.join('\n')}\n</div>\n</section>`;
}

interface Card {
  readonly title: string;
  /** An explanation in one or two sentences. */
  readonly text?: string;
  /** SVG or a table. */
  readonly body: string;
  /** The numbers in the chart. */
  readonly numbers?: Table;
  readonly wide?: boolean;
}

export function cardOf({ title, text = '', body, numbers, wide = false }: Card): string {
  const told = text === '' ? '' : `<p>${escaped(text)}</p>\n`;
  const more = numbers === undefined ? '' : `\n<details><summary>The numbers</summary>${tableOf(numbers)}</details>`;
  return `<article class="card${wide ? ' wide' : ''}">\n<h3>${escaped(title)}</h3>\n${told}${body}${more}\n</article>`;
}

/** Returns a list of names and values. */
export function factsOf(facts: readonly (readonly [what: string, value: string])[]): string {
  return `<dl>${facts.map(([what, value]) => `<dt>${escaped(what)}</dt><dd>${escaped(value)}</dd>`).join('\n')}</dl>`;
}

/** Returns a card of notes, or nothing without notes. */
export function notesCard(notes: readonly string[]): string {
  if (notes.length === 0) return '';
  return cardOf({ title: 'Notes', body: `<ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>` });
}
