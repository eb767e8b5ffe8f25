import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { globSync } from 'tinyglobby';
import { afterAll, describe, expect, test } from 'vitest';
import { docstringPages, fencedBlocks, type Page } from './snippets/blocks.ts';
import { makeFolder, runModules, runStep } from './snippets/run.ts';
import { isShown, shownByComments, stepsOf, tidy } from './snippets/steps.ts';
import { some } from './support/quick.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** Subpaths of the library, without those that need a certain runtime. */
const faces = ['rules', 'metrics', 'margins', 'ledger', 'tree', 'export'].map((face) => `halfspace/${face}`);
/** The pages of docs/reference are made from the docstrings, and docs/parts from measurements. */
const found = (patterns: string[]) =>
  globSync(patterns, { cwd: root, ignore: ['docs/reference/**', 'docs/parts/**'] }).sort();

/** The module of every name that examples in docstrings may use without an import. */
const exported = new Map<string, string>();
for (const name of ['halfspace', 'halfspace-certify', ...faces]) {
  for (const key of Object.keys(await import(name))) if (!exported.has(key)) exported.set(key, name);
}

const markdown: Page[] = found(['README.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/README.md']).map(
  (file) => ({ name: file, blocks: fencedBlocks(read(file)) }),
);
const docstrings = found(['packages/*/src/**/*.ts']).flatMap((file) => docstringPages(file, read(file), exported));
const pages = [...markdown, ...docstrings];

const folder = mkdtempSync(join(tmpdir(), 'halfspace-snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const folderOf = (name: string) => makeFolder(join(folder, name.replace(/[/:]/g, '-')));

function compare(page: Page, { line, shown }: { line: number; shown: string | null }, output: string): void {
  if (shown === null || isShown(shown, output)) return;
  expect(tidy(output), `${page.name}, block of line ${line}`).toBe(tidy(shown));
}

describe('the blocks of', () => {
  // The quick suite runs the pages that a newcomer walks first, and every seventh of the others.
  const written = markdown.filter((page) => page.blocks.length > 0);
  const isFirst = ({ name }: Page) => /^(README|docs\/(start|index|library))\.md$/.test(name);
  const run = [
    ...written.filter(isFirst),
    ...some(
      written.filter((page) => !isFirst(page)),
      7,
    ),
  ];
  test.concurrent.each(run)('$name', async (page) => {
    const place = folderOf(page.name);
    for (const step of stepsOf(page).steps) {
      const output = await runStep(place, step).catch((error: Error) => {
        throw new Error(`${page.name}, block of line ${step.line}: ${error.message}`);
      });
      if (step.kind !== 'file') compare(page, step, output);
    }
  });

  test.concurrent('the docstrings', async () => {
    // They share a process and a folder, which has files of data, so that an example can be one line.
    const place = folderOf('docstrings');
    cpSync(join(root, 'test/snippets/files'), place, { recursive: true });
    const all = docstrings.flatMap((page) =>
      stepsOf(page).steps.map((step) => {
        if (step.kind !== 'module') throw new Error(`${page.name}: expected a module; got ${step.kind}`);
        return { page, step };
      }),
    );
    const outputs = await runModules(
      place,
      all.map(({ step }) => step),
    );
    expect(outputs).toHaveLength(all.length);
    for (const [i, { page, step }] of all.entries()) compare(page, step, outputs[i]!);
  });
});

test('the blocks of TypeScript have no type errors', async () => {
  const types = makeFolder(join(folder, 'types'));
  for (const page of pages) {
    for (const step of stepsOf(page).steps) {
      if (step.kind !== 'module' || !step.typed) continue;
      // A module without import or export would share its names with the others.
      const file = join(types, page.name.replace(/:/g, '-'), `line-${step.line}.ts`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${step.text}\nexport {};\n`);
    }
  }
  const compilerOptions = {
    noEmit: true,
    noUnusedLocals: false,
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    incremental: false,
  };
  const base = join(root, 'tsconfig.base.json');
  const config = { extends: base, compilerOptions, include: ['**/*.ts'] };
  writeFileSync(join(types, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const listed = await promisify(execFile)(process.execPath, [compiler, '-p', types, '--listFilesOnly']);
  expect(listed.stdout).toMatch(/README\.md\/line-\d+\.ts/);
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', types]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

test('commands stand in fenced blocks, where they run', () => {
  const indented = found(['README.md', 'docs/**/*.md', 'packages/*/README.md']).flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (/^ {4}(\$ )?(npx )?halfspace [a-z]/.test(line) ? [`${file}:${i + 1}`] : [])),
  );
  expect(indented).toEqual([]);
});

test('at most eight blocks are not run', () => {
  expect(pages.flatMap((page) => stepsOf(page).notRun).slice(8)).toEqual([]);
});

describe('a page', () => {
  const page = (...lines: string[]): Page => ({ name: 'page.md', blocks: fencedBlocks(lines.join('\n')) });
  const fence = '```';

  test('has the blocks that CommonMark sees, with their lines', () => {
    const { blocks } = page(
      'text',
      '````markdown',
      '```sh',
      'ls',
      '```',
      '````',
      '',
      '- item',
      '  ```ts',
      '  a;',
      '  ```',
    );
    expect(blocks).toEqual([
      { language: 'markdown', info: '', text: '```sh\nls\n```', line: 2 },
      { language: 'ts', info: '', text: 'a;', line: 9 },
    ]);
    expect(() => page('```sh', 'ls')).toThrow('line 1: expected a closing fence ```; got the end of the page');
  });

  test('can be a docstring', () => {
    const source = `let a;\n  /**\n   * Adds.\n   *\n   * @example\n   * ${fence}ts\n   * add(1);\n   * ${fence}\n   */\n`;
    const pages = docstringPages('add.ts', source, new Map([['add', 'sums']]));
    const text = "import { add } from 'sums';\nadd(1);";
    expect(pages).toEqual([{ name: 'add.ts:2', blocks: [{ language: 'ts', info: '', text, line: 6 }] }]);
    const unfenced = '/**\n * Adds.\n *\n * @example\n * add(1);\n *\n * @param n a number\n */';
    expect(
      docstringPages('add.ts', unfenced, new Map([['add', 'sums']]))[0]!.blocks.map((block) => block.text),
    ).toEqual([text]);
  });

  test.each([
    [['```', 'ls', '```'], 'expected one of sh, ts, js'],
    [['```bash', 'ls', '```'], 'expected one of sh, ts, js'],
    [['```sh quiet', 'ls', '```'], 'line 1: expected nothing behind sh but not-run: REASON; got "quiet"'],
    [['```ts later', 'a;', '```'], 'expected nothing behind ts but continued or not-run: REASON; got "later"'],
    [['```ts continued', 'a;', '```'], 'expected a block of ts before a continued one; got none'],
    [['```sh', 'ls', '```', '```text', '…', 'a … b', '```'], 'expected at least one line of output without …'],
    [['```ts', 'console.log(1);', '```'], 'expected a comment with the output behind console.log'],
    [['```json', '{', '```'], 'JSON'],
    [['```csv a b', 'x', '```'], 'expected nothing or the name of a file; got "a b"'],
  ])('%j is refused', (lines, message) => {
    expect(() => stepsOf(page(...lines))).toThrow(message);
  });

  test('joins continued modules, writes named files and lists what is not run', () => {
    const lines = ['```csv a.csv', 'x', '```', '```ts', 'const a = 1;', '```', 'so', '```ts continued', 'a;', '```'];
    expect(stepsOf(page(...lines, '```sh not-run: needs a network', 'npm i', '```'))).toEqual({
      steps: [
        { kind: 'file', line: 1, name: 'a.csv', text: 'x\n' },
        { kind: 'module', line: 4, text: 'const a = 1;\na;', typed: true, shown: '' },
      ],
      notRun: ['page.md, line 11: needs a network'],
    });
  });

  test('shows what its modules print in comments', () => {
    const text = 'f(); // not this\nconsole.log(f()); // 1\nconsole.log(\n  g(),\n); // 2\n// 3\n\n// not this\nlog();';
    expect(shownByComments(text)).toBe('1\n2\n3');
  });

  test('shows … for a part of a line, or for whole lines', () => {
    expect(isShown('a … b', 'a 0.5 s b\n')).toBe(true);
    expect(isShown('a … b', 'a\nb')).toBe(false);
    expect(isShown('a … b', `a ${'x'.repeat(41)} b`)).toBe(false);
    expect(isShown('a\n …\nb', 'a\n1\n2\nb  ')).toBe(true);
    expect(isShown('a\n…\nb', 'a\nb')).toBe(false);
    expect(isShown('a.c', 'abc')).toBe(false);
  });

  test('fails if a command or a module fails', async () => {
    const place = makeFolder(join(folder, 'failing'));
    const run = (...lines: string[]) => runStep(place, stepsOf(page(...lines)).steps[0]!);
    await expect(run('```sh', 'echo before', 'false | true', 'echo after', '```')).rejects.toThrow('got 1');
    await expect(run('```ts', 'throw new TypeError("no");', '```')).rejects.toThrow('TypeError: no');
    expect(await run('```ts', 'const a: number = 1;', 'console.log(a, a); // 1 1', '```')).toBe('1 1\n');
  });
});
