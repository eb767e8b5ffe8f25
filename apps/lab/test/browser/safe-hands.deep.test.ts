import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

const state = (page: Page) =>
  page.evaluate(() => {
    const { dataset, selected, step, look, recording, history: _, ...rest } = window.halfspaceLab;
    return JSON.stringify({ dataset, selected, step, look, shown: rest.shown, model: recording?.modelText });
  });

/** Opens a file with the chooser of the page. */
const choose = (page: Page, name: string, text: string) =>
  page.locator('.data input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

describe('a table that cannot be opened', () => {
  // The last one fails only when it is read, after its columns are known.
  for (const [what, text] of [
    ['no table', 'just a line'],
    ['one class only', 'a,b,class\n1,2,yes\n2,3,yes\n'],
    ['text where a row is too short', `a,class\n${'1,x\n2,y\n'.repeat(9)}3\n`],
  ] as const)
    it(`leaves what was there, also after a reload: ${what}`, async () => {
      const { page } = await lab.page();
      await page.evaluate(() => {
        const { halfspaceLab: store } = window;
        store.selected = 2;
        store.look = { ...store.look, window: { from: [-1, -2], to: [7, 5] } };
        store.seek(9);
      });
      const before = await state(page);
      await choose(page, 'broken.csv', text);
      await page.getByRole('alert').waitFor();
      await ready(page);
      expect(await state(page)).toBe(before);
      await page.keyboard.press('Control+z');
      expect(await state(page)).toBe(before);
      await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBeGreaterThan(0);
      await page.waitForTimeout(600);
      await page.reload();
      await ready(page);
      expect(await page.evaluate(() => window.halfspaceLab.dataset.kind)).toBe('points');
      expect(await page.evaluate(() => window.halfspaceLab.step)).toBe(9);
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.context().close();
    });

  it('leaves Back and Forward, undo and redo as they were', async () => {
    const { page } = await lab.page();
    const name = () => page.evaluate(() => window.halfspaceLab.dataset.name);
    const rule = () => page.evaluate(() => window.halfspaceLab.algorithm.rule);
    await page.getByRole('combobox', { name: 'Data', exact: true }).selectOption('xor');
    await expect.poll(name).toBe('xor');
    await page.goBack();
    await expect.poll(name).toBe('two clouds');
    await ready(page);
    await page.evaluate(() => {
      const { halfspaceLab: store } = window;
      store.change({ algorithm: { ...store.algorithm, rule: 'averaged', as: null } });
      store.undo();
    });
    await ready(page);
    const entries = await page.evaluate(() => history.length);
    for (const text of ['just a line', `a,class\n${'1,x\n2,y\n'.repeat(9)}3\n`]) {
      await page.evaluate(() => {
        window.halfspaceLab.failure = null;
      });
      await choose(page, 'broken.csv', text);
      await page.getByRole('alert').waitFor();
      await ready(page);
    }
    expect(await page.evaluate(() => history.length)).toBe(entries);
    expect(await rule()).toBe('perceptron');
    await page.evaluate(() => window.halfspaceLab.redo());
    expect(await rule()).toBe('averaged');
    await page.goForward();
    await expect.poll(name).toBe('xor');
    // A table that is read makes one entry, and Back leads from it to what was there.
    const before = await page.evaluate(() => history.length);
    await choose(page, 'good.csv', 'a,class\n1,x\n2,y\n3,x\n');
    await expect.poll(name).toBe('good.csv');
    await ready(page);
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
    await page.goBack();
    await expect.poll(name).toBe('xor');
    await page.context().close();
  });

  it('is also one of which another column is asked for that is no class', async () => {
    const { page } = await lab.page();
    const rows = Array.from({ length: 300 }, (_, k) => `same,${k / 7},${k % 2 === 0 ? 'x' : 'y'}`).join('\n');
    await choose(page, 'good.csv', `a,b,class\n${rows}\n`);
    await page.getByLabel('Predict').waitFor();
    await ready(page);
    const before = await state(page);
    await page.getByLabel('Predict').selectOption('a');
    await page.getByRole('alert').waitFor();
    await ready(page);
    expect(await state(page)).toBe(before);
    expect(await page.getByLabel('Predict').inputValue()).toBe('class');
    await page.context().close();
  });
});

describe('points of which no run can be', () => {
  it('say so at once, in the verdict and in every view, and are found without fault by axe', async () => {
    const { page, errors } = await lab.page();
    const verdict = page.locator('.verdict');
    await page.getByRole('combobox', { name: 'Data', exact: true }).selectOption('own');
    expect(await verdict.innerText()).toContain('No points yet. Add some of both classes');
    await ready(page);
    expect(await page.locator('.picture .missing').first().innerText()).toContain('No points yet.');
    expect(await page.locator('.where output').innerText()).toBe('no run yet');
    expect(await page.locator('.plane .figure').getAttribute('aria-label')).toContain('No points yet.');
    expect(await faults(page)).toEqual([]);
    const box = (await page.locator('.plane .figure').boundingBox())!;
    await page.mouse.click(box.x + box.width / 3, box.y + box.height / 3);
    await verdict.getByText('All points are positive.').waitFor();
    await page.keyboard.down('Shift');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.keyboard.up('Shift');
    await verdict.getByText('Separable:').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe('what is saved', () => {
  it('waits for what is still being grown', async () => {
    const { page } = await lab.page();
    await page.evaluate(() => {
      // Nothing but a promise that the test keeps.
      const { extras } = window.halfspaceLab;
      window.halfspaceLab.shown = ['proof', 'weights'];
      extras.refresh = () => {};
    });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Which view').selectOption('tree');
    await dialog.getByText('The tree is still being grown.').waitFor();
    expect(await dialog.getByRole('button', { name: 'SVG' }).isDisabled()).toBe(true);
    await page.evaluate(() => {
      const { extras } = window.halfspaceLab;
      delete (extras as { refresh?: unknown }).refresh;
      extras.refresh();
    });
    await dialog.getByText('The tree is still being grown.').waitFor({ state: 'detached' });
    expect(await dialog.getByRole('button', { name: 'SVG' }).isDisabled()).toBe(false);
    await page.context().close();
  });
});

describe('the first key', () => {
  it('skips to the plane, and leaves the address', async () => {
    const { page } = await lab.page({}, '#tour=five-minutes/2');
    await page.waitForSelector('.scene.staged');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.evaluate(() => document.body.focus());
    const link = page.getByRole('link', { name: 'Skip to the plane' });
    await link.focus();
    const box = (await link.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('plane');
    expect(new URL(page.url()).hash).toBe('#tour=five-minutes/2');
    expect(await page.evaluate(() => document.querySelector('a, button, [tabindex]')?.textContent)).toContain('Skip');
    await page.context().close();
  });
});

describe('Back and Forward', () => {
  const name = (page: Page) => page.evaluate(() => window.halfspaceLab.dataset.name);
  const travel = async (page: Page, way: 'goBack' | 'goForward') => {
    await page[way]();
    await ready(page);
  };

  it('go through data sets, each with its algorithm, step and edits', async () => {
    const { page, errors } = await lab.page();
    const data = page.getByRole('combobox', { name: 'Data', exact: true });
    await page.evaluate(() => window.halfspaceLab.seek(3));
    await data.selectOption('xor');
    await ready(page);
    await page.evaluate(() => {
      const { halfspaceLab: store } = window;
      store.change({ algorithm: { ...store.algorithm, rule: 'averaged', as: null } });
      return store.refresh();
    });
    await data.selectOption('penguins');
    await expect.poll(() => name(page)).toBe('penguins.csv');
    await ready(page);
    await travel(page, 'goBack');
    await expect.poll(() => name(page)).toBe('xor');
    expect(await page.evaluate(() => window.halfspaceLab.algorithm.rule)).toBe('averaged');
    await travel(page, 'goBack');
    await expect.poll(() => name(page)).toBe('two clouds');
    expect(await page.evaluate(() => window.halfspaceLab.step)).toBe(3);
    expect(await page.evaluate(() => window.halfspaceLab.algorithm.rule)).toBe('perceptron');
    await travel(page, 'goForward');
    await travel(page, 'goForward');
    await expect.poll(() => name(page)).toBe('penguins.csv');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('lead from a table that is still being read to what was there, and make no entry for it', async () => {
    const { page, errors } = await lab.page();
    await page.getByRole('combobox', { name: 'Data', exact: true }).selectOption('xor');
    await expect.poll(() => name(page)).toBe('xor');
    await ready(page);
    const entries = await page.evaluate(() => history.length);
    await page.evaluate(() => {
      const { halfspaceLab: store } = window;
      // Reading 20 MB takes longer than the way back.
      const file = new Blob(['a,class\n', ...Array<string>(300).fill('1,x\n2,y\n'.repeat(8000))]);
      const head = { kind: 'table', text: '', label: 'class', positive: null, columns: null, scale: 'none' } as const;
      const table = { ...head, name: 'large.csv', file };
      store.change({ dataset: table }, { opened: () => history.pushState(null, '') });
    });
    expect(await name(page)).toBe('large.csv');
    expect(await page.evaluate(() => window.halfspaceLab.isOpening)).toBe(true);
    await page.goBack();
    await expect.poll(() => name(page)).toBe('xor');
    await ready(page);
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await travel(page, 'goBack');
    await expect.poll(() => name(page)).toBe('two clouds');
    await travel(page, 'goForward');
    await expect.poll(() => name(page)).toBe('xor');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('go through the sections of a tour, and out of it to what was there before', async () => {
    const { page, errors } = await lab.page();
    const heading = (text: string) =>
      page.waitForFunction((wanted) => document.querySelector('#tour h2')?.textContent === wanted, text);
    const before = await state(page);
    await page.getByRole('button', { name: 'Tours', exact: true }).click();
    await page.getByRole('button', { name: /Five minutes/ }).click();
    await heading('Two clouds, one line');
    await page.keyboard.press(']');
    await heading('Now yours');
    await page.keyboard.press(']');
    await heading('XOR: no line fits');
    await ready(page);
    await travel(page, 'goBack');
    await heading('Now yours');
    expect(new URL(page.url()).hash).toBe('#tour=five-minutes/2');
    await travel(page, 'goForward');
    await heading('XOR: no line fits');
    await travel(page, 'goBack');
    await travel(page, 'goBack');
    await heading('Two clouds, one line');
    await travel(page, 'goBack');
    await page.waitForSelector('#tour', { state: 'detached' });
    await ready(page);
    expect(await state(page)).toBe(before);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe('a tour that is closed', () => {
  it('opens again where it was, with what the reader made of its scene; another visit goes on there', async () => {
    const { page } = await lab.page({}, '#tour=five-minutes/2');
    await page.waitForSelector('.scene.staged');
    await ready(page);
    const heading = await page.locator('#tour h2').textContent();
    await page.evaluate(() => {
      const { halfspaceLab: store } = window;
      const { dataset } = store;
      if (dataset.kind !== 'points') throw new Error('expected points');
      store.change({ dataset: { ...dataset, points: dataset.points.slice(1) } });
      return store.refresh();
    });
    await page.evaluate(() => window.halfspaceLab.seek(2));
    const mine = await state(page);
    await page.getByRole('button', { name: 'Close the tour' }).click();
    await page.waitForSelector('#tour', { state: 'detached' });
    await page.getByRole('button', { name: 'Tours', exact: true }).click();
    await page.getByText('You have changed this scene').waitFor();
    expect(await page.locator('#tour h2').textContent()).toBe(heading);
    expect(await state(page)).toBe(mine);
    expect(new URL(page.url()).hash).toBe('#tour=five-minutes/2');
    await page.goto(lab.url);
    await ready(page);
    await page.getByRole('button', { name: 'Tours', exact: true }).click();
    await page.getByRole('button', { name: /Five minutes.*go on at section 2/ }).click();
    await page.waitForFunction((was) => document.querySelector('#tour h2')?.textContent === was, heading);
    await page.context().close();
  });
});

describe('a kernel', () => {
  it('shows its errors, and the axes that it is drawn on', async () => {
    const { page, errors } = await lab.page();
    await page.getByRole('combobox', { name: 'Data', exact: true }).selectOption('penguins');
    await page.getByRole('combobox', { name: 'Plane' }).waitFor();
    await ready(page);
    expect(await page.getByRole('combobox', { name: 'Plane' }).inputValue()).toBe('normal');
    await page.evaluate(() => {
      const { halfspaceLab: store } = window;
      store.change({
        algorithm: {
          ...store.algorithm,
          as: null,
          rule: 'kernel',
          passes: 1,
          options: { kernel: 'rbf', gamma: 0.001 },
        },
      });
      return store.refresh();
    });
    await page.evaluate(() => window.halfspaceLab.seek(Infinity));
    await page.waitForFunction(() => {
      const { surface, recording } = window.halfspaceLab;
      return surface?.step === recording!.steps;
    });
    const wrong = await page.evaluate(() => window.halfspaceLab.recording!.report.train!.errors);
    expect(wrong).toBeGreaterThan(0);
    await page.locator('.notes').getByText(`wrong side ${wrong}`).waitFor();
    const label = (await page.locator('.plane .figure').getAttribute('aria-label'))!;
    expect(label).toContain('The boundary is a curve');
    expect(label).toContain(wrong === 1 ? '1 is on the wrong side' : `${wrong} are on the wrong side`);
    expect(await page.getByRole('combobox', { name: 'Plane' }).inputValue()).toBe('features');
    expect(await page.getByRole('combobox', { name: 'To the right' }).isVisible()).toBe(true);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe('the first visit', () => {
  const step = (page: Page) => page.evaluate(() => window.halfspaceLab.step);

  it('plays a run by itself, says in the plane that it stopped and why, and leads on', async () => {
    const { page, errors } = await lab.page({ first: true });
    const welcome = page.getByRole('region', { name: 'Welcome' });
    await welcome.getByText('A perceptron looks for a line between two classes.').waitFor();
    await expect.poll(() => step(page)).toBeGreaterThan(2);
    const end = page.locator('.plane .stopped');
    await end.getByText('It stopped:').waitFor();
    const made = await page.evaluate(() => window.halfspaceLab.recording!.report.updates);
    expect(await end.innerText()).toContain(`${made} of at most`);
    await page.keyboard.press('ArrowLeft');
    await end.waitFor({ state: 'detached' });
    expect(await faults(page)).toEqual([]);
    await welcome.getByRole('button', { name: 'Drag a point' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('plane');
    expect(await page.evaluate(() => window.halfspaceLab.selected)).not.toBeNull();
    await page.keyboard.press('Alt+ArrowLeft');
    await welcome.getByText('the line follows your points').waitFor();
    await welcome.getByRole('button', { name: 'Try XOR' }).click();
    await end.getByText('passes is reached').waitFor();
    expect(await end.innerText()).toContain('No line separates these examples: it would never stop.');
    await welcome.getByRole('button', { name: 'Take the five-minute tour' }).click();
    await page.waitForSelector('.scene.staged');
    expect(await welcome.count()).toBe(0);
    await page.goto(lab.url);
    await ready(page);
    expect(await welcome.count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('shows the end at once where less motion is asked for, with the plane in sight on a phone', async () => {
    const { page } = await lab.page({ first: true, reducedMotion: 'reduce', viewport: { width: 390, height: 844 } });
    await page.locator('.plane .stopped').waitFor();
    const {
      step: at,
      playing,
      recording,
    } = await page.evaluate(() => {
      const { step, playing, recording } = window.halfspaceLab;
      return { step, playing, recording: recording!.steps };
    });
    expect([at, playing]).toEqual([recording, false]);
    expect((await page.locator('.plane .figure').boundingBox())!.y).toBeLessThan(450);
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close the welcome' }).click();
    await page.waitForSelector('.welcome', { state: 'detached' });
    await page.context().close();
  });
});
