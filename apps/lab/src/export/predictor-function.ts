import type { Model, TableColumn, TableEncoding } from 'halfspace';
import { missingWords } from 'halfspace/tables';

/** Maximum number of weights that a function is written for. */
const mostWeights = 5000;

/**
 * Writes a JavaScript module with one function from a plain object to a class, without imports; or the reason why there
 * is none. It reads fields like the library if they have the kind of their column. Scores are summed feature by
 * feature, so a score that is 0 up to rounding may have another sign than in the library.
 */
export function predictorFunction(model: Model): { readonly code: string } | { readonly why: string } {
  const instead = 'Use the model file with the library.';
  if (model.kind !== 'linear')
    return { why: `A model of the rule ${model.rule} is no single sum of weights. ${instead}` };
  const { features, weights, bias, biasConstant, divisor, classes, tie } = model;
  if (features.kind !== 'table') return { why: `This model reads no tables. ${instead}` };
  if (weights.length > mostWeights) return { why: `${weights.length} weights are too many for a function. ${instead}` };
  const odd = features.columns.find((column) => !isSimple(column));
  if (odd !== undefined || features.crosses !== undefined)
    return {
      why: `The column ${JSON.stringify(odd?.name ?? 'crossed')} takes more than a function to read. ${instead}`,
    };
  const terms = termsOf(features, (index) => weights[index]! / divisor);
  const [negative, positive] = classes;
  return {
    code: `// Learned by halfspace: ${model.as === null ? model.rule : `${model.rule} as in ${model.as}`}. From a row, as an object, to its class.
const missing = new Set(${JSON.stringify(missingWords)});
const text = (value) => (value == null || missing.has(String(value).trim()) ? null : String(value).trim());
const number = (value, fill) => (text(value) === null ? fill : Number(text(value)));
const truth = (value, fill) => (text(value) === null ? fill : /^(true|t|yes|1)$/i.test(text(value)) ? 1 : 0);
const level = (weights, value, other, none) => (text(value) === null ? none : (weights.get(text(value)) ?? other));

export function predict(row) {
  let score = ${bias * biasConstant};
${terms.map((term) => `  score += ${term};`).join('\n')}
  return score ${tie > 0 ? '>=' : '>'} 0 ? ${JSON.stringify(positive)} : ${JSON.stringify(negative)};
}
`,
  };
}

function isSimple(column: TableColumn): boolean {
  return (
    (column.kind === 'category' && column.others === undefined) ||
    column.kind === 'boolean' ||
    (column.kind === 'number' && column.edges === undefined && column.notation === undefined)
  );
}

/** The terms of each column in the score. */
function termsOf({ columns, scale }: TableEncoding, weightOf: (index: number) => number): string[] {
  let index = 0;
  const terms: string[] = [];
  for (const column of columns) {
    const field = `row[${JSON.stringify(column.name)}]`;
    if (column.kind === 'category') {
      const levels = column.levels.map((name) => [name, weightOf(index++)]);
      const other = column.rare === undefined ? 0 : weightOf(index++);
      const none = column.missing.indicator ? weightOf(index++) : 0;
      terms.push(`level(new Map(${JSON.stringify(levels)}), ${field}, ${other}, ${none})`);
      continue;
    }
    if (column.kind === 'text' || column.kind === 'set') continue;
    const read = `${column.kind === 'boolean' ? 'truth' : 'number'}(${field}, ${column.missing.fill})`;
    const weight = weightOf(index++);
    const scaled = scale === 'standard' && column.kind === 'number';
    terms.push(
      scaled
        ? `${weight} * ((${read} - ${column.mean}) / ${(column as { deviation: number }).deviation})`
        : `${weight} * ${read}`,
    );
    if (column.missing.indicator) terms.push(`(text(${field}) === null ? ${weightOf(index++)} : 0)`);
  }
  return terms;
}
