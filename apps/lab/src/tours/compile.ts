import MarkdownIt from 'markdown-it';
import { namesIn } from './expression.ts';
import { jsonFault } from './json-fault.ts';
import type { Part, QuizPart, SceneData, ScenePart, Section, Tour } from './tour.ts';

/** Sets a formula of TeX as HTML. @throws Error for a formula that is wrong. */
export type Typeset = (tex: string, display: boolean) => string;

/** Properties that all parts of a file share. */
interface Source {
  readonly file: string;
  readonly typeset: Typeset;
}

/** A place in a file, for messages: `tour.md, line 12, “Why it must stop”`. */
type Place = (line: number) => string;

/**
 * Compiles a tour from its Markdown: front matter (`title`, `source`, `minutes`), data that several scenes share (a
 * fenced `data` block), a section for each `## heading`, and in it text with `$formulas$`, scenes (fenced `scene`
 * blocks of JSON, members as in `ScenePart`), buttons that open a table (`open` blocks: their words) and questions
 * (fenced `quiz` blocks: `kind`, `question`, `answer`, `within`, `step`, `holds`, `explain`, and of choices a line
 * `- [expression] text` each; `x` is always right and a blank never).
 *
 * @param file its name, for messages. @throws Error with the file, the line and the heading for what is not understood.
 */
export function compileTour(file: string, id: string, given: string, typeset: Typeset): Tour {
  const text = given.replaceAll('\r\n', '\n');
  const source: Source = { file, typeset };
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  if (front === null) throw new Error(`${file}, line 1: expected front matter between two lines ---`);
  const at: Place = (line) => `${file}, line ${line}`;
  const fields = fieldsOf(front[1]!.split('\n'), (k) => at(2 + k));
  const [before, ...chapters] = text.slice(front[0].length).split(/^## /m);
  const afterFront = linesIn(front[0]) + 1;
  const shared = sharedData(before!, (line) => at(afterFront + line));
  let line = afterFront + linesIn(before!);
  const sections = chapters.map((chapter) => {
    const section = sectionOf(chapter, line, source, shared);
    line += linesIn(chapter);
    return section;
  });
  if (sections.length === 0) throw new Error(`${at(line)}: expected a section, which begins with ## and its heading`);
  const required = (field: string) => {
    if (fields[field] === undefined) throw new Error(`${at(1)}: expected ${field} in the front matter`);
    return fields[field];
  };
  const minutes = Number(required('minutes'));
  if (!(minutes > 0)) throw new Error(`${at(1)}: expected minutes to be a number above 0; got ${fields.minutes}`);
  return {
    id,
    title: inline(required('title'), at(1), source),
    source: inline(required('source'), at(1), source),
    minutes,
    headings: sections.map(({ heading }) => heading),
    sections,
  };
}

const linesIn = (text: string): number => text.split('\n').length - 1;

const markdown = new MarkdownIt({ html: false, typographer: false });
// Pages of the lab ask no other machine for anything.
markdown.disable('image');

type SharedData = Readonly<Record<string, SceneData>>;

/**
 * Reads what stands before the first heading: nothing, or a fenced `data` block, JSON of data by the names that scenes
 * call them.
 */
function sharedData(text: string, at: Place): SharedData {
  if (text.trim() === '') return {};
  const block = /^```data\n([\s\S]*?)^```\s*$/m.exec(text.trim());
  if (block === null) throw new Error(`${at(0)}: expected nothing but data before the first ## heading`);
  const first = linesIn(text.slice(0, text.indexOf('```data'))) + 1;
  return parseJson(block[1]!, (line) => `${at(first + line)}, data`);
}

function parseJson<T>(json: string, at: Place): T {
  try {
    return JSON.parse(json);
  } catch (error) {
    const line = linesIn(json.slice(0, jsonFault(json)));
    throw new Error(`${at(line)}: expected JSON; ${(error as Error).message}`);
  }
}

function sectionOf(chapter: string, first: number, source: Source, shared: SharedData): Section {
  const end = chapter.indexOf('\n') < 0 ? chapter.length : chapter.indexOf('\n');
  const heading = chapter.slice(0, end).trim();
  const at: Place = (line) => `${source.file}, line ${line}, “${heading}”`;
  const lineOf = (index: number) => first + linesIn(chapter.slice(0, index));
  const parts: Part[] = [];
  const addText = (from: number, to: number) => {
    const words = chapter.slice(from, to);
    // A paragraph's formula is told by the line where the words between two blocks begin.
    if (words.trim() !== '')
      parts.push({ kind: 'text', html: byPointer(block(words, at(lineOf(from + words.search(/\S/))), source)) });
  };
  let last = end;
  for (const found of chapter.matchAll(/^```(scene|quiz|open)\n([\s\S]*?)^```\n?/gm)) {
    const [whole, kind, content] = found as unknown as [string, string, string];
    addText(last, found.index);
    last = found.index + whole.length;
    const inside: Place = (line) => at(lineOf(found.index) + 1 + line);
    if (kind === 'scene') parts.push(sceneOf(content, inside, source, shared));
    else if (kind === 'open') parts.push({ kind: 'open', title: content.trim() });
    else parts.push(quizOf(content, inside, source));
  }
  addText(last, chapter.length);
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

/** Names of the members of a scene. */
const members = [
  'name',
  'title',
  'data',
  'algorithm',
  'step',
  'views',
  'sight',
  'choices',
  'layers',
  'selected',
  'claims',
];

function sceneOf(json: string, at: Place, source: Source, shared: SharedData): ScenePart {
  const written = parseJson<WrittenScene>(json, at);
  /** Returns the place of some words in the block. */
  const where = (words: string) => at(linesIn(json.slice(0, Math.max(0, json.indexOf(JSON.stringify(words))))));
  const unknown = Object.keys(written).find((member) => !members.includes(member));
  if (unknown !== undefined)
    throw new Error(`${where(unknown)}: expected one of ${members.join(', ')} in a scene; got ${unknown}`);
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
  if (data === undefined) throw new Error(`${where('data')}: expected data in a scene; got ${written.data}`);
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
      checkExpression(expression, where(words));
      return { html: inline(words, where(words), source), expression };
    }),
  };
}

function quizOf(text: string, at: Place, source: Source): QuizPart {
  const place = at(0);
  const lines = text.split('\n');
  const fields = fieldsOf(
    lines.map((line) => (line.startsWith('- [') ? '' : line)),
    at,
  );
  const options = [...lines.entries()]
    .filter(([, line]) => line.startsWith('- ['))
    .map(([k, line]) => {
      const option = /^- \[(.*?)\](?= ) (.*)$/.exec(line);
      if (option === null) throw new Error(`${at(k)}: expected “- [ ] text”; got “${line}”`);
      const [, when, words] = option as unknown as [string, string, string];
      const right = when === 'x' ? '1' : when.trim() === '' ? '0' : when;
      checkExpression(right, at(k));
      return { html: inline(words, at(k), source), right };
    });
  const { kind, question, answer, within = '0', step = 'end', holds = null, explain } = fields;
  if (question === undefined || explain === undefined)
    throw new Error(`${place}: expected a question and explain in a quiz`);
  const common = { question: inline(question, place, source), explanation: inline(explain, place, source) };
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
function fieldsOf(lines: readonly string[], at: Place): Record<string, string> {
  const fields: Record<string, string> = {};
  let last: string | null = null;
  for (const [k, line] of lines.entries()) {
    const field = /^(\w+): (.*)$/.exec(line);
    if (field !== null) {
      last = field[1]!;
      fields[last] = field[2]!;
    } else if (last !== null && line.startsWith('  ')) fields[last] += ` ${line.trim()}`;
    else if (line.trim() !== '') throw new Error(`${at(k)}: expected “name: text”; got “${line}”`);
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

const block = (text: string, place: string, source: Source): string =>
  withFormulas(text, place, source, (rest) => markdown.render(rest));
const inline = (text: string, place: string, source: Source): string =>
  withFormulas(text, place, source, (rest) => markdown.renderInline(rest));

/** Formulas are set apart first, so that Markdown does not read their _ and *. */
function withFormulas(text: string, place: string, { typeset }: Source, render: (text: string) => string): string {
  const formulas: string[] = [];
  const rest = text.replace(/\$\$([^$]+)\$\$|\$([^$]+)\$/g, (_, display?: string, within?: string) => {
    try {
      formulas.push(typeset((display ?? within)!.trim(), display !== undefined));
    } catch (error) {
      throw new Error(`${place}: ${(error as Error).message}`);
    }
    return `\uE000${formulas.length - 1}\uE001`;
  });
  return render(rest).replace(/\uE000(\d+)\uE001/g, (_, k) => formulas[Number(k)]!);
}
