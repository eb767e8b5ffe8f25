import MarkdownIt from 'markdown-it';
import { namesIn } from '../src/tours/expression.ts';
import type { Part, QuizPart, SceneData, ScenePart, Section, Tour, TourHead } from '../src/tours/tour.ts';
import { renderFormula } from '../vite-formulas.ts';

/**
 * A tour from its Markdown: front matter (`title`, `source`, `minutes`), data that several scenes share (a fenced `data` block), a section for each `## heading`, and in it text with `$formulas$`,
 * scenes (fenced `scene` blocks of JSON, members as in `ScenePart`), buttons that open a table (`open` blocks: their words) and questions (fenced
 * `quiz` blocks: `kind`, `question`, `answer`, `within`, `step`, `holds`, `explain`, and of choices a line `- [expression] text` each; `x` is always right and a blank never).
 * @param id the file's name without `.md`. @throws Error with the file and the heading for what is not understood.
 */
export function compileTour(id: string, text: string): Tour {
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  if (front === null) throw new Error(`${id}.md: expected front matter between two lines ---`);
  const fields = fieldsOf(front[1]!.split('\n'), id);
  const [before, ...chapters] = text.slice(front[0].length).split(/^## /m);
  const shared = sharedData(before!, id);
  const sections = chapters.map((chapter) => sectionOf(chapter, id, shared));
  const required = (field: string) => {
    if (fields[field] === undefined) throw new Error(`${id}.md: expected ${field} in the front matter`);
    return fields[field];
  };
  return {
    id,
    title: inline(required('title')),
    source: inline(required('source')),
    minutes: Number(required('minutes')),
    headings: sections.map(({ heading }) => heading),
    sections,
  };
}

export function headOf({ id, title, source, minutes, headings }: Tour): TourHead {
  return { id, title, source, minutes, headings };
}

const markdown = new MarkdownIt({ html: false, typographer: false });

type SharedData = Readonly<Record<string, SceneData>>;

/** What stands before the first heading: nothing, or a fenced `data` block, JSON of data by the names that scenes call them. */
function sharedData(text: string, id: string): SharedData {
  if (text.trim() === '') return {};
  const block = /^```data\n([\s\S]*?)^```\s*$/m.exec(text.trim());
  if (block === null) throw new Error(`${id}.md: expected nothing but data before the first ## heading`);
  return parseJson(block[1]!, `${id}.md, data`);
}

function parseJson<T>(json: string, place: string): T {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(`${place}: expected JSON; ${(error as Error).message}`);
  }
}

function sectionOf(chapter: string, id: string, shared: SharedData): Section {
  const end = chapter.indexOf('\n');
  const heading = chapter.slice(0, end).trim();
  const place = `${id}.md, “${heading}”`;
  const parts: Part[] = [];
  // Fences split the text: every second and third piece is a kind and its block.
  const pieces = chapter.slice(end).split(/^```(scene|quiz|open)\n([\s\S]*?)^```\n?/m);
  for (let k = 0; k < pieces.length; k += 3) {
    if (pieces[k]!.trim() !== '') parts.push({ kind: 'text', html: byPointer(block(pieces[k]!)) });
    if (pieces[k + 1] === 'scene') parts.push(sceneOf(pieces[k + 2]!, place, shared));
    if (pieces[k + 1] === 'open') parts.push({ kind: 'open', title: pieces[k + 2]!.trim() });
    if (pieces[k + 1] === 'quiz') parts.push(quizOf(pieces[k + 2]!, place));
  }
  return { heading, parts };
}

/** Writes `[click|tap]` as two words, of which the page shows the one for a mouse or the one for fingers. */
function byPointer(html: string): string {
  return html.replace(
    /\[([^[\]|<]+)\|([^[\]|<]+)\]/g,
    '<span class="by-mouse">$1</span><span class="by-touch">$2</span>',
  );
}

/** A scene as it is written: what is left out has a default, and data may be called by name. */
type WrittenScene = Partial<Omit<ScenePart, 'claims' | 'data'>> & {
  readonly data?: SceneData | string;
  readonly claims?: Readonly<Record<string, string>>;
};

function sceneOf(json: string, place: string, shared: SharedData): ScenePart {
  const written = parseJson<WrittenScene>(json, place);
  const { name = 'scene', title = 'Show me', algorithm = {}, step = 'end' } = written;
  const {
    views = ['proof', 'weights'],
    sight = 'view',
    choices = {},
    layers = {},
    selected = null,
    claims = {},
  } = written;
  const data = typeof written.data === 'string' ? shared[written.data] : written.data;
  if (data === undefined) throw new Error(`${place}: expected data in a scene; got ${written.data}`);
  return {
    kind: 'scene',
    name,
    title,
    data,
    algorithm,
    step,
    views,
    sight,
    choices,
    layers,
    selected,
    claims: Object.entries(claims).map(([words, expression]) => {
      checkExpression(expression, place);
      return { html: inline(words), expression };
    }),
  };
}

function quizOf(text: string, place: string): QuizPart {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const fields = fieldsOf(
    lines.filter((line) => !line.startsWith('- [')),
    place,
  );
  const options = lines
    .filter((line) => line.startsWith('- ['))
    .map((line) => {
      const option = /^- \[(.*?)\](?= ) (.*)$/.exec(line);
      if (option === null) throw new Error(`${place}: expected “- [ ] text”; got “${line}”`);
      const [, when, words] = option as unknown as [string, string, string];
      const right = when === 'x' ? '1' : when.trim() === '' ? '0' : when;
      checkExpression(right, place);
      return { html: inline(words), right };
    });
  const { kind, question, answer, within = '0', step = 'end', holds = null, explain } = fields;
  if (question === undefined || explain === undefined)
    throw new Error(`${place}: expected a question and explain in a quiz`);
  const common = { question: inline(question), explanation: inline(explain) };
  if (kind === 'choice') {
    if (options.length < 2) throw new Error(`${place}: expected two options or more`);
    return { kind, ...common, options };
  }
  if (kind !== 'number' && kind !== 'predict')
    throw new Error(`${place}: expected choice, number or predict; got ${kind}`);
  if (answer === undefined) throw new Error(`${place}: expected an answer`);
  checkExpression(answer, place);
  if (holds !== null) checkExpression(holds, place);
  if (holds === null && /\d/.test(`${question}${explain}`.replace(/[_^]\{?\d|\^\d|\\mathbf ?\{?\d/g, '')))
    throw new Error(`${place}: expected holds for the numbers of a quiz, such as “holds: bias = -11”`);
  return { kind, ...common, answer, step, within: Number(within), holds };
}

/** `name: text`, further lines indented. */
function fieldsOf(lines: readonly string[], place: string): Record<string, string> {
  const fields: Record<string, string> = {};
  let last: string | null = null;
  for (const line of lines) {
    const field = /^(\w+): (.*)$/.exec(line);
    if (field !== null) {
      last = field[1]!;
      fields[last] = field[2]!;
    } else if (last !== null && line.startsWith('  ')) fields[last] += ` ${line.trim()}`;
    else if (line.trim() !== '') throw new Error(`${place}: expected “name: text”; got “${line}”`);
  }
  return fields;
}

function checkExpression(expression: string, place: string): void {
  try {
    namesIn(expression);
  } catch (error) {
    throw new Error(`${place}: “${expression}”: ${(error as Error).message}`);
  }
}

const block = (text: string): string => withFormulas(text, (rest) => markdown.render(rest));
const inline = (text: string): string => withFormulas(text, (rest) => markdown.renderInline(rest));

/** Formulas are set apart first, so that Markdown does not read their _ and *. */
function withFormulas(text: string, render: (text: string) => string): string {
  const formulas: string[] = [];
  const rest = text.replace(/\$\$([^$]+)\$\$|\$([^$]+)\$/g, (_, display?: string, within?: string) => {
    formulas.push(renderFormula((display ?? within)!.trim(), display !== undefined));
    return `\uE000${formulas.length - 1}\uE001`;
  });
  return render(rest).replace(/\uE000(\d+)\uE001/g, (_, k) => formulas[Number(k)]!);
}
