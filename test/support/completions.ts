import { join } from 'node:path';
// TypeScript 7 has no language service for programs.
import type * as TypeScript from '../../apps/lab/node_modules/typescript/lib/typescript.js';

/** Returns a function that gives the names that an editor lists at `|` in a module, without global names. */
export function editorOf(ts: typeof TypeScript, folder: string): (marked: string) => string[] {
  const file = join(folder, 'edited.ts');
  let [text, version] = ['', 0];
  const { sys } = ts;
  const { NodeNext: module } = ts.ModuleKind;
  const service = ts.createLanguageService({
    ...sys,
    useCaseSensitiveFileNames: () => sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => ({ strict: true, target: ts.ScriptTarget.ES2022, module, types: [] }),
    getScriptFileNames: () => [file],
    getScriptVersion: (path) => (path === file ? String(version) : '1'),
    getScriptSnapshot: (path) => {
      const content = path === file ? text : sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  });
  return (marked) => {
    text = marked.replace('|', '');
    version++;
    const found = service.getCompletionsAtPosition(file, marked.indexOf('|'), {});
    return found === undefined || found.isGlobalCompletion ? [] : found.entries.map(({ name }) => name).sort();
  };
}
