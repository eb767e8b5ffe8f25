import { expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { type Question, questionsOf, toGift, toPrintPage } from '../../src/tours/questions.ts';
import type { Tour } from '../../src/tours/tour.ts';

/** Splits at a sign that no backslash escapes. */
const split = (text: string, at: RegExp) => text.split(new RegExp(String.raw`(?<=(?<!\\)(?:\\\\)*)${at.source}`));
const plain = (text: string) => text.replace(/\\(.)/g, '$1').trim();

/** Reads GIFT as its description says: an independent reader of what is written. */
function readGift(text: string) {
  return text
    .split('\n\n')
    .slice(1)
    .map((block) => {
      const [, , title, rest] = /^(::)((?:[^\\]|\\.)*?)::\[html\]([\s\S]*)$/.exec(block)! as unknown as string[];
      const [question, body] = split(rest!, /\{/) as [string, string];
      const [answers, feedback] = split(split(body, /\}/)[0]!, /####/) as [string, string];
      const number = /^\n#(.*):(.*)\n$/.exec(answers);
      const options = number === null ? split(answers.trim(), /(?=[=~])/).filter((each) => each !== '') : [];
      return {
        title: plain(title!),
        question: plain(question),
        explanation: plain(feedback),
        number: number === null ? null : number.slice(1).map(Number),
        options: options.map((each) => {
          const share = /^~%(-?[\d.]+)%/.exec(each);
          const right = each.startsWith('=') || Number(share?.[1] ?? 0) > 0;
          return { html: plain(share === null ? each.slice(1) : each.slice(share[0].length)), right };
        }),
      };
    });
}

const words = fc.stringMatching(/^[a-z~=#{}:\\<>"$1-9]([a-z~=#{}:\\<>"$1-9 ]{0,12}[a-z~=#{}:\\<>"$1-9])?$/);
const question: fc.Arbitrary<Question> = fc.record({
  heading: fc.constantFrom('One', 'Two & three'),
  question: words,
  explanation: words,
  section: fc.nat(9),
  answer: fc.oneof(
    fc.record({
      options: fc
        .array(fc.record({ html: words, right: fc.boolean() }), { minLength: 2, maxLength: 4 })
        .filter((options) => options.some(({ right }) => right)),
    }),
    fc.record({ value: fc.double({ noNaN: true, min: -1e6, max: 1e6 }), within: fc.constantFrom(0, 0.01) }),
  ),
});

test('another reader of GIFT finds the questions and answers again', () => {
  forAll(fc.array(question, { minLength: 1, maxLength: 3 }), (questions) => {
    const found = readGift(toGift({ id: 'mine', title: 'A <i>tour</i>' }, questions, 'https://lab.example/'));
    expect(found.length).toBe(questions.length);
    const alone = readGift(toGift({ id: 'mine', title: 'A tour' }, questions, null));
    alone.forEach((each, k) => {
      const { heading, question: asked } = questions[k]!;
      expect(each.question).toBe(`<p>${heading.replace('&', '&amp;')}</p>${asked}`);
    });
    found.forEach((each, k) => {
      const { heading, section, answer, question: asked, explanation } = questions[k]!;
      expect(each.title).toBe(`A tour ${k + 1}`);
      const link = `<p><a href="https://lab.example/#tour=mine/${section + 1}">${heading.replace('&', '&amp;')}</a></p>`;
      expect(each.question).toBe(link + asked);
      expect(each.explanation).toBe(explanation);
      if ('options' in answer) expect(each.options).toEqual(answer.options);
      else {
        const [value, within] = each.number!;
        expect(Math.abs(value! - answer.value)).toBeLessThanOrEqual(within!);
        expect(within).toBeGreaterThanOrEqual(answer.within);
      }
    });
  });
});

test('answers are those of the scenes, and an unknown one is no answer', async () => {
  const choice = { kind: 'choice', question: 'q', options: ['a', 'b'].map((html) => ({ html, right: '0' })) };
  const parts = [
    { kind: 'text', html: '' },
    { ...choice, explanation: 'e' },
  ];
  const tour = { sections: [{ heading: 'One', parts }] } as unknown as Tour;
  const questions = await questionsOf(
    tour,
    async () => [{ value: 0 }, { value: 1 }],
    (html) => `${html}!`,
  );
  expect(questions[0]!.answer).toEqual({
    options: [
      { html: 'a!', right: false },
      { html: 'b!', right: true },
    ],
  });
  const page = toPrintPage({ title: 'T' }, questions);
  const [asked, told] = page.split('<h2>Answers</h2>') as [string, string];
  expect(asked).not.toContain('☒');
  expect(told).toContain('☒ b!');
  await expect(questionsOf(tour, async () => [{ value: Number.NaN }], String)).rejects.toThrow(/“One” could not/);
});
