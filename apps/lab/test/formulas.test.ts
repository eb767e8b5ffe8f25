import { describe, expect, it } from 'vitest';
import { formulas, renderFormula, withoutUnusedRules } from '../vite-formulas.ts';

type Transform = (code: string, id: string) => { code: string } | null;
const transform = formulas().transform as unknown as Transform;

describe('formulas', () => {
  it('are HTML for the eye and MathML for the ear', () => {
    const html = renderFormula('w \\gets w + y\\,x');
    expect(html).toContain('<math');
    expect(html).toContain('aria-hidden="true"');
    expect(renderFormula('x', true)).toContain('katex-display');
  });

  it('are refused where they are wrong, or in a font that does not ship', () => {
    expect(() => renderFormula('\\frac{1}')).toThrow();
    expect(() => renderFormula('\\mathfrak{g}')).toThrow('fonts that ship');
  });

  it('are of the sizes of text and of scripts, whose rules alone ship', () => {
    expect(renderFormula('w_{t_i}')).toContain('reset-size3 size1');
    expect(() => renderFormula('\\Large x')).toThrow('sizes of text');
    const rule = (from: number, to: number) =>
      `.katex .fontsize-ensurer.reset-size${from}.size${to},.katex .sizing.reset-size${from}.size${to}{font-size:1em}`;
    const css = rule(6, 3) + rule(6, 10) + rule(2, 6);
    expect(transform(css, '/node_modules/katex/dist/katex.min.css')!.code).toBe(rule(6, 3));
  });

  it('take the place of their TeX in sources, and of nothing else', () => {
    const { code } = transform('const a = formula`x^2`; const b = "formula";', '/src/a.ts')!;
    expect(code).toBe(`const a = ${JSON.stringify(renderFormula('x^2'))}; const b = "formula";`);
    expect(transform('const a = 1;', '/src/a.ts')).toBeNull();
    expect(() => transform('formula`x_$' + '{i}`', '/src/a.ts')).toThrow('without parts computed later');
  });

  it('leave of the style sheet only WOFF2 of the fonts that ship', () => {
    const css =
      '@font-face{font-family:KaTeX_Main;src:url(a.woff2) format("woff2"),url(a.ttf) format("truetype")}' +
      '@font-face{font-family:KaTeX_Fraktur;src:url(b.woff2) format("woff2")}.katex{color:inherit}';
    expect(transform(css, '/node_modules/katex/dist/katex.min.css')!.code).toBe(
      '@font-face{font-family:KaTeX_Main;src:url(a.woff2) format("woff2")}.katex{color:inherit}',
    );
  });

  it('keep of the rules those for classes that formulas have, and all rules of the page', () => {
    const rules = [
      '.katex .base{top:0}',
      '.katex .sout,.katex .vlist{left:0}',
      '.katex .sout{left:1px}',
      '.sout{top:1px}',
    ];
    expect(withoutUnusedRules(rules.join(''), new Set(['katex', 'base', 'vlist']))).toBe(
      [rules[0], rules[1], rules[3]].join(''),
    );
  });
});
