import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** Lets links that leave the folder of the pages lead to the file in the repository, as they do where it is browsed. */
export function repositoryLinks(renderer: MarkdownRenderer, repository: string): void {
  renderer.core.ruler.before('linkify', 'repository-links', ({ tokens, env }) => {
    const page: string = env.relativePath;
    for (const token of tokens)
      for (const child of token.children ?? []) {
        const link = child.type === 'link_open' ? child.attrGet('href') : null;
        if (link === null || /^([a-z]+:|#|\/)/.test(link)) continue;
        const target = posix.join('docs', posix.dirname(page), link);
        if (!target.startsWith('docs/')) child.attrSet('href', `${repository}/blob/main/${target}`);
      }
  });
}
