import { type Chapter, type ChapterPiece, fieldsOf, outlineOf, type Piece } from './outline.ts';
import { type Part, type QuizPart, type SceneData, type ScenePart, type Section, scenesOf, type Tour } from './tour.ts';
import { block, inline, type Typeset } from './typeset.ts';

/**
 * Returns a tour in another language. The translation holds words only, with the sections and parts of the English tour
 * in their order; data, steps and expressions stay those of the English tour.
 *
 * - Front matter: `title` and `source`.
 * - A `data` block before the first heading: a line `English: translation` for each name of data, column or cell.
 * - A `scene`: `title: words`, and a line `- words` for each claim.
 * - A `quiz`: `question: words`, a line `- words` for each option, and `explain: words`.
 * - An `open` block: its words.
 *
 * @param file name of the translation, for messages. @throws Error with the file, the line and the heading for what is
 *   not understood, is missing, or has no counterpart in the English tour.
 */
export function translateTour(file: string, text: string, english: Tour, typeset: Typeset): Tour {
  const { front, data, chapters } = outlineOf(file, text);
  const { title, source } = wordsOf(front, ['title', 'source']).fields;
  const names = namesOf(data, english);
  const sections = english.sections.map((section, k) => {
    const chapter = chapters[k];
    if (chapter === undefined)
      throw new Error(`${file}: expected ${english.sections.length} sections; “${section.heading}” is missing`);
    return sectionOf(chapter, section, names, typeset);
  });
  const extra = chapters[sections.length];
  if (extra !== undefined)
    throw new Error(`${extra.at}: expected ${sections.length} sections; the English tour has no such one`);
  const top = front.at(0);
  return { ...english, title: inline(title!, top, typeset), source: inline(source!, top, typeset), sections };
}

function sectionOf({ heading, at, pieces }: Chapter, english: Section, names: Names, typeset: Typeset): Section {
  const wanted = english.parts.map(kindOf).join(', ');
  const given = pieces.map(({ kind }) => kind).join(', ');
  if (given !== wanted) throw new Error(`${at}: expected the parts of “${english.heading}”, ${wanted}; got ${given}`);
  return { heading, parts: pieces.map((piece, k) => partOf(piece, english.parts[k]!, names, typeset)) };
}

const kindOf = ({ kind }: Part): ChapterPiece['kind'] =>
  kind === 'choice' || kind === 'number' || kind === 'predict' ? 'quiz' : kind;

function partOf(piece: ChapterPiece, english: Part, names: Names, typeset: Typeset): Part {
  if (english.kind === 'text') return { ...english, html: block(piece.content, piece.at(0), typeset) };
  if (english.kind === 'open') return { ...english, title: piece.content.trim() };
  if (english.kind === 'scene') return sceneOf(piece, english, names, typeset);
  return quizOf(piece, english, typeset);
}

function sceneOf(piece: Piece, english: ScenePart, names: Names, typeset: Typeset): ScenePart {
  const { fields, lines } = wordsOf(piece, ['title']);
  const claims = matched(lines, english.claims, 'claims', piece.at(0));
  return {
    ...english,
    title: fields.title!,
    data: withNames(english.data, names),
    claims: claims.map(([{ content, at }, claim]) => ({ ...claim, html: inline(content, at(0), typeset) })),
  };
}

function quizOf(piece: Piece, english: QuizPart, typeset: Typeset): QuizPart {
  const { fields, lines } = wordsOf(piece, ['question', 'explain']);
  const top = piece.at(0);
  const options = matched(lines, english.kind === 'choice' ? english.options : [], 'options', top);
  const common = {
    question: inline(fields.question!, top, typeset),
    explanation: inline(fields.explain!, top, typeset),
  };
  if (english.kind !== 'choice') return { ...english, ...common };
  return {
    ...english,
    ...common,
    options: options.map(([{ content, at }, option]) => ({ ...option, html: inline(content, at(0), typeset) })),
  };
}

/** Pairs lines with what they translate. */
function matched<T>(lines: readonly Piece[], english: readonly T[], what: string, place: string): [Piece, T][] {
  if (lines.length !== english.length)
    throw new Error(`${place}: expected ${english.length} ${what}, as in English; got ${lines.length}`);
  return lines.map((line, k) => [line, english[k]!]);
}

/** Reads lines `name: words`, one for each of some names, and lines `- words`. */
function wordsOf({ content, at }: Piece, names: readonly string[]) {
  const all = content.split('\n');
  const isListed = (line: string) => line.startsWith('- ');
  const fields = fieldsOf(
    all.map((line) => (isListed(line) ? '' : line)),
    at,
  );
  const found = Object.keys(fields);
  if (found.length !== names.length || names.some((name) => !found.includes(name)))
    throw new Error(`${at(0)}: expected ${names.join(' and ')}; got ${found.join(' and ') || 'neither'}`);
  const lines = [...all.entries()]
    .filter(([, line]) => isListed(line))
    .map(([k, line]): Piece => ({ content: line.slice(2), at: (further) => at(k + further) }));
  return { fields, lines };
}

/** Translations of names of data, of columns and of cells. */
type Names = ReadonlyMap<string, string>;

function namesOf(data: Piece | null, english: Tour): Names {
  const names = new Map<string, string>();
  if (data === null) return names;
  const known = namesInData(english);
  for (const [k, line] of data.content.split('\n').entries()) {
    if (line === '') continue;
    const [, name, translation] = /^(.+?): (.+)$/.exec(line) ?? [];
    if (translation === undefined) throw new Error(`${data.at(k)}: expected “English: translation”; got “${line}”`);
    if (!known.has(name!)) throw new Error(`${data.at(k)}: expected a name in the data of the tour; got “${name}”`);
    names.set(name!, translation);
  }
  return names;
}

/** Returns the names of data, of columns and of cells of a tour. */
export function namesInData({ sections }: Tour): Set<string> {
  const scenes = sections.flatMap(scenesOf);
  return new Set(
    scenes.flatMap(({ data }) => {
      if ('preset' in data) return [];
      const own = data.name === undefined ? [] : [data.name];
      if (!('columns' in data)) return own;
      return [...own, ...data.columns, ...data.rows.flat().filter((cell) => typeof cell === 'string')];
    }),
  );
}

function withNames(data: SceneData, names: Names): SceneData {
  if ('preset' in data) return data;
  const translated = (name: string) => names.get(name) ?? name;
  const named = data.name === undefined ? data : { ...data, name: translated(data.name) };
  if (!('columns' in named)) return named;
  const rows = named.rows.map((row) => row.map((cell) => (typeof cell === 'string' ? translated(cell) : cell)));
  return { ...named, columns: named.columns.map(translated), rows };
}
