import { type Plugin, runnerImport } from 'vite';

/**
 * Modules named `….constant.ts` are evaluated when the page is built, and only their exports ship, as JSON: what they import does not.
 * Tests in Node import them as they are.
 */
export function constants(): Plugin {
  return {
    name: 'constants',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.constant.ts')) return null;
      const { module } = await runnerImport<Record<string, unknown>>(id, { resolve: { external: true } });
      const lines = Object.entries(module).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
      return { code: lines.join('\n'), map: null, moduleType: 'js' };
    },
  };
}
