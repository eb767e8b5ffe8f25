import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { command, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

const tell = join(folder, 'tell.cjs');
writeFileSync(tell, "process.on('exit', () => console.error('\\n' + JSON.stringify(Object.keys(require.cache))));");

/** The command's files that a run loads, without the launcher. */
function loadedBy(...args: string[]): string[] {
  const { stderr } = spawnSync(process.execPath, ['--require', tell, command, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  const files: string[] = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
  return files.filter((file) => file !== tell && file !== command).map((file) => basename(file));
}

describe('a run loads no more than it needs', () => {
  test.each(['--help', '--version', 'predict --help', 'predict'])('%s: the arguments only', (line) => {
    expect(loadedBy(...line.split(' '))).toEqual(['main.js']);
  });

  test.each(['train --help', 'train --passes many'])('%s: also the library, which knows the rules', (line) => {
    expect(loadedBy(...line.split(' '))).toEqual(['main.js', 'rule-flags.js', 'library.js']);
  });

  test('a command: the library, and nothing of tables', () => {
    expect(loadedBy('inspect', 'absent.json')).toEqual(['main.js', 'commands-inspect.js', 'library.js']);
  });
});
