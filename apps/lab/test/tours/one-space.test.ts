import { describe, expect, it } from 'vitest';
import { compileTour } from '../../scripts/compile-tour.ts';
import type { Algorithm } from '../../src/algorithm/algorithm.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { captioned, captionOf, frameAbove } from '../../src/export/caption.ts';
import { pictureToSvg } from '../../src/export/svg.ts';
import { decodeLink, encodeLink } from '../../src/state/link.ts';
import { Measure } from '../../src/tours/measure.ts';
import { ofSpace } from '../../src/tours/quantities.ts';
import { type Question, questionsOf, toGift } from '../../src/tours/questions.ts';
import { datasetOf } from '../../src/tours/scene.ts';
import { scenesOf, type Tour } from '../../src/tours/tour.ts';
import { endText } from '../../src/views/end-text.ts';
import { plane } from '../../src/views/plane/plane.ts';
import { proof } from '../../src/views/proof/proof.ts';
import { verdictText } from '../../src/views/verdict-text.ts';
import type { Scene } from '../../src/views/view.ts';
import { sceneOf } from '../support/make-scene.ts';

const frame = { width: 700, height: 500, text: 14 };
const data: Readonly<Record<string, string>> = {
  'two clouds': '{"preset": "separable"}',
  'a narrow gap': '{"preset": "barely-separable"}',
  'one feature': '{"line": [[2, 1], [3.5, 1], [0.5, -1], [-1, -1]]}',
  'four points': '{"points": [[2, 1, 1], [3, 2.5, 1], [0.5, -1, -1], [1, 0.25, -1]]}',
};
const algorithms: readonly Partial<Algorithm>[] = [{ as: 'blog' }, { as: 'cs4780' }, { as: 'foda' }];
const cases = Object.keys(data).flatMap((name) =>
  algorithms.flatMap((algorithm) =>
    (['coordinate', 'apart'] as const).map((space) => ({ name, algorithm, as: algorithm.as, space })),
  ),
);

/** A tour that asks for R, γ and the bound, and states that the run keeps to the bound. */
const tourOf = (name: string, algorithm: Partial<Algorithm>, space: string): Tour =>
  compileTour(
    'mine',
    `---\ntitle: Mine\nsource: me\nminutes: 1\nbias: ${space}\n---\n\n## One\n\n` +
      `\`\`\`scene\n{"data": ${data[name]}, "algorithm": ${JSON.stringify({ ...algorithm, passes: 2000 })}, "claims": ${JSON.stringify(
        { proof: 'updates <= bound and leastprogress >= margin and cosine <= 1 and length > 0' },
      )}}\n\`\`\`\n\n` +
      ['radius', 'margin', 'bound', 'updates']
        .map((answer) => `\`\`\`quiz\nkind: number\nquestion: Which?\nanswer: ${answer}\nexplain: So.\n\`\`\`\n`)
        .join('\n'),
  );

const numberIn = (text: string): number =>
  Number(text.replaceAll(',', '').replace(/·10.*$/, (power) => `e${[...power.slice(3)].map(plainDigit).join('')}`));
const plainDigit = (raised: string) => (raised === '⁻' ? '-' : String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(raised)));
const found = (text: string, pattern: RegExp): string => {
  const match = pattern.exec(text)?.[1];
  if (match === undefined) throw new Error(`expected ${pattern} in “${text}”`);
  return match;
};
/** The value of a question, and of a number as it is written with some digits, to one unit of the last one. */
function expectWritten(value: number, written: string): void {
  const unit = 10 ** -(/\.(\d+)/.exec(written)?.[1]?.length ?? 0);
  expect(Math.abs(value - numberIn(written)), `${value} as ${written}`).toBeLessThanOrEqual(unit * (1 + 1e-9));
}

describe.each(cases)('$name, $as, bias $space', ({ name, algorithm, space }) => {
  it('has one R, one γ and one bound in plane, verdict, proof, questions and exports', async () => {
    const tour = tourOf(name, algorithm, space);
    const [section] = tour.sections as [Tour['sections'][number]];
    const [written] = scenesOf(section);
    const measure = new Measure(new LocalEngine());
    expect((await measure.evaluate(written!.claims[0]!.expression, section)).value).toBe(1);
    const answers = async (quiz: Parameters<Parameters<typeof questionsOf>[1]>[0]) =>
      quiz.kind === 'choice' ? [] : [await measure.evaluate(quiz.answer, section)];
    const questions = await questionsOf(tour, answers, (html) => html);
    const [radius, margin, bound, updates] = questions.map(({ answer }) => (answer as { value: number }).value);

    const run = await sceneOf(await datasetOf(written!.data), { algorithm: { ...algorithm, passes: 2000 } });
    const scene: Scene = { ...run, look: { ...run.look, space: written!.space, layers: { radius: true } } };
    const verdict = verdictText(scene.verdict!, scene);
    const R = found(verdict.numbers!, /R = ([^,;]+), /);
    expectWritten(radius!, R);
    expectWritten(margin!, found(verdict.numbers!, /γ = ([^,;]+), /));
    const mark = plane.draw(scene, frame).marks.find(({ id }) => id === 'radius name');
    expect(mark?.kind === 'text' ? mark.text : '').toMatch(new RegExp(`= ${R.replace('.', '\\.')}$`));
    const drawn = captioned(proof.draw(scene, frameAbove(frame)), frame, captionOf(proof, scene));
    const svg = pictureToSvg(drawn, 'light', proof.describe(scene));
    const allowed = `at most ${bound!.toLocaleString('en')} update`;
    for (const words of [verdict.text, proof.describe(scene), endText(scene)!.text, svg])
      expect(words).toContain(allowed);
    expect(verdict.text).toContain(`this run made ${updates!.toLocaleString('en')}.`);

    const title = space === 'apart' ? 'bias apart' : 'bias as a coordinate';
    expect(svg).toContain(title);
    // The number of updates is the same wherever the bias counts.
    const says = (asked: Question) => asked.question.includes(`(${title})`);
    expect(questions.map(says)).toEqual([true, true, true, false]);
    expect(toGift(tour, questions, '').split(title)).toHaveLength(4);
    const { dataset, look } = scene;
    const link = await encodeLink({
      version: 1,
      dataset,
      algorithm: scene.algorithm,
      step: 0,
      shown: ['proof', 'step'],
      look,
    });
    expect((await decodeLink(link)).look.space).toBe(space === 'apart' ? 'apart' : undefined);
  });
});

it('the two spaces differ on the same run, so that no place can show the other one unseen', async () => {
  // The bound may be the same: the theorem's inequality apart is that of the coordinate with another separator.
  const names = ofSpace.filter((name) => name !== 'bound');
  const [coordinate, apart] = await Promise.all(
    ['coordinate', 'apart'].map((space) => {
      const [section] = tourOf('two clouds', { as: 'blog' }, space).sections;
      const measure = new Measure(new LocalEngine());
      return Promise.all(names.map(async (name) => (await measure.evaluate(name, section!)).value));
    }),
  );
  for (const [k, name] of names.entries()) expect(apart![k], name).not.toBe(coordinate![k]);
});
