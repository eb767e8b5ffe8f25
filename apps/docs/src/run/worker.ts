import { logged } from './inspect.ts';
import { imports, withoutImports } from './module.ts';
import { WatchedData } from './watched-data.ts';

/*
 * Runs one module on the library and sends what it prints. The module is loaded from memory, as a blob: no text is
 * evaluated, so a content policy needs `script-src 'self' blob:` and no 'unsafe-eval'. One worker runs one module.
 */

/** A module, and a name for the data that it makes. */
export interface Task {
  readonly code: string;
  readonly name: string;
}

/**
 * A line of output, or the end: `fault` is the message of an error, null without one; `lab` is the hash with which the
 * lab opens the data of the run, null if it cannot.
 */
export type Message = { readonly line: string } | { readonly fault: string | null; readonly lab: string | null };

const loaders: Readonly<Record<(typeof imports)[number], () => Promise<object>>> = {
  halfspace: () => import('halfspace'),
  'halfspace/predict': () => import('halfspace/predict'),
  'halfspace/predict/text': () => import('halfspace/predict/text'),
  'halfspace/rules': () => import('halfspace/rules'),
  'halfspace/metrics': () => import('halfspace/metrics'),
  'halfspace/margins': () => import('halfspace/margins'),
  'halfspace/ledger': () => import('halfspace/ledger'),
  'halfspace/tree': () => import('halfspace/tree'),
  'halfspace-certify': () => import('halfspace-certify'),
};

const send = (message: Message) => globalThis.postMessage(message);
const print = (...values: unknown[]) => send({ line: logged(values) });
for (const name of ['log', 'info', 'warn', 'error'] as const) console[name] = print;

globalThis.addEventListener('message', async ({ data: { code, name } }: MessageEvent<Task>) => {
  const data = new WatchedData();
  try {
    const named = imports.filter((each) => code.includes(`from '${each}'`));
    const loaded = await Promise.all(named.map(async (each) => [each, await loaders[each]()] as const));
    Object.assign(globalThis, {
      modules: Object.fromEntries(loaded.map(([each, module]) => [each, data.watch(module)])),
    });
    const address = URL.createObjectURL(new Blob([withoutImports(code)], { type: 'text/javascript' }));
    await import(/* @vite-ignore */ address);
    const { run } = data;
    const lab = run === null ? null : await (await import('./lab-link.ts')).labLink(run, name);
    send({ fault: null, lab });
  } catch (error) {
    send({ fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error), lab: null });
  }
});
