import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type MarkdownEnv, type MarkdownRenderer } from 'vitepress';
import llms from 'vitepress-plugin-llms';
import about from '../../../package.json' with { type: 'json' };
import {
  drawRulePictures,
  formulas,
  linkTwins,
  placeHtml,
  placePrinted,
  printPictures,
  repositoryLinks,
  runnableBlocks,
  writeParts,
} from './markdown.ts';
import { type Results, readMeasurement } from './measurements.ts';
import { navigation, sidebar } from './navigation.ts';
import { numbersCharts, numbersPart } from './numbers/page.ts';
import { type RuleResults, ruleMap, ruleTable } from './rule-map/map.ts';

const repository = about.repository.url.replace(/^git\+|\.git$/g, '');
const rulePictures = await drawRulePictures();
const printed = printPictures();
const speed = readMeasurement<Results>('speed');
const rules = readMeasurement<RuleResults>('rules');
writeParts({
  numbers: numbersPart(speed, readMeasurement<Accuracies>('accuracy')),
  'rule-map': ruleMap(rules),
  'rule-table': ruleTable(rules),
});

/** The lab's, which stands beside the pages. */
const icon = '/lab/icon.svg';

export default defineConfig({
  title: 'halfspace',
  description: 'Linear classifiers that learn one mistake at a time: a library, a command, a lab, exact certificates.',
  lang: 'en',
  srcDir: '../../docs',
  srcExclude: ['parts/**'],
  outDir: '../../apps/docs/dist',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: icon, type: 'image/svg+xml' }]],
  vite: { plugins: [llms()], worker: { format: 'es' } },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: githubAnchor },
    config: (renderer) => {
      repositoryLinks(renderer, repository);
      runnableBlocks(renderer);
      reachIndentedBlocks(renderer);
      placePrinted(renderer, printed);
      formulas(renderer, 'rules.md');
      placeHtml(renderer, 'rule-picture', rulePictures);
      placeHtml(renderer, 'numbers-chart', numbersCharts(speed));
    },
  },
  buildEnd({ outDir }) {
    placeLab(outDir);
    linkTwins(outDir, repository);
  },
  themeConfig: {
    logo: { src: icon, alt: '' },
    nav: navigation,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderForSearch } },
  },
});

/** Puts the lab beside the pages, at `lab/`: static files, too. */
function placeLab(site: string): void {
  const lab = fileURLToPath(new URL('../../lab/dist', import.meta.url));
  if (!existsSync(lab)) throw new Error('expected the lab to be built first: npm run build -w halfspace-lab');
  cpSync(lab, join(site, 'lab'), { recursive: true });
}

/** Returns a page as the search reads it. In the reference, a public name is one place: the parts of its page have no headings. */
function renderForSearch(source: string, env: MarkdownEnv, renderer: MarkdownRenderer): string {
  const html = renderer.render(source, env);
  return env.relativePath.startsWith('reference/') ? html.replace(/<(\/?)h[2-6]\b[^>]*>/g, '<$1p>') : html;
}

/** Lets keys scroll the blocks that are only indented, as they scroll the others. */
function reachIndentedBlocks({ renderer: { rules } }: MarkdownRenderer): void {
  const plain = rules.code_block!;
  rules.code_block = (tokens, at, ...rest) => {
    tokens[at]!.attrSet('tabindex', '0');
    return plain(tokens, at, ...rest);
  };
}

/** Returns the name that GitHub gives to a heading: the pages are read there too. */
function githubAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}
