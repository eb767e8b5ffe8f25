import { defineConfig } from 'vitepress';
import llms from 'vitepress-plugin-llms';
import about from '../../../package.json' with { type: 'json' };
import { navigation, sidebar } from './navigation.ts';
import { repositoryLinks } from './repository-links.ts';

export default defineConfig({
  title: 'halfspace',
  description: 'Linear classifiers that learn one mistake at a time: a library, a command, a lab, exact certificates.',
  lang: 'en',
  srcDir: '../../docs',
  outDir: '../../apps/docs/dist',
  cleanUrls: true,
  vite: { plugins: [llms()] },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: githubAnchor },
    config: (renderer) => repositoryLinks(renderer, about.repository.url.replace(/^git\+|\.git$/g, '')),
  },
  themeConfig: {
    nav: navigation,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});

/** Returns the name that GitHub gives to a heading: the pages are read there too. */
function githubAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}
