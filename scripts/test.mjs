// Runs the tests, and beside them what else a change must pass, because one process rarely keeps all cores busy. The
// output of the others comes whole, behind that of the tests. Arguments go to Vitest.
import { spawn } from 'node:child_process';

/** Runs a command. @param isShown true: its output goes to the terminal; else it is returned. */
function run(command, parts, isShown = false) {
  return new Promise((resolve) => {
    const child = spawn(command, parts, {
      shell: process.platform === 'win32',
      stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('close', (code) => resolve({ name: [command, ...parts].join(' '), passed: code === 0, output }));
  });
}

const ended = await Promise.all([
  run('npm', ['run', 'check']),
  run('npm', ['run', 'types']),
  run('npx', ['vitest', 'run', ...process.argv.slice(2)], true),
]);
for (const { output, passed } of ended) if (!passed) console.log(output);
for (const { name, passed } of ended) console.log(`${passed ? 'passed' : 'failed'}  ${name}`);
process.exitCode = ended.every(({ passed }) => passed) ? 0 : 1;
