import { spaces } from '../views/proof/bound.ts';
import { answersOf, dependsOnSpace } from './in-space.ts';
import { type QuizPart, type Section, spaceOfSection, type Tour } from './tour.ts';

/** A question of a tour with its answer, as HTML. */
export interface Question {
  /** Heading of its section. */
  readonly heading: string;
  readonly question: string;
  readonly explanation: string;
  /** Number of the section, from 0. */
  readonly section: number;
  readonly answer: ChoiceAnswer | NumberAnswer;
}

interface ChoiceAnswer {
  readonly options: readonly { readonly html: string; readonly right: boolean }[];
}

interface NumberAnswer {
  readonly value: number;
  /** The largest difference that still counts as right. */
  readonly within: number;
}

/**
 * Collects the questions of a tour with their answers.
 *
 * @param answersOf the right answer: the number, or 1 or 0 for each option.
 * @param simplify makes HTML that stands alone of HTML that needs the page's style sheet.
 */
export async function questionsOf(
  { sections }: Tour,
  answersOf: (quiz: QuizPart, section: Section) => Promise<readonly { readonly value: number }[]>,
  simplify: (html: string) => string,
): Promise<Question[]> {
  const found: Question[] = [];
  for (const [k, section] of sections.entries())
    for (const part of section.parts) {
      if (part.kind !== 'choice' && part.kind !== 'number' && part.kind !== 'predict') continue;
      const values = (await answersOf(part, section)).map(({ value }) => value);
      if (values.some(Number.isNaN)) throw new Error(`The answer in “${section.heading}” could not be computed.`);
      found.push({
        heading: section.heading,
        question: simplify(part.question) + spaceNote(part, section),
        explanation: simplify(part.explanation),
        section: k,
        answer:
          part.kind === 'choice'
            ? { options: part.options.map(({ html }, o) => ({ html: simplify(html), right: values[o] === 1 })) }
            : { value: values[0]!, within: part.within },
      });
    }
  return found;
}

/** Returns HTML that says how a question counts the bias; empty where its answer does not depend on it. */
function spaceNote(quiz: QuizPart, section: Section): string {
  if (!answersOf(quiz).some(dependsOnSpace)) return '';
  const { title } = spaces.find(({ id }) => id === spaceOfSection(section))!;
  return ` (${`bias ${title}`})`;
}

/**
 * Writes questions as GIFT, which Moodle and others import.
 *
 * @param lab address of the lab, for a link from each question to its scene; null: students cannot reach it, so there
 *   are no links.
 * @see https://docs.moodle.org/en/GIFT_format
 */
export function toGift(
  { id, title }: Pick<Tour, 'id' | 'title'>,
  questions: readonly Question[],
  lab: string | null,
): string {
  const blocks = questions.map(({ heading, question, explanation, section, answer }, k) => {
    const link = lab === null ? encoded(heading) : `<a href="${lab}#tour=${id}/${section + 1}">${encoded(heading)}</a>`;
    const scene = `<p>${link}</p>`;
    return `::${escaped(`${textOf(title)} ${k + 1}`)}::[html]${escaped(scene + question)} {\n${giftAnswer(answer)}####${escaped(explanation)}\n}\n`;
  });
  return `// ${textOf(title)}\n\n${blocks.join('\n')}`;
}

function giftAnswer(answer: Question['answer']): string {
  if ('value' in answer)
    return `#${plainNumber(answer.value)}:${plainNumber(Math.max(answer.within, tolerance(answer.value)))}\n`;
  const rights = answer.options.filter(({ right }) => right).length;
  // With several right options the points are shared, and each wrong one costs all of them.
  const mark = (right: boolean) =>
    rights === 1 ? (right ? '=' : '~') : right ? `~%${Number((100 / rights).toFixed(5))}%` : '~%-100%';
  return answer.options.map(({ html, right }) => `${mark(right)}${escaped(html)}\n`).join('');
}

/** Escapes the signs that GIFT gives a meaning. */
function escaped(html: string): string {
  return html.replace(/\s*\n\s*/g, ' ').replace(/[\\~=#{}:]/g, '\\$&');
}

/** The rounding of a number that is written in twelve digits. */
function tolerance(value: number): number {
  return Number.isInteger(value) ? 0 : Math.max(1e-12, Math.abs(value) * 1e-9);
}

/** Writes a number of the lab without an exponent: not all readers of GIFT know one. */
function plainNumber(value: number): string {
  const text = String(Number(value.toPrecision(12)));
  return text.includes('e') ? value.toFixed(12).replace(/\.?0+$/, '') : text;
}

/** Writes questions as a page to print: the questions, and on another sheet the answers. */
export function toPrintPage({ title }: Pick<Tour, 'title'>, questions: readonly Question[]): string {
  const asked = questions.map(({ question, answer }) => {
    const space = 'value' in answer ? '<p class="blank"></p>' : optionsOf(answer, () => '☐');
    return `<li>${question}${space}</li>`;
  });
  const told = questions.map(({ explanation, answer }) => {
    const right =
      'value' in answer ? `<p><strong>${plainNumber(answer.value)}</strong></p>` : optionsOf(answer, markOf);
    return `<li>${right}<p>${explanation}</p></li>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${textOf(title)}</title>
<style>
body { font: 12pt/1.5 serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
li { margin: 0 0 1.2rem; break-inside: avoid; }
ul { list-style: none; padding: 0; }
ul li { margin: 0.2rem 0; }
.blank { border-bottom: 1px solid; width: 8rem; height: 2rem; }
.answers { break-before: page; }
</style>
<main>
<h1>${title}</h1>
<ol>${asked.join('\n')}</ol>
<section class="answers"><h2>Answers</h2>
<ol>${told.join('\n')}</ol></section>
</main>
</html>
`;
}

const markOf = (right: boolean) => (right ? '☒' : '☐');

function optionsOf({ options }: ChoiceAnswer, mark: (right: boolean) => string): string {
  return `<ul>${options.map(({ html, right }) => `<li>${mark(right)} ${html}</li>`).join('')}</ul>`;
}

/** Returns the words of HTML. */
function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '');
}

function encoded(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Returns HTML with the formulas as MathML alone, which needs no style sheet and no fonts of ours. */
export function withMathMl(html: string): string {
  const { content } = Object.assign(document.createElement('template'), { innerHTML: html });
  for (const formula of content.querySelectorAll('.katex')) formula.replaceWith(formula.querySelector('math')!);
  const whole = document.createElement('div');
  whole.append(content);
  return whole.innerHTML;
}
