import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const rows = Array.from({ length: 90 }, (_, i) => {
  const [x, z] = [((i * 7) % 13) - 6, (i * 5) % 11];
  return { x, z, third: (i * 3) % 17, kind: i % 3, label: x + 0.3 * z > 1 ? 'a & <b>' : '100 %_$' };
});

beforeAll(() => {
  const table = (name: string, columns: readonly (keyof (typeof rows)[number])[]) =>
    writeFileSync(
      join(folder, name),
      `${columns.join()}\n${rows.map((row) => `${columns.map((column) => row[column]).join()}\n`).join('')}`,
    );
  table('one.csv', ['x', 'label']);
  table('two.csv', ['x', 'z', 'label']);
  table('three.csv', ['x', 'z', 'third', 'label']);
  table('words.csv', ['x', 'z', 'kind']);
  writeFileSync(join(folder, 'none.csv'), 'label\na\nb\n');
  writeFileSync(join(folder, 'same.csv'), 'x,label\n1,a\n1,b\n');
});

/** Counts the elements of an XML document by name. Fails if a tag is not closed, or a sign not escaped. */
function elementsOf(xml: string): Map<string, number> {
  const [counts, open] = [new Map<string, number>(), [] as string[]];
  const rest = xml.replace(
    /<(\/?)([a-z]+)((?: [a-z-]+="[^"<&]*(?:&\w+;[^"<&]*)*")*)(\/?)>/gi,
    (_, end, name, __, empty) => {
      if (end !== '') expect(open.pop()).toBe(name);
      else counts.set(name, (counts.get(name) ?? 0) + 1);
      if (end === '' && empty === '') open.push(name);
      return '';
    },
  );
  expect(open).toEqual([]);
  expect(rest.replace(/&(?:amp|lt|gt|quot);/g, '')).not.toMatch(/[<>&]/);
  return counts;
}

const positive = rows.filter(({ label }) => label.startsWith('a')).length;

describe('halfspace picture', () => {
  test.each([
    ['one.csv'],
    ['two.csv', '--show', 'radius,widest', '--size', 'slide', '--theme', 'dark'],
    ['three.csv', '--plane', 'weights', '--no-caption', '--size', 'column'],
    ['three.csv', '--columns', 'x,z', '--rule', 'averaged', '--transparent'],
    ['two.csv', '--rule', 'tree', '--size', 'columns', '--show', 'hulls'],
  ])('draws every row of %s %s %s %s once, as SVG and as TikZ', (file, ...options) => {
    const run = (name: string) =>
      halfspace(folder, ['picture', file, ...options, '--positive', 'a & <b>', '--output', name]);
    expect(run('p.svg')).toMatchObject({ status: 0, err: '' });
    const svg = elementsOf(read('p.svg'));
    const hollow = read('p.svg').includes('>on the wrong side<') ? 1 : 0;
    const squares = read('p.svg').match(
      /Z"(?: fill="#[a-f0-9]+" stroke="(?:#b85c00|#f2a54a)"| fill="(?:#b85c00|#f2a54a)")/g,
    )!;
    // The key has one symbol of each class.
    expect(svg.get('circle')).toBe(positive + 1 + hollow);
    expect(squares).toHaveLength(rows.length - positive + 1);
    expect(svg.get('rect') ?? 0).toBe(options.includes('--transparent') ? 0 : 1);
    const first = read('p.svg');
    run('p.svg');
    expect(read('p.svg')).toBe(first);
    expect(run('p.tex').status).toBe(0);
    const tex = read('p.tex').replace(/\\[\\{}$&#_%]/g, '');
    expect(tex.match(/ circle\[/g)).toHaveLength(svg.get('circle')!);
    expect(tex.match(/ -- cycle;/g)).toHaveLength(read('p.svg').match(/Z"/g)!.length);
    expect(tex.match(/\{/g)).toHaveLength(tex.match(/\}/g)!.length);
    expect(tex.split('\n').slice(2).join('\n')).not.toMatch(/[&#%_]|undefined|NaN/);
    const used = new Set(Array.from(tex.matchAll(/[=[](hs[a-z]+)/g), ([, name]) => name));
    expect(used).toEqual(new Set(Array.from(tex.matchAll(/definecolor\{(hs[a-z]+)\}/g), ([, name]) => name)));
  });

  test.each([
    [
      ['words.csv', '--label', 'kind'],
      3,
      'expected two classes, or one of them by --positive; got 3 in “kind”: 0, 1, 2',
    ],
    [['none.csv'], 3, 'only one column'],
    [['two.csv', '--columns', 'x,y'], 2, 'no column “y”'],
    [['two.csv', '--output', 'p.pdf'], 2, 'expected --output to end in .svg, or in .tex for TikZ; got p.pdf'],
    [
      ['three.csv', '--plane', 'weights', '--rule', 'tree'],
      2,
      '--plane weights needs a rule with weights; got the rule tree',
    ],
    [['two.csv', '--show', 'stars'], 2, 'radius, widest, hulls'],
    [['same.csv'], 3, 'No column tells examples apart: x (constant)'],
  ])('refuses %j', (args, status, said) => {
    const run = halfspace(folder, ['picture', ...args]);
    expect(run).toMatchObject({ status, out: '' });
    expect(run.err).toContain(said);
  });
});
