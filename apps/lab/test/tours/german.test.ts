import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTour } from '../../scripts/compile-tour.ts';
import { fitEncoding } from '../../src/data/encode-columns.ts';
import { readDataset } from '../../src/data/read.ts';
import { compileTour as compile } from '../../src/tours/compile.ts';
import { datasetOf } from '../../src/tours/scene.ts';
import { type Part, type SceneData, scenesOf, type Tour } from '../../src/tours/tour.ts';
import { namesInData, translateTour } from '../../src/tours/translate.ts';
import { german } from '../../src/words/german/german.ts';
import { englishWords, namesOfSources } from '../support/english-on.ts';

const folder = fileURLToPath(new URL('../../src/tours', import.meta.url));
const names = readdirSync(folder).filter((file) => file.endsWith('.md'));
const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8');

/** Leaves formulas as they are written. */
const asWritten = (tex: string) => `⟦${tex}⟧`;
const tours = names.map((name) => {
  const english = compile(name, name.replace('.md', ''), read(name), asWritten);
  return { name, english, translated: translateTour(`german/${name}`, read(`german/${name}`), english, asWritten) };
});

/** The words of a part, one after the other. */
function wordsOf(part: Part): string[] {
  if (part.kind === 'text') return [part.html];
  if (part.kind === 'open') return [part.title];
  if (part.kind === 'scene') return [part.title, ...part.claims.map(({ html }) => html)];
  return [part.question, part.explanation, ...(part.kind === 'choice' ? part.options.map(({ html }) => html) : [])];
}

const allWords = ({ title, source, sections }: Tour): string[] => [
  title,
  source,
  ...sections.flatMap(({ heading, parts }) => [heading, ...parts.flatMap(wordsOf)]),
];
const pairs = tours.flatMap(({ name, english, translated }) => {
  const others = allWords(translated);
  return allWords(english).map((words, k) => ({ name, english: words, translated: others[k]! }));
});

const formulasIn = (words: string): string[] =>
  [...words.matchAll(/⟦([^⟧]*)⟧/g)].map(([, tex]) => tex!.replace(/\\text\{[^}]*\}/g, '\\text{}')).sort();
const plainText = (words: string): string => words.replace(/⟦[^⟧]*⟧|<[^>]*>/g, ' ').replaceAll('&quot;', '"');
const numbersIn = (words: string): string[] => (plainText(words).match(/\d+(?:[.,]\d+)*/g) ?? []).sort();

/** A tour without its words. */
const bare = ({ sections }: Tour) =>
  sections.map(({ parts }) =>
    parts.map((part) => {
      if (part.kind === 'text' || part.kind === 'open') return part.kind;
      if (part.kind !== 'scene')
        return {
          ...part,
          question: '',
          explanation: '',
          options: 'options' in part && part.options.map((o) => o.right),
        };
      const data = JSON.stringify(part.data, (key, value) =>
        typeof value === 'string' && key !== 'preset' && key !== 'order' ? '' : value,
      );
      return { ...part, title: '', data, claims: part.claims.map(({ expression }) => expression) };
    }),
  );

/** Tells for each row of a table if its class is the positive one. */
async function signsOf(data: SceneData): Promise<boolean[]> {
  const table = await readDataset(await datasetOf(data));
  const { positive } = fitEncoding(table, { scale: 'none', holdout: 0, seed: 1 }).label;
  const { codes, words } = table.label.cells;
  return Array.from({ length: table.rows }, (_, row) => words[codes[row]!] === positive);
}

describe('a tour in German', () => {
  it('stands beside every tour, and none stands alone', () => {
    expect(readdirSync(`${folder}/german`).sort()).toEqual(names.sort());
  });

  it('has the formulas and numbers of the English words, each in its place', () => {
    expect(pairs.length).toBeGreaterThan(400);
    const signs = (words: string) => [...formulasIn(words), ...numbersIn(words)];
    expect(pairs.map(({ name, translated }) => [name, translated, signs(translated)])).toEqual(
      pairs.map(({ name, english, translated }) => [name, translated, signs(english)]),
    );
  });

  it('has no English words, but titles of sources', () => {
    for (const { translated } of pairs)
      expect(plainText(translated).replace(namesOfSources, '')).not.toMatch(englishWords);
    const same = pairs.filter(
      ({ english, translated }) => /[a-z]{3}/i.test(plainText(english)) && english === translated,
    );
    expect(new Set(same.map(({ english }) => english))).toEqual(new Set(['XOR']));
  });

  it('has German quotation marks', () => {
    for (const { translated } of pairs) expect(plainText(translated).replace(/„[^“„]*“/g, '')).not.toMatch(/[“”„"]/);
  });

  it('names data, columns and classes in German', () => {
    const kept = tours.flatMap(({ english, translated }) => {
      const others = namesInData(translated);
      return [...namesInData(english)].filter((name) => others.has(name) && !Object.hasOwn(german, name));
    });
    expect(kept).toEqual(['θ = (−1, 1)', 'x1', 'x2', 'x3', 'x4', 'x5']);
  });

  it('shows the words of two pointers where the English does', () => {
    const places = (words: string) => words.match(/by-(mouse|touch)/g) ?? [];
    for (const { english, translated } of pairs) expect(places(translated), translated).toEqual(places(english));
  });

  it('differs from the English tour in words alone', () => {
    for (const { english, translated } of tours) expect(bare(translated)).toEqual(bare(english));
  });

  it('has the positive class of the English tour, although classes are ordered by their names', async () => {
    const tables = tours.flatMap(({ english, translated }) => {
      const scenes = translated.sections.flatMap(scenesOf);
      return english.sections
        .flatMap(scenesOf)
        .flatMap(({ data }, k) => ('columns' in data ? [[data, scenes[k]!.data]] : []));
    }) as [SceneData, SceneData][];
    expect(tables.length).toBeGreaterThan(1);
    for (const [english, translated] of tables) expect(await signsOf(translated)).toEqual(await signsOf(english));
  });

  it('compiles with the formulas of the page', () => {
    const compiled = names.map((name) => readTour(`${folder}/german/${name}`));
    expect(JSON.stringify(compiled)).toContain('<mtext>falsch</mtext>');
  });
});

describe('a translation', () => {
  const front = '---\ntitle: T\nsource: S\nminutes: 3\n---\n';
  const english = compile(
    't.md',
    't',
    `${front}\n## One\n\nWords.\n\n\`\`\`scene\n{"data": {"points": [[1, 1, 1]], "name": "two"}, "claims": {"a": "1", "b": "1"}}\n\`\`\`\n\n\`\`\`quiz\nkind: choice\nquestion: q\n- [x] a\n- [ ] b\nexplain: e\n\`\`\`\n`,
    asWritten,
  );
  const top = '---\ntitle: T\nsource: Q\n---\n';
  const scene = '```scene\ntitle: s\n- c\n- d\n```\n';
  const quiz = '```quiz\nquestion: f\n- c\n- d\nexplain: g\n```\n';
  const whole = `${top}\n## Eins\n\nWorte.\n\n${scene}\n${quiz}`;
  const translate = (text: string) => translateTour('german/t.md', text, english, asWritten);

  it('has its words, and data and expressions of the English tour', () => {
    const [text, shown, asked] = translate(whole.replace('##', '```data\ntwo: zwei\n```\n\n##')).sections[0]!.parts;
    expect(text).toEqual({ kind: 'text', html: '<p>Worte.</p>\n' });
    expect(shown).toMatchObject({
      title: 's',
      data: { name: 'zwei' },
      claims: [
        { html: 'c', expression: '1' },
        { html: 'd', expression: '1' },
      ],
    });
    expect(asked).toMatchObject({
      question: 'f',
      explanation: 'g',
      options: [
        { html: 'c', right: '1' },
        { html: 'd', right: '0' },
      ],
    });
  });

  it.each([
    ['a section is missing', `${top}\n`, 'german/t.md, line 6: expected a section'],
    ['there is a section more', `${whole}\n## Zwei\n`, 'line 23, “Zwei”: expected 1 sections'],
    [
      'a part is missing',
      whole.replace(scene, ''),
      '“Eins”: expected the parts of “One”, text, scene, quiz; got text, quiz',
    ],
    ['a claim is missing', whole.replace('- d\n', ''), 'line 11, “Eins”: expected 2 claims, as in English; got 1'],
    ['there is an option more', whole.replace('- d\nexplain', '- d\n- e\nexplain'), 'expected 2 options'],
    ['a title is missing', whole.replace('title: s\n', ''), 'expected title; got'],
    ['it has an expression', whole.replace('explain', 'holds: 1\nexplain'), 'expected question and explain; got'],
    ['it has minutes', whole.replace('source: Q', 'source: Q\nminutes: 3'), 'expected title and source; got'],
    [
      'it names no data',
      whole.replace('##', '```data\nsix: sechs\n```\n\n##'),
      'line 7, data: expected a name in the data',
    ],
  ])('is refused with its place where %s', (_, text, message) => {
    expect(() => translate(text)).toThrow(message);
  });
});
