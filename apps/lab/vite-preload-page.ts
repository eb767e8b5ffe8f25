import type { Plugin } from 'vite';

/**
 * Lets the browser fetch the page's modules beside the entry, which imports them only when its words are there. Without
 * it the first picture waits for one more answer of the server.
 */
export function preloadPage(): Plugin {
  return {
    name: 'halfspace-preload-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const page = Object.values(bundle ?? {}).find((file) => file.type === 'chunk' && file.name === 'page');
        if (page?.type !== 'chunk') throw new Error('expected a chunk with the name page in the bundle');
        return [page.fileName, ...page.imports]
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
            injectTo: 'head',
          }));
      },
    },
  };
}
