import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const title = 'Why the perceptron must stop';
const description = 'The convergence theorem, step by step, with the numbers of your own points.';

/**
 * Writes `theorem.html`: the page of the lab with another head and another place for its content. As a second entry of the bundle it would split
 * the lab's code into more files, and the first load would be two per cent larger.
 */
export function theorem(): Plugin {
  return {
    name: 'halfspace-theorem',
    configureServer(server) {
      server.middlewares.use('/theorem.html', (_request, response, next) => {
        const html = theoremPage(readFileSync(new URL('./index.html', import.meta.url), 'utf8'));
        server.transformIndexHtml('/theorem.html', html).then((text) => response.end(text), next);
      });
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const index = bundle['index.html'];
        if (index?.type !== 'asset') throw new Error('expected index.html in the bundle');
        this.emitFile({ type: 'asset', fileName: 'theorem.html', source: theoremPage(String(index.source)) });
      },
    },
  };
}

function theoremPage(html: string): string {
  const replaced = [
    [/<div id="lab"><\/div>/, '<div id="theorem"></div>'],
    [/<title>[^<]*<\/title>/, `<title>${title}</title>`],
    [/(<meta name="description" content=")[^"]*/, `$1${description}`],
    [/(<meta property="og:title" content=")[^"]*/, `$1${title}`],
    [/(<meta property="og:description" content=")[^"]*/, `$1${description}`],
  ] as const;
  return replaced.reduce((text, [from, to]) => {
    if (!from.test(text)) throw new Error(`expected ${from} in index.html`);
    return text.replace(from, to);
  }, html);
}
