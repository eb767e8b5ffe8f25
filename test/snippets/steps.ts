/** Turns the blocks of a page into steps that run in order in a folder. CONTRIBUTING.md describes the conventions. */

import type { Block, Page } from './blocks.ts';

export interface File {
  readonly kind: 'file';
  readonly line: number;
  readonly name: string;
  readonly text: string;
}

export interface Commands {
  readonly kind: 'commands';
  readonly line: number;
  readonly text: string;
  /** The output that the page shows; null if it shows none. */
  readonly shown: string | null;
}

export interface Module {
  readonly kind: 'module';
  readonly line: number;
  readonly text: string;
  /** True if it is TypeScript. */
  readonly typed: boolean;
  readonly shown: string;
}

export type Step = File | Commands | Module;

export interface Steps {
  readonly steps: readonly Step[];
  /** The reasons of the blocks that cannot run, with their places. */
  readonly notRun: readonly string[];
}

/** Languages of blocks that do not run. */
const prose = ['text', 'markdown', 'json', 'csv', 'html', 'python'];

/** A block with a path is a step of a tutorial, which test/tutorials applies to a copy of the sources. */
const isOfTutorial = ({ language, info }: Block) => /^(ts|diff)$/.test(language) && /^[\w./-]+\/[\w./-]+$/.test(info);

/** Returns the steps of a page. Throws an error with the place if a block does not follow the conventions. */
export function stepsOf(page: Page): Steps {
  const steps: Step[] = [];
  const notRun: string[] = [];
  page.blocks.forEach((block, i) => {
    const place = `${page.name}, line ${block.line}`;
    const [, reason] = /^not-run: (.+)$/.exec(block.info) ?? [];
    try {
      if (isOfTutorial(block)) return;
      if (reason !== undefined) notRun.push(`${place}: ${reason}`);
      else if (block.language === 'ts' || block.language === 'js') addModule(steps, block);
      else if (block.language === 'sh') steps.push(commands(block, page.blocks[i + 1]));
      else if (prose.includes(block.language)) steps.push(...file(block));
      else throw new Error(`expected one of sh, ts, js, ${prose.join(', ')}; got "${block.language}"`);
    } catch (error) {
      throw new Error(`${place}: ${(error as Error).message}`);
    }
  });
  return { steps, notRun };
}

function commands({ info, line, text }: Block, next: Block | undefined): Commands {
  if (info !== '') throw new Error(`expected nothing behind sh but not-run: REASON; got "${info}"`);
  const shown = next?.language === 'text' && next.info === '' ? next.text : null;
  const whole = shown?.split('\n').filter((part) => part.trim() !== '' && !part.includes('…'));
  if (whole?.length === 0) throw new Error('expected at least one line of output without …; got none');
  return { kind: 'commands', line, text, shown };
}

/** Adds a module, or adds the block to the module before it. */
function addModule(steps: Step[], { language, info, line, text }: Block): void {
  const typed = language === 'ts';
  const shown = shownByComments(text);
  const before = steps.at(-1);
  if (info === '') {
    steps.push({ kind: 'module', line, text, typed, shown });
  } else if (info !== 'continued') {
    throw new Error(`expected nothing behind ${language} but continued or not-run: REASON; got "${info}"`);
  } else if (before?.kind !== 'module' || before.typed !== typed) {
    throw new Error(`expected a block of ${language} before a continued one; got ${before?.kind ?? 'none'}`);
  } else {
    const all = [before.shown, shown].filter((part) => part !== '').join('\n');
    steps[steps.length - 1] = { ...before, text: `${before.text}\n${text}`, shown: all };
  }
}

function file({ language, info, line, text }: Block): File[] {
  if (language === 'json') JSON.parse(text);
  if (info === '') return [];
  if (!/^[\w-]+\.[\w.]+$/.test(info)) throw new Error(`expected nothing or the name of a file; got "${info}"`);
  return [{ kind: 'file', line, name: info, text: `${text}\n` }];
}

/**
 * Returns what a module prints, by its comments: the comment behind a `console.log` and the comment lines directly below
 * it. Throws an error if a `console.log` has none.
 */
export function shownByComments(text: string): string {
  const shown: string[] = [];
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    if (!/\bconsole\.log\(/.test(lines[i]!)) continue;
    const first = i;
    while (!/\);?\s*(\/\/.*)?$/.test(lines[i]!)) {
      i++;
      if (i >= lines.length) throw new Error(`expected the end of console.log; got "${lines[first]!.trim()}"`);
    }
    const before = shown.length;
    const [, behind] = /\);?\s*\/\/ ?(.*)$/.exec(lines[i]!) ?? [];
    if (behind !== undefined) shown.push(behind);
    while (/^\s*\/\//.test(lines[i + 1] ?? '')) {
      i++;
      shown.push(lines[i]!.replace(/^\s*\/\/ ?/, ''));
    }
    if (shown.length === before) {
      throw new Error(`expected a comment with the output behind console.log; got "${lines[first]!.trim()}"`);
    }
  }
  return shown.join('\n');
}

/**
 * Tests that the output is the one shown. In the shown text, `…` within a line stands for 1 to 40 characters of this line,
 * and a line of only `…` for one or more lines. White space at the ends of lines and of the text does not count.
 */
export function isShown(shown: string, output: string): boolean {
  const pattern = tidy(shown)
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '[^\\n]*(?:\\n[^\\n]*)*?'
        : line
            .split('…')
            .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('[^\\n]{1,40}?'),
    )
    .join('\n');
  return new RegExp(`^${pattern}$`).test(tidy(output));
}

/** Removes white space at the ends of lines and of the text. */
export const tidy = (text: string) => text.replace(/[^\S\n]+$/gm, '').trimEnd();
