// Lists the public names of a package with their types, from the declarations that tsc wrote into `dist`.
//   npm run api              writes packages/*/api.txt, which is committed
// test/api.test.ts compares. So every change of what users see is a change of these files.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = resolve(fileURLToPath(import.meta.url), '../..');
/** Folders of packages with a report. The command exports nothing. */
export const reported = ['packages/halfspace', 'packages/certify', 'packages/distributed', 'packages/server'];

/** The entry for the command and for tests. It promises nothing to users. */
const notPublic = /^halfspace-server\/site$/;

// The compiler of the lab: TypeScript 7 has no stable interface to its syntax trees.
const ts = createRequire(join(root, 'apps/lab/package.json'))('typescript');
const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

/** Returns the report of a package as text. Its `dist` must be up to date. */
export function apiReport(folder) {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const entries = Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([path, { types }]) => ({ name: name + path.slice(1), file: join(root, folder, types) }))
    .filter((entry) => !notPublic.test(entry.name));
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    },
  );
  const checker = program.getTypeChecker();
  const own = join(root, folder, 'dist');
  const aliased = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  /** The entry that shows each exported symbol: the first one that exports it. */
  const exported = new Map();
  /** All symbols of this package that declarations name, in the order of discovery. */
  const named = new Set();

  /** Returns a declaration without comments and private members. Notes the types of this package that it names. */
  function text(declaration) {
    const kept = ts.visitNode(declaration, function visit(node) {
      if (ts.isModifier(node) && /Export|Declare|Default/.test(ts.SyntaxKind[node.kind])) return undefined;
      if (ts.isClassElement(node) && isPrivate(node)) return undefined;
      if (ts.isIdentifier(node)) note(node);
      return ts.visitEachChild(node, visit, undefined);
    });
    return printer.printNode(ts.EmitHint.Unspecified, kept, declaration.getSourceFile()).replaceAll(/ {4}/g, '  ');
  }

  function note(identifier) {
    const found = checker.getSymbolAtLocation(identifier);
    if (found === undefined) return;
    const symbol = aliased(found);
    const isType = symbol.flags & (ts.SymbolFlags.Type | ts.SymbolFlags.Variable | ts.SymbolFlags.Function);
    if (isType && (symbol.declarations ?? []).some(isTopLevel)) named.add(symbol);
  }

  const isTopLevel = (declaration) => {
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return ts.isSourceFile(statement.parent) && declaration.getSourceFile().fileName.startsWith(own);
  };

  function declarations(name, symbol) {
    return symbol.declarations.map((declaration) => {
      const written = text(declaration);
      // A variable's declaration lacks its keyword. An export under another name shows both.
      const line = ts.isVariableDeclaration(declaration) ? `const ${written};` : written;
      return symbol.name === name ? line : `${name} = ${line}`;
    });
  }

  const sorted = (list) => list.sort(([a], [b]) => (a < b ? -1 : 1));
  const sections = entries.map((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry.file));
    const symbols = sorted(checker.getExportsOfModule(module).map((symbol) => [symbol.name, aliased(symbol)]));
    const values = symbols.filter(([, { flags }]) => flags & ts.SymbolFlags.Value).length;
    return [
      `=== ${entry.name}: ${values} values, ${symbols.length - values} types`,
      ...symbols.flatMap(([name, symbol]) => {
        const shownBy = exported.get(symbol);
        if (shownBy !== undefined) return [`${name}: see ${shownBy}`];
        exported.set(symbol, entry.name);
        return declarations(name, symbol);
      }),
    ];
  });

  // What the types above name, and what that names: part of the face, though it has no name in it.
  const unnamed = [];
  for (const symbol of named)
    if (!exported.has(symbol)) {
      const from = relative(own, symbol.declarations[0].getSourceFile().fileName).replaceAll('\\', '/');
      unnamed.push([`${symbol.name} ${from}`, [`// ${from}`, ...declarations(symbol.name, symbol)].join('\n')]);
    }
  if (unnamed.length > 0)
    sections.push([
      `=== used above, not exported: ${unnamed.length} types`,
      ...sorted(unnamed).map(([, shown]) => shown),
    ]);
  const head = `The public face of ${name}, by entry. Written by \`npm run api\`.`;
  return `${[head, ...sections.flat()].join('\n\n')}\n`;
}

function isPrivate(node) {
  const hidden = ts.ModifierFlags.Private;
  return (ts.getCombinedModifierFlags(node) & hidden) !== 0 || (node.name && ts.isPrivateIdentifier(node.name));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const folder of reported) writeFileSync(join(root, folder, 'api.txt'), apiReport(folder));
