import katex from 'katex';
import type { MarkdownRenderer } from 'vitepress';

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
