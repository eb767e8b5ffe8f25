import { transformSync } from 'esbuild';
import type { MarkdownRenderer } from 'vitepress';
import { runsInPage } from '../src/run/module.ts';

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
