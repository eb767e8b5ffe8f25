import MarkdownIt from 'markdown-it';

/** Sets a formula of TeX as HTML. @throws Error for a formula that is wrong. */
export type Typeset = (tex: string, display: boolean) => string;

const markdown = new MarkdownIt({ html: false, typographer: false });
// Pages of the lab ask no other machine for anything.
markdown.disable('image');

/** Sets paragraphs of Markdown with `$formulas$`. @throws Error with the place for a formula that is wrong. */
export function block(text: string, place: string, typeset: Typeset): string {
  return byPointer(withFormulas(text, place, typeset, (rest) => markdown.render(rest)));
}

/** Sets a line of Markdown with `$formulas$`. @throws Error with the place for a formula that is wrong. */
export function inline(text: string, place: string, typeset: Typeset): string {
  return withFormulas(text, place, typeset, (rest) => markdown.renderInline(rest));
}

/** Formulas are set apart first, so that Markdown does not read their _ and *. */
function withFormulas(text: string, place: string, typeset: Typeset, render: (text: string) => string): string {
  const formulas: string[] = [];
  const rest = text.replace(/\$\$([^$]+)\$\$|\$([^$]+)\$/g, (_, display?: string, within?: string) => {
    try {
      formulas.push(typeset((display ?? within)!.trim(), display !== undefined));
    } catch (error) {
      throw new Error(`${place}: ${(error as Error).message}`);
    }
    return `\uE000${formulas.length - 1}\uE001`;
  });
  // A number and its sign of per cent stay on one line.
  return render(rest.replace(/(?<=\d) %/g, '\u00a0%')).replace(/\uE000(\d+)\uE001/g, (_, k) => formulas[Number(k)]!);
}

/** Writes `[click|tap]` as two words, of which the page shows the one for a mouse or the one for fingers. */
function byPointer(html: string): string {
  return html.replace(
    /\[([^[\]|<]+)\|([^[\]|<]+)\]/g,
    '<span class="by-mouse">$1</span><span class="by-touch">$2</span>',
  );
}
