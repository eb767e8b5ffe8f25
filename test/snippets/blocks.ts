/** Finds the fenced code blocks of Markdown pages and of docstrings. */

/** A fenced block: ```` ```language info ````, then its text. */
export interface Block {
  readonly language: string;
  /** The rest of the opening line, without the language. */
  readonly info: string;
  readonly text: string;
  /** Number of the opening line in its file, from 1. */
  readonly line: number;
}

/** The blocks of a Markdown page or of one docstring. Their commands and modules share a folder. */
export interface Page {
  readonly name: string;
  readonly blocks: readonly Block[];
}

/** Returns the fenced blocks of a text, as CommonMark delimits them: a longer fence may contain shorter ones. */
export function fencedBlocks(markdown: string, firstLine = 1): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const [, indent = '', fence, opening = ''] = /^( *)(`{3,})([^`]*)$/.exec(lines[i]!) ?? [];
    if (fence === undefined) continue;
    const closing = new RegExp(`^ *\`{${fence.length},} *$`);
    const end = lines.findIndex((line, k) => k > i && closing.test(line));
    if (end < 0) throw new Error(`line ${firstLine + i}: expected a closing fence ${fence}; got the end of the page`);
    const text = lines.slice(i + 1, end).map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), ''));
    const [language = '', ...info] = opening.trim().split(' ');
    blocks.push({ language, info: info.join(' '), text: text.join('\n'), line: firstLine + i });
    i = end;
  }
  return blocks;
}

/**
 * Returns a page for every docstring of a source file that has an `@example` or a fenced block. An example without a fence
 * is TypeScript, and ends before an empty line or the next tag.
 *
 * @param exported the module of every exported name. A block without imports gets those of the names that it uses.
 */
export function docstringPages(file: string, source: string, exported: ReadonlyMap<string, string>): Page[] {
  return [...source.matchAll(/\/\*\*.*?\*\//gs)].flatMap(({ 0: comment, index }) => {
    if (!/```|@example/.test(comment)) return [];
    const line = source.slice(0, index).split('\n').length;
    const markdown = comment
      .slice(0, -2)
      .split('\n')
      .map((text) => text.replace(/^\s*\/?\*{1,2} ?/, ''))
      .join('\n')
      .replace(/@example\n(?! *```)([\s\S]*?)(?=\n\s*\n|\n@|\s*$)/g, '```ts\n$1\n```');
    const blocks = fencedBlocks(markdown, line);
    return [{ name: `${file}:${line}`, blocks: blocks.map((block) => withImports(block, exported)) }];
  });
}

function withImports(block: Block, exported: ReadonlyMap<string, string>): Block {
  if (block.language !== 'ts' || /^import /m.test(block.text)) return block;
  const used = [...new Set(block.text.match(/[\w$]+/g))].filter((name) => exported.has(name));
  const imports = used.map((name) => `import { ${name} } from '${exported.get(name)}';\n`);
  return { ...block, text: imports.join('') + block.text };
}
