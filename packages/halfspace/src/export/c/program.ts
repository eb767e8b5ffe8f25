import { HalfspaceError } from '../../errors.ts';
import type { LinearModel } from '../../model/linear/model.ts';
import { type Model, tieOf } from '../../model/model.ts';
import type { MulticlassModel } from '../../model/multiclass/model.ts';
import { checkTexts, textsOf } from '../texts.ts';
import { nodeScores, type TreeModel, treeColumns } from '../tree.ts';
import { scoreFunctions } from '../weights.ts';
import { probabilityCode } from './calibration.ts';
import { type RowCode, rowCode } from './row.ts';
import { array, cString, double, inComment } from './write.ts';

export interface COptions {
  /** Beginning of all names in the header, an identifier. Default `model`. */
  readonly name?: string | undefined;
}

/**
 * Writes a model as one C99 header without allocation and without libraries; all of it is `static`. Its first comment
 * describes the row, an array of doubles: one per column of a table, or one per feature. Scores and probabilities have
 * the bits of `Predictor` where the compiler keeps to IEEE 754 (`-ffp-contract=off`, no `-ffast-math`).
 *
 * @throws HalfspaceError `option-invalid` for kernel models, text and hashed features: C has no row for them; and for
 *   names with NUL or a half of a character.
 */
export function toC(model: Model, { name = 'model' }: COptions = {}): string {
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new HalfspaceError('option-invalid', `expected the beginning of names in C, such as model; got ${name}`);
  if (model.kind === 'dual')
    throw new HalfspaceError(
      'option-invalid',
      'expected a linear model or a tree; got one with a kernel, which needs its training rows',
    );
  checkTexts(textsOf(model));
  const row = rowCode(model, name);
  const { classes } = model;
  const scores = classes.length === 2 ? 1 : classes.length;
  const guard = `${name.toUpperCase()}_H`;
  const code = [
    comment(model, name, row),
    `#ifndef ${guard}\n#define ${guard}\n\n#include <math.h>\n#include <stddef.h>\n#include <string.h>`,
    `enum { ${name}_columns = ${row.columns}, ${name}_classes = ${classes.length}, ${name}_scores_length = ${scores} };`,
    array('char *const', `${name}_class_names`, classes.map(cString)),
    ...row.code,
    ...(model.kind === 'tree' ? treeCode(model, name) : linearCode(model, name)),
    predictCode(name, scores, tieOf(model) > 0 ? '>=' : '>'),
    ...probabilityCode(model, name),
    `#endif`,
  ];
  return `${code.join('\n\n')}\n`;
}

function comment(model: Model, name: string, row: RowCode): string {
  const lines = [
    `A model of halfspace (${model.rule}), written by halfspace/export.`,
    '',
    `${name}_scores(row, scores) writes ${model.classes.length === 2 ? 'the score: above 0 for the second class' : 'one score per class; the highest wins'}.`,
    `${name}_predict(row) returns the position of the class in ${name}_class_names.`,
    ...(model.calibration === null
      ? []
      : [`${name}_probabilities(row, probabilities) writes one probability per class.`]),
    '',
    ...row.description,
  ];
  return `/*\n${lines.map((line) => ` * ${inComment(line)}`.trimEnd()).join('\n')}\n */`;
}

function predictCode(name: string, scores: number, above: string): string {
  if (scores === 1)
    return `static inline int ${name}_predict(const double *row) {
  double score;
  ${name}_scores(row, &score);
  return score ${above} 0.0 ? 1 : 0;
}`;
  return `static inline int ${name}_predict(const double *row) {
  double scores[${scores}];
  int best = 0;
  ${name}_scores(row, scores);
  for (int k = 1; k < ${scores}; k++) if (scores[k] > scores[best]) best = k;
  return best;
}`;
}

/** Writes `NAME_scores(row, scores)` of a linear model. */
function linearCode(model: LinearModel | MulticlassModel, name: string): string[] {
  const functions = scoreFunctions(model);
  const { divisor } = functions[0]!.of;
  const width = functions[0]!.weights;
  const value = divisor === 1 ? 'list.values[k]' : `(list.values[k] / ${double(divisor)})`;
  const all = functions.flatMap(({ weightOf }) => Array.from({ length: width }, (_, j) => double(weightOf(j))));
  return [
    array('double', `${name}_weights`, all),
    array(
      'double',
      `${name}_offsets`,
      functions.map(({ offset }) => double(offset)),
    ),
    `/* Adds up in four lanes, like the library, so that the bits are the same. */
static inline void ${name}_scores(const double *row, double *scores) {
  ${name}_list list;
  ${name}_features(row, &list);
  for (int s = 0; s < ${functions.length}; s++) {
    const double *w = ${name}_weights + (size_t)s * ${width};
    double lanes[4] = { 0.0, 0.0, 0.0, 0.0 };
    for (int k = 0; k < list.count; k++) lanes[k & 3] += w[list.indices[k]] * ${value};
    scores[s] = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ${name}_offsets[s];
  }
}`,
  ];
}

/** Writes `NAME_scores(row, scores)` of a tree. */
function treeCode(model: TreeModel, name: string): string[] {
  const { tree, classes } = model;
  const scores = classes.length === 2 ? 1 : classes.length;
  const { columns: encoded, owners } = treeColumns(model);
  const columns = encoded.map(({ column, first, indicator, mean, deviation }) => {
    const isCategory = column.kind === 'category' ? 1 : 0;
    return `{ ${isCategory}, ${first}, ${indicator}, ${double(mean)}, ${double(deviation)} }`;
  });
  const branches: string[] = [];
  const nodes = tree.nodes.map(({ split }) => {
    if (split === null) return '{ -1, 0, 0, 0, 0, 0.0 }';
    const from = branches.length;
    if (split.kind === 'category') {
      branches.push(...split.levels.map((level, k) => `{ ${level}, ${split.children[k]} }`));
      return `{ 2, ${split.column}, ${split.children[split.missing]}, ${from}, ${split.levels.length}, 0.0 }`;
    }
    const [low, high] = split.children;
    if (split.kind === 'missing') return `{ 1, ${split.column}, ${low}, ${high}, 0, 0.0 }`;
    return `{ 0, ${split.column}, ${low}, ${high}, ${split.children[split.missing]}, ${double(split.threshold)} }`;
  });
  const leaves = nodeScores(model).flat().map(double);
  return [
    `typedef struct {
  int is_category, first, indicator;
  double mean, deviation;
} ${name}_tree_column;

/*
 * Kind 0: x <= threshold goes to a, else to b; missing to c. 1: present to a, missing to b.
 * 2: to the child of its level among c branches from b on, else to a.
 */
typedef struct {
  int kind, column, a, b, c;
  double threshold;
} ${name}_node;

typedef struct {
  int level, child;
} ${name}_branch;`,
    array(`${name}_tree_column`, `${name}_tree_columns`, columns.length === 0 ? ['{ 0, 0, -1, 0.0, 1.0 }'] : columns),
    array('int', `${name}_owners`, owners.map(String)),
    array(`${name}_node`, `${name}_nodes`, nodes),
    array(`${name}_branch`, `${name}_branches`, branches.length === 0 ? ['{ 0, 0 }'] : branches),
    array('double', `${name}_leaf_scores`, leaves),
    `static inline void ${name}_scores(const double *row, double *scores) {
  ${name}_list list;
  double cells[${Math.max(1, columns.length)}];
  int node = 0;
  ${name}_features(row, &list);
  for (int j = 0; j < ${columns.length}; j++) cells[j] = ${name}_tree_columns[j].is_category ? -1.0 : ${name}_tree_columns[j].mean;
  for (int k = 0; k < list.count; k++) {
    int index = list.indices[k], owner = index < ${owners.length} ? ${name}_owners[index] : -1;
    double value = list.values[k];
    if (owner < 0) continue;
    const ${name}_tree_column *c = &${name}_tree_columns[owner];
    if (c->is_category) {
      if (value != 0.0) cells[owner] = index == c->indicator ? -1.0 : index - c->first;
    } else if (index != c->indicator) cells[owner] = value * c->deviation + c->mean;
    else if (value != 0.0) cells[owner] = NAN;
  }
  while (${name}_nodes[node].kind >= 0) {
    const ${name}_node *n = &${name}_nodes[node];
    double x = cells[n->column];
    if (n->kind == 0) node = x != x ? n->c : x <= n->threshold ? n->a : n->b;
    else if (n->kind == 1) node = x != x ? n->b : n->a;
    else {
      node = n->a;
      for (int k = 0; k < n->c; k++) if (${name}_branches[n->b + k].level == (int)x) node = ${name}_branches[n->b + k].child;
    }
  }
  for (int s = 0; s < ${scores}; s++) scores[s] = ${name}_leaf_scores[node * ${scores} + s];
}`,
  ];
}
