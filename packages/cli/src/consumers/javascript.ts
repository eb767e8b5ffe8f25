import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Answer, Consumer, Exported } from './consumer.ts';

/**
 * The thread that asks. It loads the program as a page or a service does, as a module from a file; nothing is evaluated
 * in the command itself.
 */
const asking = (program: string) => `import { parentPort } from 'node:worker_threads';
let program;
try {
  const loaded = await import(${JSON.stringify(program)});
  program = loaded.default ?? loaded;
  parentPort.postMessage(null);
} catch (error) {
  parentPort.postMessage(String(error));
}
const answer = (row) => {
  try {
    return {
      class: program.predict(row),
      scores: program.scores === undefined ? [program.score(row)] : program.scores(row),
      probabilities: program.probabilities === undefined ? null : program.probabilities(row),
    };
  } catch (error) {
    return { refused: String(error) };
  }
};
parentPort.on('message', (rows) => parentPort.postMessage(rows.map(answer)));
`;

/** Loads a JavaScript or TypeScript program in a thread of this process. */
export async function startJavaScript(
  { text, options, folder }: Exported,
  type: 'js' | 'ts',
): Promise<Consumer | string> {
  const { form = 'module', name = 'model' } = options;
  const file = `program.${type === 'ts' ? 'ts' : form === 'commonjs' ? 'cjs' : 'mjs'}`;
  writeFileSync(join(folder, file), form === 'function' ? `${text}export default ${name};\n` : text);
  writeFileSync(join(folder, 'asking.mjs'), asking(`./${file}`));
  const worker = new Worker(pathToFileURL(join(folder, 'asking.mjs')), { stdout: true, stderr: true });
  const next = <Message>() =>
    new Promise<Message>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  const fault = await next<string | null>();
  if (fault !== null) {
    await worker.terminate();
    if (type === 'ts' && fault.includes('Unknown file extension'))
      return `this runtime (${runtime()}) cannot load TypeScript; Node.js 22.18 and later can`;
    throw new Error(`the program cannot be loaded: ${fault}`);
  }
  return {
    name: runtime(),
    exact: true,
    ask(rows) {
      worker.removeAllListeners('error');
      const answers = next<readonly Answer[]>();
      worker.postMessage(rows);
      return answers;
    },
    close: () => void worker.terminate(),
  };
}

function runtime(): string {
  const { bun, deno } = process.versions;
  return bun !== undefined ? `Bun ${bun}` : deno !== undefined ? `Deno ${deno}` : `Node.js ${process.versions.node}`;
}
