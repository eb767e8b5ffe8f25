import type { Page } from 'playwright-core';

/** A node of the accessibility tree, as the browser gives it to a screen reader. */
export interface Told {
  readonly role: string;
  readonly name: string;
  /** The value of a slider or of a bar of progress; null: it has none. */
  readonly value: number | null;
  readonly level: number | null;
}

declare global {
  interface Window {
    /** The texts of live regions, in the order in which they changed. */
    announced: string[];
  }
}

/** Returns the nodes of the page that a screen reader reads, in their order. */
export async function toldNodes(page: Page): Promise<Told[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, value, properties = [] }) => ({
      role: String(role?.value),
      name: String(name?.value ?? ''),
      value: typeof value?.value === 'number' ? value.value : null,
      level: properties.find((each) => each.name === 'level')?.value.value ?? null,
    }));
}

/** Returns the words of a value, which the browser's protocol leaves out of the tree. */
export async function valueText(page: Page, role: 'slider' | 'progressbar', name: string): Promise<string | null> {
  return page.getByRole(role, { name, exact: true }).getAttribute('aria-valuetext');
}

/** Collects what live regions say from now on. A region counts if it stood there before its text changed. */
export async function listen(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.announced = [];
    new MutationObserver((mutations) => {
      for (const { target } of mutations) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest('[aria-live]:not([aria-live=off]), [role=status], [role=alert], output');
        const words = region?.textContent.trim().replaceAll(/\s+/g, ' ');
        if (words && window.announced.at(-1) !== words) window.announced.push(words);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Waits until a live region has said words, since the last key that was pressed. */
export async function heard(page: Page, words: RegExp): Promise<string> {
  const found = await page
    .waitForFunction(
      ({ source, flags }) => window.announced.find((each) => new RegExp(source, flags).test(each)),
      { source: words.source, flags: words.flags },
      { timeout: 30_000 },
    )
    .catch(async () => {
      const said = await page.evaluate(() => window.announced);
      throw new Error(`expected a live region to say ${words}; they said ${JSON.stringify(said)}`);
    });
  return (await found.jsonValue())!;
}

/** Returns the words of the element with the focus. Throws if the focus is lost or on something that is not seen. */
export async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) throw new Error('expected an element to have the focus; it is lost');
    if (!at.checkVisibility()) throw new Error(`expected the focus to be seen; it is on ${at.outerHTML.slice(0, 80)}`);
    const label = at.getAttribute('aria-label') ?? (at as HTMLInputElement).labels?.[0]?.textContent;
    return (label ?? at.textContent).trim();
  });
}

/** Presses a key, and forgets what was said before it. Throws if the focus is lost by it. */
export async function press(page: Page, key: string): Promise<string> {
  await page.evaluate(() => {
    window.announced = [];
  });
  await page.keyboard.press(key);
  return focused(page);
}

/** Maximum number of stops of the Tab key between two places. */
const mostStops = 60;

/** Presses Tab until the focus is on an element within the given ones, by its words; null: on any of them. */
export async function tabTo(page: Page, name: string | null, within = 'body'): Promise<void> {
  for (let stops = 0; stops < mostStops; stops++) {
    await page.keyboard.press('Tab');
    // After the last stop the browser's own controls have the focus, then the first stop.
    const words = await focused(page).catch(() => null);
    const inside = await page.evaluate((place) => document.activeElement?.closest(place) != null, within);
    if ((name === null || words === name) && inside) return;
  }
  throw new Error(`expected the Tab key to reach “${name ?? within}” within ${mostStops} stops`);
}
