import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { globSync } from 'tinyglobby';
import type { MarkdownRenderer } from 'vitepress';

const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
/** Its modules see the packages. */
const cwd = fileURLToPath(new URL('..', import.meta.url));

/** Runs the blocks of all pages that say in comments that they print SVG, and returns what each prints, by its code. */
export function printPictures(): Map<string, string> {
  const pictures = new Map<string, string>();
  for (const page of globSync('**/*.md', { cwd: docs, ignore: ['reference/**', 'parts/**'], absolute: true })) {
    let module = '';
    for (const [, language, continued, code] of readFileSync(page, 'utf8').matchAll(
      /^```(ts|js)( continued)?\n(.*?)^```$/gms,
    )) {
      module = continued === undefined ? code! : module + code;
      if (/^\/\/ <svg /m.test(code!)) pictures.set(code!, print(module, language as 'ts' | 'js'));
    }
  }
  return pictures;
}

/** Returns the last picture that a module prints. */
function print(text: string, loader: 'ts' | 'js'): string {
  const { code } = transformSync(text, { loader, format: 'esm', target: 'es2022' });
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd, encoding: 'utf8' });
  const picture = printed.match(/<svg .*?<\/svg>/gs)?.at(-1);
  if (picture === undefined) throw new Error(`expected a block that prints <svg …>; got ${printed.slice(0, 80)}`);
  return picture;
}

/** Shows above a block the picture that it prints. */
export function placePrinted(renderer: MarkdownRenderer, pictures: ReadonlyMap<string, string>): void {
  const fence = renderer.renderer.rules.fence!;
  renderer.renderer.rules.fence = (tokens, i, ...rest) => {
    const picture = pictures.get(tokens[i]!.content);
    const figure = picture === undefined ? '' : `<figure class="printed-picture">${picture}</figure>\n`;
    return figure + fence(tokens, i, ...rest);
  };
}
