// Reads public files as their owners would, and compares the kind of each column with the one that a person gives it.
//
//   node bench/src/tables/public-files.mjs [--folder DIR] [--transcripts DIR] [--only TEXT]
//
// Files are fetched by their addresses into DIR (default: .data/public-files) unless they are there, and must have the
// digest in public-files.json. There, `read` has the kinds of the columns that are used, in order (`c n7`: a category,
// then seven numbers), and `leftOut` the names of the others; `refused` is a part of the message for a file that must
// not be read as it is. The answers are earlier readings that a person compared with each header, and corrected where
// they were wrong. The transcripts of all runs can be kept, to be judged again.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchFolder } from '../run/process.mjs';

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: join(benchFolder, '.data/public-files') },
    transcripts: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const files = JSON.parse(readFileSync(new URL('public-files.json', import.meta.url), 'utf8'));
const command = join(benchFolder, '../packages/cli/bin/halfspace.cjs');
const letters = { number: 'n', category: 'c', boolean: 'b', text: 't', date: 'd', set: 's' };

let [asExpected, differing] = [0, 0];
for (const file of files) {
  if (!file.from.includes(options.only)) continue;
  const path = await fetched(file);
  const found = readingOf(path, file.options ?? []);
  if (options.transcripts !== undefined) {
    mkdirSync(options.transcripts, { recursive: true });
    writeFileSync(join(options.transcripts, `${basename(path)}.txt`), found.transcript);
  }
  const [expected, got] = [file, found].map(({ read, leftOut = [], refused }) =>
    JSON.stringify({ read, leftOut, refused }),
  );
  const isRight = file.refused === undefined ? got === expected : found.refused?.includes(file.refused) === true;
  if (isRight) asExpected++;
  else {
    differing++;
    console.log(`${file.from}\n  expected ${expected}\n  got      ${got}`);
  }
}
console.log(`${asExpected} files read as a person reads them, ${differing} differently`);
if (differing > 0) process.exitCode = 1;

/** Returns the path of a file with the right digest. */
async function fetched({ from, sha256 }) {
  const [, repository, commit, path] = /^([^@]+)@(\w+):(.+)$/.exec(from);
  const name = join(options.folder, `${repository.replace('/', '+')}+${path.replaceAll('/', '+')}`);
  if (!existsSync(name)) {
    mkdirSync(options.folder, { recursive: true });
    const address = `https://raw.githubusercontent.com/${repository}/${commit}/${encodeURI(path)}`;
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    writeFileSync(name, new Uint8Array(await answer.arrayBuffer()));
  }
  const digest = createHash('sha256').update(readFileSync(name)).digest('hex');
  if (digest !== sha256) throw new Error(`${name}: expected a file with the digest ${sha256}; got ${digest}`);
  return name;
}

/** Trains one pass on a file. Returns how its columns were read, or the refusal. */
function readingOf(path, given) {
  const fixed = ['--rule', 'perceptron', '--passes', '1', '--model', join(options.folder, 'last.model.json')];
  const skipped = given.includes('skip') ? ['--rejects', join(options.folder, 'last.rejects')] : [];
  const args = ['train', path, ...given, ...skipped, ...fixed];
  const run = (more) => spawnSync(process.execPath, [command, ...args, ...more], { encoding: 'utf8' });
  const { status, stdout, stderr } = run(['--json']);
  if (status !== 0) return { refused: stderr.trim(), transcript: stderr };
  const { columns, leftOut } = JSON.parse(stdout);
  const runs = [];
  for (const { read } of columns) {
    const letter = letters[read.split(' ')[0]] ?? read;
    if (runs.at(-1)?.letter === letter) runs.at(-1).count++;
    else runs.push({ letter, count: 1 });
  }
  const transcript =
    options.transcripts === undefined ? '' : [run([])].map((said) => said.stdout + said.stderr).join('');
  return {
    read: runs.map(({ letter, count }) => letter + (count === 1 ? '' : count)).join(' '),
    leftOut: leftOut.map(({ name }) => name),
    transcript,
  };
}
