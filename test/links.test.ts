import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { sidebar } from '../apps/docs/.vitepress/navigation.ts';

const root = resolve(import.meta.dirname, '..');
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md', 'apps/*/*.md', 'bench/*.md', 'examples/**/*.md'], {
  cwd: root,
  ignore: ['**/node_modules/**', 'docs/reference/**', 'docs/parts/**'],
}).sort();
/** Returns a page without its blocks of code, whose brackets are no links. */
const prose = (page: string) => readFileSync(join(root, page), 'utf8').replace(/^(`{3,})[^`\n]*\n[\s\S]*?^\1 *$/gm, '');

/** Returns the names that GitHub gives to the headings of a page. */
function anchors(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the links of a page to files of the repository that lead nowhere. */
function brokenLinks(page: string): string[] {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map((m) => m[1] ?? m[2]!);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    if (anchor === undefined) return false;
    return statSync(join(root, target)).isDirectory() || !anchors(target).includes(anchor);
  });
}

describe('the links of', () => {
  test.each(pages)('%s lead to files and headings', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });
});

test('headings have the names that GitHub gives them', () => {
  expect(anchors('docs/margins.md')).toContain('the-largest-margin');
  expect(anchors('docs/data.md')).toContain('vowpal-wabbit-text-vw-dat');
});

test('every page of docs is listed in the site', () => {
  const listed = new Set(sidebar.flatMap(({ items }) => items!.map(({ link }) => `docs${link}.md`)));
  expect(pages.filter((page) => page.startsWith('docs/') && page !== 'docs/index.md' && !listed.has(page))).toEqual([]);
});

/** Pages that are longer than a reader's patience, each with its reason. */
const longPages: Readonly<Record<string, string>> = {
  'docs/errors.md': 'a list, which is looked up and not read',
  'docs/rules.md': 'a section for each rule, with its formula',
  'docs/tables.md': 'all rules of reading tables, once and in their order',
};

test('no page of docs has more than 1,500 words without a reason', () => {
  const long = pages.filter(
    (page) => page.startsWith('docs/') && prose(page).split(/\s+/).filter(Boolean).length > 1500,
  );
  expect(long).toEqual(Object.keys(longPages));
});

test('the README has at most 900 words', () => {
  const words = readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(900);
});
