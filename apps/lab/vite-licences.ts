import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Writes `licences.txt`: what the packages in the build, those of the worker among them, ask to be kept with copies of them.
 *
 * @returns a plugin for the page, and one for its workers.
 */
export function licences(): { readonly page: Plugin; readonly worker: () => Plugin } {
  const folders = new Set<string>();
  const collect = (name: string): Plugin => ({
    name,
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle))
        for (const id of part.type === 'chunk' ? part.moduleIds : []) {
          const [folder] = /^[^?\0]*node_modules\/(@[^/]+\/)?[^/?]+/.exec(id) ?? [];
          if (folder !== undefined) folders.add(folder);
        }
    },
  });
  const page = collect('halfspace-licences');
  return {
    worker: () => collect('halfspace-worker-licences'),
    page: {
      ...page,
      apply: 'build',
      generateBundle(options, bundle, isWrite) {
        (page.generateBundle as (...all: unknown[]) => void).call(this, options, bundle, isWrite);
        this.emitFile({ type: 'asset', fileName: 'licences.txt', source: textOf([...folders].sort()) });
      },
    },
  };
}

function textOf(folders: readonly string[]): string {
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each) && existsSync(join(folder, each)));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `The files beside this one contain code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
