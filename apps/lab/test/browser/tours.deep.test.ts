import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileTour } from '../../scripts/compile-tour.ts';
import { faults } from '../support/faults.ts';
import { LabBrowser, pictureOf, ready } from '../support/lab-page.ts';

const foda = '../../src/tours/foda.md';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
});
afterAll(() => lab?.close());

/** Waits until every claim of the scene that is on the stage holds. */
async function allHold(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const signs = [...document.querySelectorAll('.scene.staged .mark')].map((mark) => mark.textContent);
    return signs.length > 0 && signs.every((sign) => sign === '✓');
  });
}

describe('a tour in a browser', () => {
  it('shows the moment that a link names, as the library computes it', async () => {
    const { page } = await lab.page({}, '#tour=lecture-9/5');
    await allHold(page);
    const at = await page.evaluate(() => {
      const { moment, examples } = window.halfspaceLab;
      return { row: moment!.row, updated: moment!.updated, rows: examples!.rows };
    });
    expect(at).toEqual({ row: 8, updated: true, rows: 11 });
    const { marks: drawn } = await pictureOf(page, '.plane .figure');
    expect(drawn.filter(({ id }) => id?.startsWith('example '))).toHaveLength(11);
    await page.close();
  });

  it('gives back what the reader had, after scenes and after a reload', async () => {
    const { page } = await lab.page();
    await page.evaluate(() => {
      const { halfspaceLab } = window;
      const point = (x: number, label: -1 | 1) => ({ x, y: x / 2, label });
      halfspaceLab.change({
        dataset: { kind: 'points', name: 'my own', dimension: 2, points: [point(1, 1), point(-1, -1), point(2, 1)] },
      });
    });
    await ready(page);
    await page.getByRole('button', { name: 'Tours', exact: true }).click();
    await page.getByRole('button', { name: /The slides/ }).click();
    await allHold(page);
    expect(await page.evaluate(() => window.halfspaceLab.dataset.name)).toBe('five inputs.csv');
    await page.keyboard.press(']');
    await page.waitForFunction(() => location.hash === '#tour=slides/2');
    await allHold(page);
    await page.reload();
    await allHold(page);
    await page.getByRole('button', { name: 'Back to what I had before the tour' }).click();
    await ready(page);
    expect(await page.evaluate(() => window.halfspaceLab.dataset)).toMatchObject({
      name: 'my own',
      points: [{ x: 1 }, { x: -1 }, { x: 2 }],
    });
    await page.close();
  });

  it('is undone by undo', async () => {
    const { page } = await lab.page();
    const before = await page.evaluate(() => JSON.stringify(window.halfspaceLab.dataset));
    await page.evaluate(() => {
      location.hash = '#tour=blog/1';
    });
    await allHold(page);
    await page.evaluate(() => window.halfspaceLab.undo());
    await ready(page);
    expect(await page.evaluate(() => JSON.stringify(window.halfspaceLab.dataset))).toBe(before);
    await page.close();
  });

  it('follows what the reader makes of a scene, and puts it back', async () => {
    const { page } = await lab.page({}, '#tour=five-minutes/2');
    await allHold(page);
    await page.evaluate(() => {
      const { halfspaceLab } = window;
      const { dataset } = halfspaceLab;
      if (dataset.kind !== 'points') throw new Error('expected points');
      const wrong = { x: 2.2, y: 2.5, label: -1 as const };
      halfspaceLab.change({ dataset: { ...dataset, points: [...dataset.points, wrong] } });
    });
    await page.waitForFunction(() => document.querySelector('.scene.staged .mark')?.textContent === '✗');
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await allHold(page);
    await page.close();
  });

  it('measures no statement about R and γ while the page shows them in another space, and leads back', async () => {
    const { page, errors } = await lab.page({}, '#tour=lecture-9/7');
    await allHold(page);
    const scene = page.locator('.scene.staged');
    const signs = () => scene.locator('.mark').allTextContents();
    expect(await scene.getByText('Here the bias counts as a coordinate.').count()).toBe(1);
    await page.locator('.verdict').getByRole('button', { name: 'apart', exact: true }).click();
    await scene.getByText('On the page it counts apart.').waitFor();
    expect(await signs()).toEqual(['·', '·', '·']);
    const quiz = page.locator('form.quiz').filter({ hasText: 'On the page it counts apart.' });
    expect(await quiz.count()).toBe(1);
    expect(await faults(page, '#tour')).toEqual([]);
    await scene.getByRole('button', { name: 'Count it as a coordinate' }).click();
    await allHold(page);
    expect(await page.getByText('On the page it counts apart.').count()).toBe(0);
    const pressed = page.locator('.verdict').getByRole('button', { name: 'as a coordinate' });
    expect(await pressed.getAttribute('aria-pressed')).toBe('true');
    expect(errors).toEqual([]);
    await page.close();
  });

  it('tells no update to come while a question is open', async () => {
    const { page } = await lab.page({}, '#tour=five-minutes/1');
    await allHold(page);
    const updates = async () =>
      (await pictureOf(page, '.timeline')).marks.filter(({ id }) => id?.startsWith('update')).length;
    expect(await updates()).toBe(0);
    const quiz = page.locator('form.quiz');
    await quiz.getByLabel('Your answer').fill('9');
    for (const told of [/Try once more/, /it is \d/]) {
      await quiz.getByRole('button', { name: 'Check' }).click();
      await quiz.getByText(told).waitFor();
    }
    await page.waitForFunction(() => !window.halfspaceLab.concealed);
    expect(await updates()).toBeGreaterThan(1);
    await page.close();
  });

  it('checks answers with what the library computes', async () => {
    const { page } = await lab.page({}, '#tour=cs4780/5');
    await allHold(page);
    const quiz = page.locator('form.quiz').first();
    await quiz.getByRole('button', { name: 'Check' }).click();
    expect(await quiz.getByRole('status').textContent()).toContain('Write a number');
    await quiz.getByLabel('Your answer').fill('4');
    await quiz.getByRole('button', { name: 'Check' }).click();
    await quiz.getByText('it is less than 4. Try once more.').waitFor();
    await quiz.getByLabel('Your answer').fill('2');
    await quiz.getByRole('button', { name: 'Check' }).click();
    await page.waitForFunction(() => document.querySelector('form.quiz .bad'));
    expect(await quiz.getByRole('status').textContent()).toContain('it is 3');
    await quiz.getByLabel('Your answer').fill('3');
    await quiz.getByRole('button', { name: 'Check' }).click();
    await page.waitForFunction(() => document.querySelector('form.quiz .good'));
    await page.evaluate(() => {
      location.hash = '#tour=slides/10';
    });
    await page.waitForFunction(() => document.querySelector('#tour h2')?.textContent === 'How many passes?');
    // The numbers beside the claims would give the answer away.
    expect(await page.locator('.scene .numbers').count()).toBe(0);
    const five = page.getByLabel('Five: the best on held-out examples');
    const thirty = page.getByLabel('Thirty: no training example is wrong');
    await thirty.check();
    await page.locator('form.quiz').getByRole('button', { name: 'Check' }).click();
    await page.getByText('try another answer').waitFor();
    expect(await page.locator('form.quiz .right').count()).toBe(0);
    expect(await thirty.isDisabled()).toBe(true);
    await five.check();
    await page.locator('form.quiz').getByRole('button', { name: 'Check' }).click();
    await page.waitForFunction(() => document.querySelector('form.quiz .good'));
    expect(await page.locator('.scene .numbers').count()).toBeGreaterThan(0);
    await page.close();
  });

  it('says what to do about a link that leads nowhere', async () => {
    const { page } = await lab.page({}, '#tour=lecture-10/1');
    expect(await page.getByRole('alert').textContent()).toContain('Choose one from the list');
    await page.close();
  });

  it('gives its questions with answers, for Moodle and to print', async () => {
    const text = readFileSync(new URL(foda, import.meta.url), 'utf8');
    const { sections } = compileTour('foda', text);
    const { page, errors } = await lab.page({}, `#tour=foda/${sections.length}`);
    const quizzes = sections.flatMap(({ parts }) => parts.filter((part) => 'explanation' in part));
    const saved = async (title: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: title }).click(),
      ]);
      return { name: download.suggestedFilename(), content: readFileSync(await download.path(), 'utf8') };
    };
    const gift = await saved('For Moodle (GIFT)');
    expect(gift.name).toBe('foda-questions.gift');
    expect(gift.content.match(/^::/gm)).toHaveLength(quizzes.length);
    expect(gift.content).not.toContain('katex-html');
    const print = await saved('To print');
    expect(print.name).toBe('foda-questions.html');
    const sheet = await page.context().newPage();
    await sheet.setContent(print.content);
    expect(await sheet.locator('.answers > ol > li').count()).toBe(quizzes.length);
    expect(await faults(sheet)).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  it.each([
    ['the list', 1440, ''],
    ['a section', 1440, '#tour=cs4780/5'],
    ['a section on a phone', 390, '#tour=foda/2'],
  ])('axe finds nothing in %s, and nothing runs out of the page', async (_, width, hash) => {
    const { page } = await lab.page({ viewport: { width, height: 844 } }, hash);
    if (hash === '') await page.getByRole('button', { name: 'Tours', exact: true }).click();
    await page.waitForSelector('#tour h2');
    if (hash !== '') await allHold(page);
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((name) => {
        window.halfspaceLab.theme = name;
      }, theme);
      expect(await faults(page, '#tour')).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.close();
  });
});
