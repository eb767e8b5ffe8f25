import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { jsonFault } from '../../src/tours/compile.ts';
import { compileOwnTour } from '../../src/tours/own-tour.ts';
import { datasetOf } from '../../src/tours/scene.ts';
import { scenesOf } from '../../src/tours/tour.ts';
import { parseTourLink, withTourLink } from '../../src/tours/tour-link.ts';

const front = '---\ntitle: Mine\nsource: me\nminutes: 3\n---\n\n## One\n\nText with $\\gamma$.\n\n';
const scene = (json: string) => `${front}\`\`\`scene\n${json}\n\`\`\`\n`;
const quiz = (lines: string) => `${front}\`\`\`quiz\n${lines}\n\`\`\`\n`;

describe('a tour of the reader’s own', () => {
  it('is what the documentation shows', async () => {
    const docs = readFileSync(new URL('../../TOURS.md', import.meta.url), 'utf8');
    const [, example] = /^````markdown\n([\s\S]*?)^````$/m.exec(docs)!;
    const { title, sections } = compileOwnTour('example.md', example!);
    expect(title).toBe('Lecture 9, section by section');
    const [first] = scenesOf(sections[0]!);
    expect(await datasetOf(first!.data)).toMatchObject({ kind: 'points' });
    expect(first!.claims[0]!.html).toContain('<math');
  });

  it.each([
    ['without front matter', '## One\n', 'mine.md, line 1: expected front matter'],
    ['without a title', '---\nsource: me\nminutes: 3\n---\n## One\n', 'line 1: expected title'],
    ['with a wrong line in front', '---\ntitle: a\nhello\n---\n## One\n', 'line 3: expected “name: text”; got “hello”'],
    ['without a section', '---\ntitle: a\nsource: b\nminutes: 3\n---\n', 'expected a section'],
    [
      'whose minutes are no number',
      '---\ntitle: a\nsource: b\nminutes: few\n---\n## One\n',
      'line 1: expected minutes',
    ],
    [
      'that counts the bias in no known way',
      front.replace('minutes: 3', 'minutes: 3\nbias: none'),
      'line 1: expected bias to be coordinate or apart; got none',
    ],
    [
      'with JSON that breaks in its third line',
      scene('{\n  "data": {"preset": "xor"},\n  "step": }'),
      'mine.md, line 14, “One”: expected JSON',
    ],
    [
      'with a member that is none',
      scene('{\n  "data": {"preset": "xor"},\n  "veiws": ["proof", "step"]\n}'),
      'line 14, “One”: expected one of name',
    ],
    [
      'with a view that is none',
      scene('{\n  "data": {"preset": "xor"},\n  "views": ["prof", "step"]\n}'),
      'line 14, “One”: expected two of the views',
    ],
    [
      'with a quantity that is none',
      scene('{\n  "data": {"preset": "xor"},\n  "claims": {"a":\n "updats > 0"}\n}'),
      'line 15, “One”: expected a quantity',
    ],
    [
      'with a claim that breaks',
      scene('{\n  "data": {"preset": "xor"},\n  "claims": {"a": "1 +"}\n}'),
      'line 14, “One”: “1 +”',
    ],
    [
      'with a wrong option',
      quiz('kind: choice\nquestion: q\n- [x] yes\n- [] \n- no\nexplain: e'),
      'line 16, “One”: expected “name: text”; got “- no”',
    ],
    ['with a formula that breaks', `${front}More text,\nand $\\frac{1$.\n`, 'mine.md, line 9, “One”: KaTeX'],
  ])('is refused with its line: %s', (_, text, message) => {
    expect(() => compileOwnTour('mine.md', text)).toThrow(message);
    expect(() => compileOwnTour('mine.md', text.replaceAll('\n', '\r\n'))).toThrow(message);
  });

  it('brings no code and no pictures of other pages into this one', () => {
    const text = `${front}<b onclick=x>b</b> ![p](https://example.com/p.png) [l](javascript:x)\n`;
    const [part] = compileOwnTour('mine.md', text).sections[0]!.parts;
    expect(part).toMatchObject({ html: expect.not.stringMatching(/<b |<img|href="javascript/) });
  });
});

describe('the place of a fault in JSON', () => {
  it('is the first token that no JSON can have there', () => {
    forAll(60, fc.jsonValue({ maxDepth: 3 }), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value, null, 1);
      expect(jsonFault(text)).toBe(text.length);
      const tokens = [...text.matchAll(/[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/g)];
      const { index } = tokens[cut % tokens.length]!;
      expect(jsonFault(`${text.slice(0, index)} ? ${text.slice(index)}`)).toBe(index + 1);
    });
  });
});

describe('the link to a file', () => {
  it('opens its first section, keeps the file while sections turn, and leaves other tours alone', () => {
    expect(parseTourLink('#tour-file=talks/mine.md')).toEqual({ tour: 'own', section: 0, file: 'talks/mine.md' });
    const turned = withTourLink('#tour-file=talks/mine.md', { tour: 'own', section: 2 });
    expect(parseTourLink(turned)).toEqual({ tour: 'own', section: 2, file: 'talks/mine.md' });
    expect(parseTourLink(withTourLink(turned, { tour: 'foda', section: 1 }))).toEqual({ tour: 'foda', section: 1 });
    expect(parseTourLink('#tour-file=')).toBeNull();
  });
});
