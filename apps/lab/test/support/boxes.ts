import type { Page } from 'playwright-core';

/**
 * Returns what cannot be seen of the figures on the page: one is out of the window or scrolled out of its column, cut
 * off, too small, or covered by something else.
 * @param figures the least width and height of each figure, in lines of its own text, by its selector. Each must be
 * there.
 */
export async function hiddenParts(page: Page, figures: Readonly<Record<string, number>>): Promise<string[]> {
  return page.evaluate((all) => {
    const faults: string[] = [];
    for (const [selector, least] of Object.entries(all)) {
      const figure = document.querySelector(selector);
      if (figure === null) {
        faults.push(`${selector} is not there`);
        continue;
      }
      const { left, top, right, bottom, width, height } = figure.getBoundingClientRect();
      const text = Number.parseFloat(getComputedStyle(figure).fontSize);
      if (width < least * text || height < least * text)
        faults.push(`${selector} is only ${Math.round(width)} × ${Math.round(height)} beside text of ${text}`);
      const boxes = [{ name: 'the window', left: 0, top: 0, right: innerWidth, bottom: innerHeight }];
      for (let above = figure.parentElement; above !== null; above = above.parentElement) {
        if (getComputedStyle(above).overflowY === 'visible') continue;
        const box = above.getBoundingClientRect();
        boxes.push({ name: above.className, left: box.left, top: box.top, right: box.right, bottom: box.bottom });
      }
      for (const box of boxes)
        if (left < box.left - 1 || top < box.top - 1 || right > box.right + 1 || bottom > box.bottom + 1)
          faults.push(`${selector} sticks out of ${box.name}`);
      for (const [x, y] of [
        [left + 3, top + 3],
        [right - 3, bottom - 3],
        [(left + right) / 2, (top + bottom) / 2],
      ] as const) {
        const there = document.elementFromPoint(x, y);
        if (there !== null && !figure.parentElement!.contains(there) && !there.contains(figure))
          faults.push(`${selector} is covered by ${there.className || there.tagName}`);
      }
    }
    return faults;
  }, figures);
}
