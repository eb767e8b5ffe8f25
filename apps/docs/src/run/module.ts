/** Imports that the worker has. Those that need files or a server are absent. */
export const imports = [
  'halfspace',
  'halfspace/predict',
  'halfspace/predict/text',
  'halfspace/rules',
  'halfspace/metrics',
  'halfspace/margins',
  'halfspace/ledger',
  'halfspace/tree',
  'halfspace-certify',
] as const;

const statement = /^import \{([^}]*)\} from '([^']+)';?$/gm;

/** Tests if a module runs in the worker: it has imports, all of them known, and names no file. */
export function runsInPage(text: string): boolean {
  const from = [...text.matchAll(/\bfrom '([^']+)'/g)].map(([, name]) => name!);
  const statements = text.match(statement)?.length ?? 0;
  if (from.length === 0 || from.length !== statements) return false;
  return (
    from.every((name) => (imports as readonly string[]).includes(name)) && !/['/][\w-]+\.(csv|json|svm|vw)'/.test(text)
  );
}

/**
 * Returns the module with its imports as constants of `globalThis.modules`: a module that is loaded from memory has no
 * place from which names of packages could be resolved.
 */
export function withoutImports(text: string): string {
  return text.replace(statement, (_, names: string, from: string) => {
    const members = names.replace(/\s+/g, ' ').replace(/ as /g, ': ');
    return `const {${members}} = globalThis.modules[${JSON.stringify(from)}];`;
  });
}
