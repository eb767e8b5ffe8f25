import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import katex from 'katex';
import { globSync } from 'tinyglobby';
import type { MarkdownRenderer } from 'vitepress';
import { drawn, drawRule } from '../scripts/rule-pictures.mjs';
import { runsInPage } from '../src/run/module.ts';

/**
 * Sets `$formula$` within a line, and lines between two lines of `$$`, as MathML, which browsers draw without fonts or
 * scripts of ours. For one page that has formulas: elsewhere a dollar is a dollar.
 */
export function formulas(renderer: MarkdownRenderer, path: string): void {
  const isMeant = (env: { readonly relativePath?: string }) => env.relativePath === path;

  renderer.inline.ruler.before('escape', 'formula', (state, silent) => {
    const [whole, tex] = /^\$(\S|\S[^$\n]*\S)\$(?!\d)/.exec(state.src.slice(state.pos)) ?? [];
    if (whole === undefined || !isMeant(state.env)) return false;
    if (!silent) state.push('html_inline', '', 0).content = setFormula(tex!, false);
    state.pos += whole.length;
    return true;
  });

  renderer.block.ruler.before('fence', 'formula', (state, first, end, silent) => {
    const line = (i: number) => state.src.slice(state.bMarks[i]! + state.tShift[i]!, state.eMarks[i]);
    if (line(first) !== '$$' || !isMeant(state.env)) return false;
    let last = first + 1;
    while (last < end && line(last) !== '$$') last++;
    if (last >= end)
      throw new Error(`expected a line of $$ behind a formula; got the end of ${state.env.relativePath}`);
    if (silent) return true;
    const tex = Array.from({ length: last - first - 1 }, (_, i) => line(first + 1 + i)).join('\n');
    state.push('html_block', '', 0).content = setFormula(tex, true);
    state.line = last + 1;
    return true;
  });
}

function setFormula(tex: string, display: boolean): string {
  const html = katex.renderToString(tex, {
    output: 'mathml',
    displayMode: display,
    throwOnError: true,
    strict: 'error',
  });
  // The source of the formula is not for those who listen, and may hold braces that templates read.
  const math = html.replace(/<annotation .*?<\/annotation>/s, '').replace(/<\/?span[^>]*>/g, '');
  return display ? `<p class="formula" v-pre tabindex="0">${math}</p>\n` : `<span v-pre>${math}</span>`;
}

/** Draws the pictures of all rules, by their names. */
export async function drawRulePictures(): Promise<Map<string, string>> {
  const pictures = new Map<string, string>();
  for (const name of Object.keys(drawn)) pictures.set(name, await drawRule(name));
  return pictures;
}

const folder = fileURLToPath(new URL('../../../docs/parts/', import.meta.url));

/** Writes the parts of pages that are made from measurements. Pages include them; they are not committed. */
export function writeParts(parts: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(parts)) writeFileSync(`${folder}${name}.md`, `${text}\n`);
}

/**
 * Puts HTML that is made with the site where a page has `<tag of="NAME">` on a line. The page's Markdown keeps the tag, which
 * says as much as a reader of text needs.
 */
export function placeHtml(renderer: MarkdownRenderer, tag: string, html: ReadonlyMap<string, string>): void {
  const placed = new RegExp(`^<${tag} of="([^"]+)"`);
  renderer.core.ruler.push(`placed-${tag}`, ({ tokens, env }) => {
    for (const token of tokens) {
      const [, name] = placed.exec(token.type.startsWith('html_') ? token.content : '') ?? [];
      if (name === undefined) continue;
      const one = html.get(name);
      if (one === undefined) throw new Error(`expected one of ${[...html.keys()]}; got ${name} in ${env.relativePath}`);
      token.content = `${one}\n`;
    }
  });
}

/** Lets links that leave the folder of the pages lead to the file in the repository, as they do where it is browsed. */
export function repositoryLinks(renderer: MarkdownRenderer, repository: string): void {
  renderer.core.ruler.before('linkify', 'repository-links', ({ tokens, env }) => {
    const page: string = env.relativePath;
    for (const token of tokens)
      for (const child of token.children ?? []) {
        const link = child.type === 'link_open' ? child.attrGet('href') : null;
        if (link === null) continue;
        const target = inRepository(page, link, repository);
        if (target !== null) child.attrSet('href', target);
      }
  });
}

/** Does the same for the links of the pages that the site has as Markdown, where `x/index.md` is `x.md`. */
export function linkTwins(site: string, repository: string): void {
  for (const page of globSync('**/*.md', { cwd: site, ignore: 'lab/**' })) {
    const file = join(site, page);
    const index = page.replace(/\.md$/, '/index.md');
    const source = existsSync(join(site, index.replace(/md$/, 'html'))) ? index : page;
    const text = readFileSync(file, 'utf8');
    const linked = text.replace(/(?<=\]\()(?![a-z]+:|[#/])[^()\s]+(?=\))/g, (link) => {
      const target = posix.join('/', posix.dirname(source), link).replace(/\/index\.md(?=#|$)/, '.md');
      return inRepository(source, link, repository) ?? target;
    });
    if (linked !== text) writeFileSync(file, linked);
  }
}

/** Returns the address of a file of the repository that is no page; null if a link of a page leads elsewhere. */
function inRepository(page: string, link: string, repository: string): string | null {
  if (/^([a-z]+:|#|\/)/.test(link)) return null;
  const target = posix.join('docs', posix.dirname(page), link);
  const isPage = target.startsWith('docs/') && !/\.json$/.test(target);
  return isPage ? null : `${repository}/blob/main/${target}`;
}

const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
/** Its modules see the packages. */
const cwd = fileURLToPath(new URL('..', import.meta.url));

/** Runs the blocks of all pages that say in comments that they print SVG, and returns what each prints, by its code. */
export function printPictures(): Map<string, string> {
  const pictures = new Map<string, string>();
  for (const page of globSync('**/*.md', { cwd: docs, ignore: ['reference/**', 'parts/**'], absolute: true })) {
    let module = '';
    for (const [, language, continued, code] of readFileSync(page, 'utf8').matchAll(
      /^```(ts|js)( continued)?\n(.*?)^```$/gms,
    )) {
      module = continued === undefined ? code! : module + code;
      if (/^\/\/ <svg /m.test(code!)) pictures.set(code!, print(module, language as 'ts' | 'js'));
    }
  }
  return pictures;
}

/** Returns the last picture that a module prints. */
function print(text: string, loader: 'ts' | 'js'): string {
  const { code } = transformSync(text, { loader, format: 'esm', target: 'es2022' });
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd, encoding: 'utf8' });
  const picture = printed.match(/<svg .*?<\/svg>/gs)?.at(-1);
  if (picture === undefined) throw new Error(`expected a block that prints <svg …>; got ${printed.slice(0, 80)}`);
  return picture;
}

/** Shows above a block the picture that it prints. */
export function placePrinted(renderer: MarkdownRenderer, pictures: ReadonlyMap<string, string>): void {
  const fence = renderer.renderer.rules.fence!;
  renderer.renderer.rules.fence = (tokens, i, ...rest) => {
    const picture = pictures.get(tokens[i]!.content);
    const figure = picture === undefined ? '' : `<figure class="printed-picture">${picture}</figure>\n`;
    return figure + fence(tokens, i, ...rest);
  };
}

/** A fenced block: ```` ```info ````, then its content. */
interface Fence {
  readonly info: string;
  readonly content: string;
}

/** Gives blocks of code that run in a browser a component that runs them. A `continued` block runs with those before. */
export function runnableBlocks(renderer: MarkdownRenderer): void {
  const fence = renderer.renderer.rules.fence!;
  renderer.renderer.rules.fence = (tokens, i, ...rest) => {
    const html = fence(tokens, i, ...rest);
    const before = codeBefore(tokens.slice(0, i + 1).filter(({ type }) => type === 'fence'));
    if (before === null) return html;
    return `<RunnableBlock code="${encoded(tokens[i]!.content)}" before="${encoded(before)}">${html}</RunnableBlock>\n`;
  };
}

/** Returns the code that the last one of some blocks continues, empty if none; null if it does not run in a page. */
export function codeBefore(fences: readonly Fence[]): string | null {
  const blocks = fences.filter(({ info }) => /^(ts|js)( continued)?$/.test(info.trim()));
  const last = fences.at(-1);
  if (last === undefined || blocks.at(-1) !== last) return null;
  const first = blocks.findLastIndex(({ info }) => !info.includes('continued'));
  const before = blocks.slice(Math.max(0, first), -1);
  const text = before.map(({ content }) => content).join('');
  return runsInPage(text + last.content) && isScript(text + last.content) ? text : null;
}

/** Tests if the browser understands a block as it is, without types. */
function isScript(code: string): boolean {
  try {
    transformSync(code, { loader: 'js', format: 'esm', target: 'es2022' });
    return true;
  } catch {
    return false;
  }
}

const encoded = (text: string) => encodeURIComponent(text).replaceAll("'", '%27');
