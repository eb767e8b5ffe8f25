import { labelValue } from '../../data/label.ts';
import { HalfspaceError } from '../../errors.ts';
import { type Model, tieOf } from '../../model/model.ts';
import type { EncodedColumn } from '../../model/tree/encoded-columns.ts';
import { type DualModel, expansionsOf } from '../dual.ts';
import { nodeScores, type TreeModel, treeColumns } from '../tree.ts';
import { type ScoreFunction, scoreFunctions } from '../weights.ts';
import { rowReading } from './read-row.ts';
import { runtimeText } from './runtime-text.ts';
import { data, literal } from './write.ts';

export interface JavaScriptOptions {
  /**
   * `module`: an ES module. `commonjs`: a CommonJS module. `function`: one statement that declares a constant with the
   * functions as members, to be pasted into a page. Default `module`.
   */
  readonly form?: 'module' | 'commonjs' | 'function' | undefined;
  /** Name of that constant. Default `model`. */
  readonly name?: string | undefined;
}

/**
 * Writes a model as a JavaScript program without imports. It answers raw rows with the bits of `Predictor`:
 *
 * - `classes`: the classes as labels of the type that the model learned, the negative and the positive one of two.
 * - `predict(row)`: the class of a row.
 * - `score(row)`: the score of two classes, above 0 for the positive one; `scores(row)` of more, one per class.
 * - `probabilities(row)`: one per class, if the model is calibrated.
 *
 * A row is what `Predictor` takes. A row that cannot be read throws a `TypeError` or `RangeError`. The program works
 * under a content security policy that forbids `eval`, and needs ES2022.
 *
 * @throws HalfspaceError `option-invalid` for kernel models of many rows, and for hashed features, which have no rows.
 */
export function toJavaScript(model: Model, { form = 'module', name = 'model' }: JavaScriptOptions = {}): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name))
    throw new HalfspaceError('option-invalid', `expected the name of a constant, such as model; got ${name}`);
  const { head, statements, exported } = program(model);
  const names = exported.map(([as, own]) => (as === own ? as : `${as}: ${own}`));
  switch (form) {
    case 'module': {
      const list = exported.map(([as, own]) => (as === own ? as : `${own} as ${as}`));
      return `${head}${statements.join('\n')}\nexport { ${list.join(', ')} };\n`;
    }
    case 'commonjs':
      return `${head}'use strict';\n${statements.join('\n')}\nmodule.exports = { ${names.join(', ')} };\n`;
    case 'function':
      return `${head}const ${name} = (() => {\n'use strict';\n${statements.join('\n')}\nreturn { ${names.join(', ')} };\n})();\n`;
    default:
      throw new HalfspaceError('option-invalid', `expected the form module, commonjs or function; got ${String(form)}`);
  }
}

/** Writes the ES module of {@link toJavaScript} with the types of its functions and of the row. */
export function toTypeScript(model: Model): string {
  const { head, statements, exported } = program(model);
  const signatures: Readonly<Record<string, string>> = {
    classes: `readonly [${labelsOf(model).join(', ')}]`,
    predict: `(row: Row) => ${labelsOf(model).join(' | ')}`,
    score: '(row: Row) => number',
    scores: '(row: Row) => number[]',
    probabilities: '(row: Row) => number[]',
  };
  // The runtime may have these names; those of the user are given when they are exported.
  const typed = exported.map(([as, own]) => `const ${as}Typed: ${signatures[as]} = ${own};`);
  const names = exported.map(([as]) => `${as}Typed as ${as}`);
  return `${head}// @ts-nocheck\n// Only the declarations at the end have types.\n\n${rowType(model)}\n\n${statements.join('\n')}\n${typed.join('\n')}\nexport { ${names.join(', ')} };\n`;
}

/** Writes the classes as labels of the type that the model learned. */
function labelsOf({ classes, labelType }: Model): string[] {
  return classes.map((name) => {
    const label = labelValue(name, labelType);
    return typeof label === 'string' ? literal(label) : typeof label === 'bigint' ? `${label}n` : String(label);
  });
}

interface Program {
  readonly head: string;
  readonly statements: readonly string[];
  /** Names for the user, and the names in the program. */
  readonly exported: readonly (readonly [as: string, own: string])[];
}

function program(model: Model): Program {
  if (model.features.kind === 'hashed')
    throw new HalfspaceError(
      'option-invalid',
      'expected a model of named, numbered or table features; got one of hashed text, which has no rows',
    );
  const row = rowReading(model);
  const { data: scores, score, outputs } = scoring(model);
  const shares = probabilities(model);
  const own = [
    `const dense = ${row.dense};`,
    `const classNames = [${labelsOf(model).join(', ')}];`,
    ...row.data,
    ...scores,
    `function scoreRow(row) {\n  begin();\n  ${row.body.join('\n  ')}\n  return ${score};\n}`,
    `function predictRow(row) {\n  const s = scoreRow(row);\n  return classNames[${outputs === 1 ? `${isPositive(model)} ? 1 : 0` : 'highest(s)'}];\n}`,
    ...(shares === null ? [] : [`function shareRow(row) {\n  const s = scoreRow(row);\n  ${shares}\n}`]),
  ];
  const described = `${model.rule}, ${model.classes.length} classes`;
  return {
    head: `// A model of halfspace (${described}), written by halfspace/export. It answers rows with the same bits.\n`,
    statements: [...runtimeFor(own.join('\n')), ...own],
    exported: [
      ['classes', 'classNames'],
      ['predict', 'predictRow'],
      [outputs === 1 ? 'score' : 'scores', 'scoreRow'],
      ...(shares === null ? [] : [['probabilities', 'shareRow'] as const]),
    ],
  };
}

/** Writes the declarations of the type of a row. */
function rowType({ features }: Model): string {
  switch (features.kind) {
    case 'table': {
      const kinds = {
        number: 'number | string | bigint | null',
        boolean: 'boolean | 0 | 1 | string | null',
        date: 'Date | string | number | null',
        category: 'string | number | boolean | bigint | null',
        set: 'string | readonly (string | number | boolean | bigint | null)[] | number | boolean | bigint | null',
        text: 'string | number | boolean | bigint | null',
      } as const;
      return interfaceOf(
        'its fields by name. A field that is absent or null is a missing value.',
        features.columns.map(({ name, kind }) => [name, kinds[kind]]),
      );
    }
    case 'named':
      return interfaceOf(
        'its features by name. A feature that is absent is 0.',
        features.names.map((name) => [name, 'number']),
      );
    default:
      return `/** A row: its numbers, or those that are not 0, by index. */\nexport type Row = ArrayLike<number> | { readonly indices: ArrayLike<number>; readonly values: ArrayLike<number> };`;
  }
}

/**
 * Without an index signature, so that interfaces fit and misspelt fields do not. For the compiler all objects have
 * members such as `constructor`, so fields of these names have no type of their own.
 */
function interfaceOf(what: string, fields: readonly (readonly [name: string, type: string])[]): string {
  const members = fields.map(([name, type]) => {
    const known = name in Object.prototype ? 'unknown' : `${type} | undefined`;
    return `  readonly ${literal(name)}?: ${known};\n`;
  });
  return `/** A row: ${what} */\nexport interface Row {\n${members.join('')}}`;
}

const statementOf = new Map(
  runtimeText.flatMap((statement) => statement.names.map((name) => [name, statement] as const)),
);

/** Returns the statements of the runtime that some code needs, in their order. */
function runtimeFor(code: string): string[] {
  const taken = new Set<(typeof runtimeText)[number]>();
  const take = (name: string): void => {
    const statement = statementOf.get(name);
    if (statement === undefined || taken.has(statement)) return;
    taken.add(statement);
    statement.needs.forEach(take);
  };
  for (const [word] of code.matchAll(/[A-Za-z_$][\w$]*/g)) take(word);
  return runtimeText.filter((statement) => taken.has(statement)).map(({ text }) => text);
}

/** The part of a program that turns the features of a row into scores: data, and expressions. */
interface Scoring {
  readonly data: readonly string[];
  /** One for two classes, else one list for all. */
  readonly score: string;
  /** Number of scores: 1 for two classes. */
  readonly outputs: number;
}

/** Writes the scoring of a model. @throws HalfspaceError `option-invalid` for a kernel model of many rows. */
function scoring(model: Model): Scoring {
  const outputs = model.classes.length === 2 ? 1 : model.classes.length;
  if (model.kind === 'tree') return { ...treeScoring(model), outputs };
  if (model.kind === 'dual') return { ...dualScoring(model), outputs };
  const functions = scoreFunctions(model);
  const written = functions.map(weights);
  const calls = functions.map(({ of, offset }, k) => `linear(weights${k}, ${of.divisor}, ${offset})`);
  return {
    data: written.map((text, k) => `const weights${k} = ${text};`),
    score: outputs === 1 ? calls[0]! : `[${calls.join(', ')}]`,
    outputs,
  };
}

function weights({ weightOf, weights }: ScoreFunction): string {
  const at: number[] = [];
  for (let j = 0; j < weights; j++) if (weightOf(j) !== 0) at.push(j);
  if (at.length * 3 < weights) return `sparseWeights(${data(at)}, ${data(at.map(weightOf))})`;
  return `denseWeights(${data(Array.from({ length: weights }, (_, j) => weightOf(j)))})`;
}

function dualScoring(model: DualModel): Omit<Scoring, 'outputs'> {
  const { features, divisor, functions } = expansionsOf(model);
  const calls = functions.map((_, k) => `expansion${k}(point)`);
  return {
    data: [
      `const kernelFeatures = ${data(features)};`,
      ...functions.map((each, k) => `const expansion${k} = expansion(${data(each)}, kernelFeatures);`),
      `function kernelScores() {\n  const point = pointOf(${divisor});\n  return ${calls.length === 1 ? calls[0] : `[${calls.join(', ')}]`};\n}`,
    ],
    score: 'kernelScores()',
  };
}

function treeScoring(model: TreeModel): Omit<Scoring, 'outputs'> {
  const { columns, owners } = treeColumns(model);
  const isCategory = ({ column }: EncodedColumn) => (column.kind === 'category' ? 1 : 0);
  const described = columns.map((each) => [isCategory(each), each.first, each.indicator, each.mean, each.deviation]);
  const isTwo = model.classes.length === 2;
  const scores = nodeScores(model).map((all) => (isTwo ? all[0] : all));
  return {
    data: [
      `const treeColumns = ${data(described)};`,
      `const owners = ${data(owners)};`,
      `const splits = [\n  ${model.tree.nodes.map(({ split }) => data(split)).join(',\n  ')},\n];`,
      `const leafScores = ${data(scores)};`,
    ],
    score: `leafScores[leafOf(treeColumns, owners, splits)]${isTwo ? '' : '.slice()'}`,
  };
}

/** Writes the condition on the score `s` of two classes for the positive one. */
function isPositive(model: Model): string {
  return tieOf(model) > 0 ? 's >= 0' : 's > 0';
}

/** Writes the probabilities by scores `s`; null without calibration. */
function probabilities({ calibration, classes }: Model): string | null {
  if (calibration === null) return null;
  const [own] = calibration;
  switch (own.kind) {
    case 'softmax':
      return `return shares(softmax(${data(own)}, s, 0, ${classes.length}));`;
    case 'isotonic-leads':
      return `return shares(byLead(${data(own)}, s, 0, ${classes.length}));`;
    case 'isotonic':
      return ofTwo(`interpolate(${data(own.scores)}, ${data(own.probabilities)}, s)`);
    default: {
      if (own.slope === 0) return ofTwo(`sigmoid(${own.intercept})`);
      const clipped = own.kind === 'platt' ? 's' : `Math.min(Math.max(s, ${own.low}), ${own.high})`;
      return ofTwo(`sigmoid(${own.slope} * ${clipped} + ${own.intercept})`);
    }
  }
}

const ofTwo = (p: string): string => `const p = ${p};\n  return [1 - p, p];`;
