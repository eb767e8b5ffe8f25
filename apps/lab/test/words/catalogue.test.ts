import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ruleSpecs } from '../../src/algorithm/rules.constant.ts';
import { dataPresets, emptyPoints } from '../../src/data/presets.ts';
import { engine } from '../../src/words/german/engine.ts';
import { german } from '../../src/words/german/german.ts';

const folder = fileURLToPath(new URL('../../src/', import.meta.url));
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:ts|svelte)$/.test(file) && !file.startsWith('words'))
  .map((file) => readFileSync(folder + file, 'utf8'));

/** The messages t`…` of a source, as keys of a catalogue. */
function messagesOf(source: string): string[] {
  return [...source.matchAll(/(?<![\w.$])t`/g)].map(({ index }) => {
    const { template } = firstTagged(ts.createSourceFile('', source.slice(index), ts.ScriptTarget.Latest))!;
    return ts.isNoSubstitutionTemplateLiteral(template)
      ? template.text
      : template.head.text + template.templateSpans.map(({ literal }, k) => `{${k}}${literal.text}`).join('');
  });
}

const firstTagged = (node: ts.Node): ts.TaggedTemplateExpression | undefined =>
  ts.isTaggedTemplateExpression(node) ? node : ts.forEachChild(node, firstTagged);

/** The nouns that `amountText` counts, one and many. */
const nounsOf = (source: string): string[] =>
  [...source.matchAll(/amountText\([^;]*?, '([a-z ]+)'(?:, '([a-z ]+)')?\)/g)].flatMap(([, one, many]) => [
    one!,
    many ?? `${one}s`,
  ]);

/** Texts that come as data: `translated` looks them up. */
const terms = [
  ...sources.flatMap(nounsOf),
  ...dataPresets.flatMap(({ title, parameters, make }) => [
    title,
    make().name,
    ...parameters.map(({ id, to }) => make({ [id]: to }).name),
  ]),
  emptyPoints.name,
  ...Object.values(ruleSpecs).flatMap(({ options }) => Object.values(options).map(({ about }) => about)),
];

describe('the German catalogue', () => {
  const messages = new Set(sources.flatMap(messagesOf));

  it('has every message of the page, and none that the page does not have', () => {
    expect(messages.size).toBeGreaterThan(800);
    const wanted = new Set([...messages, ...terms]);
    expect({
      missing: [...wanted].filter((key) => !Object.hasOwn(german, key)),
      unused: Object.keys(german).filter((key) => !wanted.has(key)),
    }).toEqual({ missing: [], unused: [] });
  });

  it('has the messages of the worker, and none but these, in the part that the worker loads', () => {
    const files = new Set<string>();
    const follow = (file: string): void => {
      if (files.has(file) || !file.endsWith('.ts') || file.includes('/words/')) return;
      files.add(file);
      const imports = /^(?:import|export) (?!type )[^;]*?from '(\.[^']*)'|import\('(\.[^']*)'\)/gms;
      for (const [, from, later] of readFileSync(file, 'utf8').matchAll(imports))
        follow(resolve(dirname(file), (from ?? later)!));
    };
    follow(`${folder}engine/worker.ts`);
    const own = new Set([...files].flatMap((file) => messagesOf(readFileSync(file, 'utf8'))));
    expect(Object.keys(engine).sort()).toEqual([...own].sort());
  });

  it('uses every value of a message, and no other', () => {
    for (const [key, message] of Object.entries(german)) {
      const count = new Set(key.match(/\{\d\}/g)).size;
      const places = Array.from({ length: count }, (_, k) => `{${k}}`);
      const written = typeof message === 'string' ? message : message(...places);
      expect([...new Set(written.match(/\{\d\}/g))].sort(), key).toEqual(places);
    }
  });
});
