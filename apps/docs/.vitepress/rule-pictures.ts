import type { MarkdownRenderer } from 'vitepress';
import { drawn, drawRule } from '../scripts/rule-pictures.mjs';

/** Draws the pictures of all rules, and returns an extension that puts them where a page has `<rule-picture of="RULE">`. */
export async function drawRulePictures(): Promise<(renderer: MarkdownRenderer) => void> {
  const pictures = new Map<string, string>();
  for (const name of Object.keys(drawn)) pictures.set(name, await drawRule(name));
  return (renderer) => {
    renderer.core.ruler.push('rule-pictures', ({ tokens, env }) => {
      for (const token of tokens) {
        const [, name] = /^<rule-picture of="([\w-]+)"/.exec(token.type.startsWith('html_') ? token.content : '') ?? [];
        if (name === undefined) continue;
        const picture = pictures.get(name);
        if (picture === undefined)
          throw new Error(`expected one of ${[...pictures.keys()]}; got ${name} in ${env.relativePath}`);
        token.content = `${picture}\n`;
      }
    });
  };
}
