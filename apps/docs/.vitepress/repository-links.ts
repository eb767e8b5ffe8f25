import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { globSync } from 'tinyglobby';
import type { MarkdownRenderer } from 'vitepress';

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
