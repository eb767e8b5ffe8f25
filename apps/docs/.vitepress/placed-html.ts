import type { MarkdownRenderer } from 'vitepress';

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
