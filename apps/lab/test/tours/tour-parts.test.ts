import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { compileTour } from '../../scripts/compile-tour.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { evaluate, formatNumber, namesIn } from '../../src/tours/expression.ts';
import { effectOf, findStep } from '../../src/tours/find-step.ts';
import { Measure } from '../../src/tours/measure.ts';
import { loadProgress, saveProgress, withSection } from '../../src/tours/progress.ts';
import { quantities } from '../../src/tours/quantities.ts';
import { makeClouds } from '../../src/tours/scene.ts';
import { type SlidePlace, slideFrom } from '../../src/tours/slides.ts';
import type { ScenePart } from '../../src/tours/tour.ts';
import { parseTourLink, withTourLink } from '../../src/tours/tour-link.ts';

const lookup = (name: string, index: number | null, scene: string | null) =>
  ({ seven: 7, none: Number.NaN, half: 0.5 })[name] ?? (scene === 'other' ? 100 : 0) + (index ?? 0);

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3 = 7', 1, ''],
    ['seven <= 52', 1, '7 ≤ 52'],
    ['-seven < 0', 1, '−7 < 0'],
    ['(seven - 1) / 2 = seven', 0, '3 = 7'],
    ['half * 2 = other.updates - 99', 1, '1'],
    ['other.score[3] > 102', 1, '103 > 102'],
    ['seven = 7 and 2 > 3', 0, '2 > 3'],
    ['0.1 + 0.2 = 0.3', 1, ''],
    ['none > 1', Number.NaN, '… > 1'],
    ['seven', 7, '7'],
  ])('%s is %s, in words “%s”', (expression, value, text) => {
    expect(evaluate(expression, lookup)).toEqual({ value, text });
  });

  it('agrees with JavaScript on sums of products', () => {
    const number = fc.integer({ min: 0, max: 99 });
    forAll(number, number, number, number, (a, b, c, d) => {
      expect(evaluate(`${a} + ${b} * ${c} - ${d}`, lookup).value).toBe(a + b * c - d);
    });
  });

  it.each(['', '1 +', '(1', '1 2', 'a[1', '?', '= 1'])('“%s” is refused', (expression) => {
    expect(() => evaluate(expression, lookup)).toThrow(/expected/);
  });

  it('names what it needs', () => {
    expect(namesIn('updates < mixed.updates and score[2] > 0')).toEqual(['updates', 'mixed.updates', 'score']);
  });

  it('writes numbers as people read them', () => {
    expect([1234.5678, -0.35979, 0, 1e-14, 1e9 + 0.5, Infinity].map(formatNumber)).toEqual(
      '1,235 −0.3598 0 0 1.00·10^9 ∞'.split(' '),
    );
  });
});

const sceneOf = (scene: Partial<ScenePart>): ScenePart => ({
  kind: 'scene',
  name: 'scene',
  title: '',
  data: { points: [] },
  algorithm: {},
  step: 'end',
  space: 'coordinate',
  views: ['proof', 'weights'],
  sight: 'view',
  choices: {},
  layers: {},
  selected: null,
  claims: [],
  ...scene,
});

describe('steps by their names', async () => {
  const measure = new Measure(new LocalEngine());
  const { recording, examples } = await measure.factsOf(
    sceneOf({ data: { clouds: { each: 15, distance: 3, deviation: 0.8, seed: 3, middle: [2, 2] } } }),
  );

  it('are numbers, updates and ends of passes', () => {
    expect(findStep(3, recording, examples)).toBe(3);
    expect(findStep(recording.steps + 1, recording, examples)).toBeNull();
    expect(findStep('start', recording, examples)).toBe(0);
    expect(findStep('end', recording, examples)).toBe(recording.steps);
    expect(findStep('update 2', recording, examples)).toBe(recording.updates[1]);
    expect(findStep('update 99999', recording, examples)).toBeNull();
    expect(findStep('pass 1', recording, examples)).toBe(examples.rows);
    expect(findStep(`pass ${recording.passes.length}`, recording, examples)).toBe(recording.steps);
    expect(() => findStep('somewhere', recording, examples)).toThrow('expected a step');
  });

  it('find the first update with an effect, and none before it has it', () => {
    const step = findStep('first still wrong that breaks', recording, examples)!;
    for (const update of recording.updates) {
      const { right, broken } = effectOf(update, recording, examples);
      if (update < step) expect(right || broken.length === 0).toBe(true);
      if (update === step) expect([right, broken.length > 0]).toEqual([false, true]);
    }
  });
});

describe('quantities', () => {
  it('hold for random data what the lectures prove', async () => {
    const measure = new Measure(new LocalEngine());
    for (let seed = 1; seed <= 8; seed++) {
      const as = (['lecture-9', 'cs4780', 'blog', 'slides'] as const)[seed % 4];
      const facts = await measure.factsOf(
        sceneOf({
          data: { clouds: { each: 8, distance: 4, deviation: 0.5, seed, middle: [1, 2] } },
          algorithm: { as, seed },
          step: 'update 1',
        }),
      );
      const of = (name: string, index = 0) => quantities[name]!(facts, index);
      expect(of('separable')).toBe(1);
      expect(of('after') - of('before')).toBeCloseTo(of('gain'), 10);
      expect(of('leastprogress')).toBeGreaterThan(of('margin') * (1 - 1e-9));
      expect(of('mostgrowth')).toBeLessThan(of('radius') ** 2 * (1 + 1e-9));
      expect(of('updates')).toBeLessThanOrEqual(of('bound'));
      expect(of('dualgap')).toBeLessThan(1e-9);
    }
  });

  it('tell through the origin from elsewhere as the angles do', async () => {
    const measure = new Measure(new LocalEngine());
    const of = async (points: [number, number, number][]) =>
      quantities.throughorigin!(await measure.factsOf(sceneOf({ data: { points } })), 0);
    const sets: [number, [number, number, number][]][] = [
      [
        1,
        [
          [1, 0.1, 1],
          [-1, 0.1, -1],
        ],
      ],
      [
        0,
        [
          [1, 1, 1],
          [2, 2, -1],
        ],
      ],
      [
        0,
        [
          [1, 0, 1],
          [1, 0, -1],
          [0, 1, 1],
        ],
      ],
      [
        0,
        [
          [0, 0, 1],
          [1, 0, -1],
        ],
      ],
      [
        1,
        [
          [1, 0, 1],
          [0, 1, 1],
          [-1, 0.5, -1],
        ],
      ],
    ];
    for (const [is, points] of sets) expect(await of(points), JSON.stringify(points)).toBe(is);
  });
});

it('all positives first takes more passes than taking turns or shuffling, on the mean of forty such clouds', async () => {
  const measure = new Measure(new LocalEngine());
  const means = { blocks: 0, turns: 0, shuffled: 0 };
  for (let seed = 1; seed <= 40; seed++) {
    const clouds = { each: 15, distance: 3.4, deviation: 0.6, seed, middle: [4, 4] as const };
    const blocks = { clouds: { ...clouds, order: 'positives-first' as const } };
    const passes = async (scene: Partial<ScenePart>) =>
      (await measure.factsOf(sceneOf(scene))).recording.report.passes / 40;
    means.blocks += await passes({ data: blocks });
    means.turns += await passes({ data: { clouds } });
    means.shuffled += await passes({ data: blocks, algorithm: { order: 'shuffled', seed } });
  }
  expect(means.blocks).toBeGreaterThan(4 * means.turns);
  expect(means.blocks).toBeGreaterThan(4 * means.shuffled);
});

describe('clouds', () => {
  it('are the same for the same seed, others for another, and of both classes alike', () => {
    const clouds = { each: 20, distance: 3, deviation: 1, seed: 5 };
    expect(makeClouds(clouds, 'a')).toEqual(makeClouds(clouds, 'a'));
    expect(makeClouds(clouds, 'a')).not.toEqual(makeClouds({ ...clouds, seed: 6 }, 'a'));
    const made = makeClouds(clouds, 'a');
    if (made.kind !== 'points') throw new Error('expected points');
    expect(made.points.filter(({ label }) => label > 0)).toHaveLength(20);
    expect(made.points.every(({ x, y }) => Math.abs(x) < 9 && Math.abs(y) < 9)).toBe(true);
  });
});

describe('a link into a tour', () => {
  it('comes back as it was', () => {
    forAll(fc.constantFrom('lecture-9', 'blog'), fc.nat(30), (tour, section) => {
      expect(parseTourLink(withTourLink('#lab=1', { tour, section }))).toEqual({ tour, section });
    });
  });

  it('leaves everything else in a hash', () => {
    expect(withTourLink('#x=1&tour=blog/2&y=2', { tour: 'foda', section: 0 })).toBe('#tour=foda/1&x=1&y=2');
    expect(withTourLink('#x=1&tour=blog/2', null)).toBe('#x=1');
    expect(withTourLink('#tour=blog/2', null)).toBe('');
    expect(withTourLink('#/present/blog/2&x=1', null)).toBe('#x=1');
    expect(parseTourLink('#/present/xor')).toEqual({ tour: 'xor', section: 0, presented: true });
    expect(withTourLink('#tour=xor/1', { tour: 'xor', section: 2, presented: true })).toBe('#/present/xor/3');
  });

  it('stands beside what else a hash says, and is absent where it is not said', () => {
    expect(parseTourLink('#x=1&tour=blog/2')).toEqual({ tour: 'blog', section: 1 });
    expect(parseTourLink('#tour=blog/none')).toEqual({ tour: 'blog', section: 0 });
    expect(parseTourLink('#tour=blog/-3')).toEqual({ tour: 'blog', section: 0 });
    expect([parseTourLink(''), parseTourLink('#lab=1.abc'), parseTourLink('#tour=')]).toEqual([null, null, null]);
  });
});

describe('progress', () => {
  it('is kept, and what is not understood is as if nothing was', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    saveProgress(storage, withSection(withSection({}, 'blog', 3), 'blog', 1));
    expect(loadProgress(storage)).toEqual({ blog: [3, 1] });
    for (const text of ['{', 'null', '[1]', '{"blog":"x"}']) {
      kept.set('halfspace-tours', text);
      expect(loadProgress(storage)).toSatisfy((value: object) => !('blog' in value));
    }
  });
});

describe('a tour in Markdown', () => {
  const front = '---\ntitle: T\nsource: S\nminutes: 3\n---\n';
  const points = '[[1, 1, 1], [-1, -1, -1]]';

  it('is text with formulas, scenes and questions in their order', () => {
    const text = `${front}\`\`\`data\n{"two": {"points": ${points}}}\n\`\`\`\n\n## One\n\nA *word*, $x_1*y_1*z$.\n\n\`\`\`scene\n{"data": "two", "claims": {"It stops at $k$": "separated = 1"}}\n\`\`\`\n\n\`\`\`quiz\nkind: choice\nquestion: Which?\n- [x] this\n- [updates > 9] that\nexplain: So it\n  is.\n\`\`\`\n`;
    const { sections } = compileTour('t', text);
    expect(sections.map(({ heading }) => heading)).toEqual(['One']);
    const [words, scene, quiz] = sections[0]!.parts;
    expect(words).toMatchObject({ kind: 'text', html: expect.stringContaining('<em>word</em>') });
    expect((words as { html: string }).html).toContain('class="katex"');
    expect(scene).toMatchObject({ kind: 'scene', name: 'scene', step: 'end', data: { points: JSON.parse(points) } });
    expect(quiz).toMatchObject({
      kind: 'choice',
      explanation: 'So it is.',
      options: [
        { html: 'this', right: '1' },
        { html: 'that', right: 'updates > 9' },
      ],
    });
  });

  it('shows no HTML that is written in it', () => {
    const { sections } = compileTour('t', `${front}\n## One\n\n<img src=x onerror=alert(1)>\n`);
    expect((sections[0]!.parts[0] as { html: string }).html).not.toContain('<img');
  });

  it.each([
    ['no front matter', '## One\n', 'front matter'],
    ['words before a heading', `${front}words\n## One\n`, 'before the first'],
    ['a scene that is no JSON', `${front}\n## One\n\`\`\`scene\n{\n\`\`\`\n`, 't.md, line 10, “One”: expected JSON'],
    ['a scene without data', `${front}\n## One\n\`\`\`scene\n{}\n\`\`\`\n`, 'expected data'],
    ['data of no name', `${front}\n## One\n\`\`\`scene\n{"data": "three"}\n\`\`\`\n`, 'got three'],
    [
      'a claim that is no expression',
      `${front}\n## One\n\`\`\`scene\n{"data": {"points": ${points}}, "claims": {"x": "1 +"}}\n\`\`\`\n`,
      't.md, line 9, “One”: “1 +”',
    ],
    [
      'a question without an answer',
      `${front}\n## One\n\`\`\`quiz\nkind: number\nquestion: a\nexplain: b\n\`\`\`\n`,
      'answer',
    ],
    ['a formula that is wrong', `${front}\n## One\n\n$\\frac{1$\n`, 'KaTeX'],
  ])('is refused with its place for %s', (_, text, message) => {
    expect(() => compileTour('t', text)).toThrow(message);
  });
});

describe('words of a tour', () => {
  it('are two where a mouse and a finger differ', () => {
    const head = '---\ntitle: t\nsource: s\nminutes: 1\n---\n';
    const { sections } = compileTour('t', `${head}\n## One\n\n[Click|Tap] in the plane, [a link](#tour=slides).\n`);
    const [text] = sections[0]!.parts;
    expect(text).toMatchObject({
      html: expect.stringContaining(
        '<span class="by-mouse">Click</span><span class="by-touch">Tap</span> in the plane',
      ),
    });
  });
});

describe('slides', () => {
  it('are every scene once, and sections without scenes, in both directions', () => {
    forAll(fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }), (counts) => {
      const sections = counts.map((count) => ({
        heading: '',
        parts: Array.from({ length: count }, () => sceneOf({})),
      }));
      const walk = (from: SlidePlace, way: 1 | -1) => {
        const places = [from];
        for (let at = slideFrom(sections, from, way); at !== null; at = slideFrom(sections, at, way)) places.push(at);
        return places;
      };
      const all = counts.flatMap((count, section) =>
        Array.from({ length: Math.max(1, count) }, (_, scene) => ({ section, scene })),
      );
      expect(walk(all[0]!, 1)).toEqual(all);
      expect(walk(all.at(-1)!, -1)).toEqual(all.toReversed());
    });
  });
});
