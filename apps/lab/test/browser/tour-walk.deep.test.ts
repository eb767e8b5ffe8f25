import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileTour } from '../../scripts/compile-tour.ts';
import type { Part, QuizPart, ScenePart, Section } from '../../src/tours/tour.ts';
import { focused, heard, listen, press, tabTo, toldNodes, valueText } from '../support/assistive.ts';
import { installMs, LabBrowser, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

const sectionsOf = (tour: string): readonly Section[] =>
  compileTour(tour, readFileSync(new URL(`../../src/tours/${tour}.md`, import.meta.url), 'utf8')).sections;
const isScene = (part: Part): part is ScenePart => part.kind === 'scene';
const time = 'The run: examples shown';
const isQuiz = (part: Part): part is QuizPart => 'question' in part;
const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Waits until a scene is on the stage and was told, with as many statements as it has. */
async function told({ title, claims }: ScenePart, page: Page): Promise<void> {
  await heard(page, new RegExp(`${literal(title)}\\. Statements that hold: ${claims.length} of ${claims.length}\\.`));
  await ready(page);
}

/** Asserts that the accessibility tree has the section, the figures in words, and the place in the run. */
async function expectTold(page: Page, place: string, heading: string): Promise<void> {
  const nodes = await toldNodes(page);
  const of = (role: string) => nodes.filter((node) => node.role === role);
  expect(of('heading')).toContainEqual({ role: 'heading', name: heading, value: null, level: 2 });
  expect(await valueText(page, 'progressbar', 'Sections')).toBe(place);
  const figures = of('image').map(({ name }) => name);
  expect(figures.length, heading).toBeGreaterThanOrEqual(2);
  const { examples, step, steps } = await page.evaluate(() => {
    const { halfspaceLab: shown } = window;
    return { examples: shown.examples!.rows, step: shown.step, steps: shown.timeline!.steps };
  });
  // The plane tells its examples and its boundary; each view tells its numbers in a sentence.
  expect(figures[0], heading).toMatch(new RegExp(`^${examples} examples`));
  expect(figures[0], heading).toMatch(/line|boundary|point/);
  for (const words of figures) {
    expect(words, heading).toMatch(/[.!?]$/);
    expect(words, heading).not.toMatch(/undefined|NaN|Infinity|\[object|null/);
  }
  expect(of('slider').find(({ name }) => name === time)?.value).toBe(step);
  expect(await valueText(page, 'slider', time), heading).toMatch(
    steps === 0 ? /^no steps/ : step === 0 ? /^start/ : step === steps ? /^(end|pass)/ : /^pass \d/,
  );
  // Whatever takes keys has words.
  for (const role of ['button', 'slider', 'radio', 'textbox', 'combobox', 'checkbox'])
    for (const { name } of of(role)) expect(name, `${heading}: ${role}`).not.toBe('');
}

/** Goes through the run by the timeline's keys, and comes back. */
async function travel(page: Page): Promise<void> {
  const { step, steps } = await page.evaluate(() => {
    const { halfspaceLab: shown } = window;
    return { step: shown.step, steps: shown.timeline!.steps };
  });
  if (steps < 2) return;
  const key = step < steps ? 'ArrowRight' : 'ArrowLeft';
  const words = await valueText(page, 'slider', time);
  await press(page, key);
  const said = await heard(page, /^(start|end|pass)/);
  expect(said).not.toBe(words);
  expect(await valueText(page, 'slider', time)).toBe(said);
  const slider = (await toldNodes(page)).find(({ name }) => name === time);
  expect(slider?.value).toBe(key === 'ArrowRight' ? step + 1 : step - 1);
  await press(page, key === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight');
  expect(await heard(page, /^(start|end|pass)/)).toBe(words);
}

/** Answers a question, wrong at first where that can be. */
async function answer(page: Page, quiz: QuizPart): Promise<void> {
  if (quiz.kind === 'choice') {
    await tabTo(page, null, '.quiz [role=radiogroup]');
    const groups = (await toldNodes(page)).filter(({ role }) => role === 'radiogroup');
    for (const { name } of groups) expect(name).not.toBe('');
    for (let tries = 0; tries <= quiz.options.length; tries++) {
      await press(page, tries === 0 ? ' ' : 'ArrowDown');
      await press(page, 'Enter');
      const said = await heard(page, /Right\.|right answer is marked|another answer/);
      await focused(page);
      if (said.includes('Right.')) return;
    }
    throw new Error(`expected one of the answers to be right: ${quiz.question}`);
  }
  await tabTo(page, 'Your answer', '.quiz');
  await page.keyboard.type('999');
  await press(page, 'Enter');
  await heard(page, /it is less than 999\. Try once more\./);
  await press(page, 'Tab');
  await press(page, 'Enter');
  const [, right] = /it is ([−\d./]+)\.(?: |$)/.exec(await heard(page, /Not quite: it is/))!;
  await press(page, 'Shift+Tab');
  await press(page, 'Control+a');
  await page.keyboard.type(right!);
  await press(page, 'Enter');
  await heard(page, /Right: /);
}

describe('a tour without a mouse and without a picture', () => {
  it.each([
    ['five-minutes', 'the welcome'],
    ['cs4780', 'CS 4/5780'],
    ['slides', 'The slides'],
    ['blog', 'The blog’s proof'],
    ['foda', 'FODA'],
    ['lecture-9', 'Lecture 9'],
  ])('%s, opened from %s, is walked to its end; each section, answer and step is told', async (tour, from) => {
    const sections = sectionsOf(tour);
    const { page, errors } = await lab.page({ first: from === 'the welcome', reducedMotion: 'reduce' });
    await listen(page);
    if (from === 'the welcome') {
      await tabTo(page, 'Take the five-minute tour');
      await page.keyboard.press('Enter');
    } else {
      await tabTo(page, 'Tours', 'header');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.textContent === 'Choose a tour');
      while (!(await press(page, 'Tab')).startsWith(from));
      await page.keyboard.press('Enter');
    }
    for (const [at, { heading, parts }] of sections.entries()) {
      await page.waitForFunction((name) => document.activeElement?.textContent === name, heading);
      let first = true;
      for (const part of parts) {
        if (isScene(part)) {
          if (!first) {
            await tabTo(page, part.title, '.scene');
            await press(page, 'Enter');
          }
          await told(part, page);
          if (!first) expect(await focused(page)).toBe(part.title);
          await expectTold(page, `section ${at + 1} of ${sections.length}`, heading);
          await travel(page);
          first = false;
        } else if (isQuiz(part)) await answer(page, part);
      }
      if (at === sections.length - 1) break;
      if (at % 2 === 0) {
        // In a field the key is a letter.
        await press(page, 'Tab');
        // The focus waits for the heading, as after Next.
        await page.keyboard.press(']');
      } else {
        await tabTo(page, 'Next', '#tour');
        await page.keyboard.press('Enter');
      }
    }
    await tabTo(page, 'Back to what I had before the tour', '#tour');
    expect(await press(page, 'Enter')).toBe(sections.at(-1)!.heading);
    await press(page, 'Escape');
    expect(await focused(page)).toBe('Tours');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('is told slide by slide while a clicker turns them', async () => {
    const sections = sectionsOf('five-minutes');
    const { page, errors } = await lab.page({ reducedMotion: 'reduce' }, '#tour=five-minutes/1');
    await page.waitForSelector('.scene.staged');
    await ready(page);
    await listen(page);
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.activeElement?.closest('.presenter'));
    const slides = sections.flatMap(({ heading, parts }) => parts.filter(isScene).map((scene) => ({ heading, scene })));
    for (const [k, { heading, scene }] of slides.entries()) {
      if (k > 0) {
        await press(page, 'PageDown');
        await heard(page, new RegExp(`^${literal(heading)}\\s*${literal(scene.title)}$`));
      }
      await ready(page);
      const nodes = await toldNodes(page);
      expect(nodes.find(({ role, level }) => role === 'heading' && level === 1)?.name).toBe(heading);
      expect(nodes.filter(({ role }) => role === 'image').length).toBeGreaterThanOrEqual(2);
      await press(page, 'PageDown');
      await heard(page, /: holds/);
    }
    await press(page, 'b');
    await heard(page, /The screen is dark/);
    await press(page, 'PageUp');
    await press(page, 'Escape');
    await page.waitForSelector('.presenter', { state: 'detached' });
    expect(await focused(page)).toBe(sections.at(-1)!.heading);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('leaves the focus on something where a button of the first page goes', async () => {
    const { page } = await lab.page({ first: true, reducedMotion: 'reduce' });
    await tabTo(page, 'Try XOR');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.halfspaceLab.dataset.name === 'xor');
    expect(await focused(page)).toBe('Take the five-minute tour');
    await tabTo(page, 'Close the welcome');
    expect(await press(page, 'Enter')).toContain('The plane.');
    await tabTo(page, 'Step one example');
    for (let k = 0; k < 3; k++) expect(await press(page, 'Enter')).toBe('Step one example');
    await tabTo(page, 'To the end');
    expect(await press(page, 'Enter')).toBe('To the end');
    await page.context().close();
  });
});
