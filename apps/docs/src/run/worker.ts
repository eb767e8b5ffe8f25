import { logged } from './inspect.ts';
import { imports, withoutImports } from './module.ts';

/*
 * Runs one module on the library and sends what it prints. The module is loaded from memory, as a blob: no text is
 * evaluated, so a content policy needs `script-src 'self' blob:` and no 'unsafe-eval'. One worker runs one module.
 */

/** A line of output, or the end: `fault` is the message of an error, null without one. */
export type Message = { readonly line: string } | { readonly fault: string | null };

const loaders: Readonly<Record<(typeof imports)[number], () => Promise<object>>> = {
  halfspace: () => import('halfspace'),
  'halfspace/predict': () => import('halfspace/predict'),
  'halfspace/predict/text': () => import('halfspace/predict/text'),
  'halfspace/rules': () => import('halfspace/rules'),
  'halfspace/metrics': () => import('halfspace/metrics'),
  'halfspace/margins': () => import('halfspace/margins'),
  'halfspace/ledger': () => import('halfspace/ledger'),
  'halfspace/tree': () => import('halfspace/tree'),
};

const send = (message: Message) => globalThis.postMessage(message);
const print = (...values: unknown[]) => send({ line: logged(values) });
for (const name of ['log', 'info', 'warn', 'error'] as const) console[name] = print;

globalThis.addEventListener('message', async ({ data }: MessageEvent<string>) => {
  try {
    const named = imports.filter((name) => data.includes(`from '${name}'`));
    const loaded = await Promise.all(named.map(async (name) => [name, await loaders[name]()] as const));
    Object.assign(globalThis, { modules: Object.fromEntries(loaded) });
    const address = URL.createObjectURL(new Blob([withoutImports(data)], { type: 'text/javascript' }));
    await import(/* @vite-ignore */ address);
    send({ fault: null });
  } catch (error) {
    send({ fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
});
