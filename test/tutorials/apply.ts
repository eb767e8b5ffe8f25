import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Block } from '../snippets/blocks.ts';

/**
 * Applies the blocks of a tutorial to a tree. A block of TypeScript with a path is a new file. A block of `diff` with a
 * path changes a file: its lines without `+` must stand in the file exactly once.
 *
 * @returns the paths of the new files, and of the changed ones.
 */
export function applyBlocks(tree: string, blocks: readonly Block[]): { created: string[]; changed: string[] } {
  const created: string[] = [];
  const changed: string[] = [];
  for (const { language, info, text, line } of blocks) {
    if (!info.includes('/')) continue;
    const file = join(tree, info);
    if (language === 'ts') {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${text}\n`, { flag: 'wx' });
      created.push(info);
    } else {
      writeFileSync(file, patched(readFileSync(file, 'utf8'), text, `the block of line ${line}, for ${info}`));
      changed.push(info);
    }
  }
  return { created, changed };
}

function patched(content: string, diff: string, place: string): string {
  const side = (other: string) =>
    diff
      .split('\n')
      .filter((line) => !line.startsWith(other))
      .map((line) => line.slice(1))
      .join('\n');
  const parts = content.split(side('+'));
  if (parts.length !== 2)
    throw new Error(`${place}: expected its old lines once in the file; got them ${parts.length - 1} times`);
  return parts.join(side('-'));
}
