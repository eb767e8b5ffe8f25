import MarkdownIt from 'markdown-it';
import type { Space } from '../views/proof/bound.ts';
import { namesIn } from './expression.ts';
import { type Chapter, type ChapterPiece, fieldsOf, linesIn, outlineOf, type Piece, type Place } from './outline.ts';
import type { Part, QuizPart, SceneData, ScenePart, Section, Tour } from './tour.ts';

/**
 * Compiles a tour from its Markdown: front matter (`title`, `source`, `minutes`, `bias`), data that several scenes
 * share (a fenced `data` block), a section for each `## heading`, and in it text with `$formulas$`, scenes (fenced
 * `scene` blocks of JSON, members as in `ScenePart`), buttons that open a table (`open` blocks: their words) and
 * questions (fenced `quiz` blocks: `kind`, `question`, `answer`, `within`, `step`, `holds`, `explain`, and of choices a
 * line `- [expression] text` each; `x` is always right and a blank never).
 *
 * @param file its name, for messages. @throws Error with the file, the line and the heading for what is not understood.
 */
export function compileTour(file: string, id: string, text: string, typeset: Typeset): Tour {
  const { front, data, chapters } = outlineOf(file, text);
  const fields = fieldsOf(front.content.split('\n'), front.at);
  const shared = data === null ? {} : parseJson<SharedData>(data.content, data.at);
  const top = `${file}, line 1`;
  const { bias = 'coordinate' } = fields;
  if (bias !== 'coordinate' && bias !== 'apart')
    throw new Error(`${top}: expected bias to be coordinate or apart; got ${bias}`);
  const sections = chapters.map((chapter) => sectionOf(chapter, { typeset, shared, space: bias }));
  const required = (field: string) => {
    if (fields[field] === undefined) throw new Error(`${top}: expected ${field} in the front matter`);
    return fields[field];
  };
  const minutes = Number(required('minutes'));
  if (!(minutes > 0)) throw new Error(`${top}: expected minutes to be a number above 0; got ${fields.minutes}`);
  return {
    id,
    title: inline(required('title'), top, typeset),
    source: inline(required('source'), top, typeset),
    minutes,
    plays: fields.plays === 'yes',
    sections,
  };
}

/** Data by the names that scenes call them. */
type SharedData = Readonly<Record<string, SceneData>>;

function parseJson<T>(json: string, at: Place): T {
  try {
    return JSON.parse(json);
  } catch (error) {
    const line = linesIn(json.slice(0, jsonFault(json)));
    throw new Error(`${at(line)}: expected JSON; ${(error as Error).message}`);
  }
}

/** The parts of a tour that its sections need. */
interface Common {
  readonly typeset: Typeset;
  readonly shared: SharedData;
  readonly space: Space;
}

function sectionOf({ heading, pieces }: Chapter, common: Common): Section {
  return { heading, parts: pieces.map((piece) => partOf(piece, common)) };
}

function partOf(piece: ChapterPiece, common: Common): Part {
  const { kind, content, at } = piece;
  const { typeset } = common;
  if (kind === 'scene') return sceneOf(piece, common);
  if (kind === 'quiz') return quizOf(piece, typeset);
  return kind === 'open' ? { kind, title: content.trim() } : { kind, html: block(content, at(0), typeset) };
}

/** A scene as it is written: what is left out has a default, and data may be called by name. */
type WrittenScene = Partial<Omit<ScenePart, 'claims' | 'data' | 'space'>> & {
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

function sceneOf({ content: json, at }: Piece, { typeset, shared, space }: Common): ScenePart {
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
    space,
    views,
    sight,
    choices,
    layers,
    selected,
    claims: Object.entries(claims).map(([words, expression]) => {
      checkExpression(expression, where(words));
      return { html: inline(words, where(words), typeset), expression };
    }),
  };
}

function quizOf({ content, at }: Piece, typeset: Typeset): QuizPart {
  const place = at(0);
  const lines = content.split('\n');
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
      return { html: inline(words, at(k), typeset), right };
    });
  const { kind, question, answer, within = '0', step = 'end', holds = null, explain } = fields;
  if (question === undefined || explain === undefined)
    throw new Error(`${place}: expected a question and explain in a quiz`);
  const common = { question: inline(question, place, typeset), explanation: inline(explain, place, typeset) };
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

function checkExpression(expression: string, place: string): void {
  try {
    namesIn(expression);
  } catch (error) {
    throw new Error(`${place}: “${expression}”: ${(error as Error).message}`);
  }
}

/**
 * Returns the index of the first token of a text that breaks its JSON; the length of the text if it ends too early.
 * Engines tell this place in messages of different forms, or not at all.
 */
export function jsonFault(text: string): number {
  const pattern = /\s*(?:([{}[\],:])|("(?:[^"\\\n]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
  let at = 0;
  /** Takes a token: a sign, `string` or `other`. Null: there is none. */
  const next = (): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return null;
    at = pattern.lastIndex;
    return found[1] ?? (found[2] === undefined ? 'other' : 'string');
  };
  /** Takes one of some tokens; otherwise leaves the place before it. */
  const take = (...wanted: readonly string[]): string | null => {
    const before = at;
    const token = next();
    if (token !== null && wanted.includes(token)) return token;
    at = before;
    return null;
  };
  const value = (): boolean => {
    const opened = take('{', '[', 'string', 'other');
    if (opened === null || opened === 'string' || opened === 'other') return opened !== null;
    const close = opened === '{' ? '}' : ']';
    if (take(close) !== null) return true;
    for (;;) {
      if (opened === '{' && (take('string') === null || take(':') === null)) return false;
      if (!value()) return false;
      if (take(close) !== null) return true;
      if (take(',') === null) return false;
    }
  };
  value();
  return at + /^\s*/.exec(text.slice(at))![0].length;
}

/** Sets a formula of TeX as HTML. @throws Error for a formula that is wrong. */
type Typeset = (tex: string, display: boolean) => string;

const markdown = new MarkdownIt({ html: false, typographer: false });
// Pages of the lab ask no other machine for anything.
markdown.disable('image');

/** Sets paragraphs of Markdown with `$formulas$`. @throws Error with the place for a formula that is wrong. */
function block(text: string, place: string, typeset: Typeset): string {
  return byPointer(withFormulas(text, place, typeset, (rest) => markdown.render(rest)));
}

/** Sets a line of Markdown with `$formulas$`. @throws Error with the place for a formula that is wrong. */
function inline(text: string, place: string, typeset: Typeset): string {
  return withFormulas(text, place, typeset, (rest) => markdown.renderInline(rest));
}

/** Formulas are set apart first, so that Markdown does not read their _ and *. */
function withFormulas(text: string, place: string, typeset: Typeset, render: (text: string) => string): string {
  const formulas: string[] = [];
  const rest = text.replace(/\$\$([^$]+)\$\$|\$([^$]+)\$/g, (_, display?: string, within?: string) => {
    try {
      formulas.push(typeset((display ?? within)!.trim(), display !== undefined));
    } catch (error) {
      throw new Error(`${place}: ${(error as Error).message}`);
    }
    return `\uE000${formulas.length - 1}\uE001`;
  });
  // A number and its sign of per cent stay on one line.
  return render(rest.replace(/(?<=\d) %/g, '\u00a0%')).replace(/\uE000(\d+)\uE001/g, (_, k) => formulas[Number(k)]!);
}

/** Writes `[click|tap]` as two words, of which the page shows the one for a mouse or the one for fingers. */
function byPointer(html: string): string {
  return html.replace(
    /\[([^[\]|<]+)\|([^[\]|<]+)\]/g,
    '<span class="by-mouse">$1</span><span class="by-touch">$2</span>',
  );
}
