import type { LinearModel } from '../../model/linear/model.ts';
import type { MulticlassModel } from '../../model/multiclass/model.ts';
import { nodeScores, type TreeModel, treeColumns } from '../tree.ts';
import { scoreFunctions } from '../weights.ts';
import { array, double } from './write.ts';

/** Writes `NAME_scores(row, scores)` of a linear model. */
export function linearCode(model: LinearModel | MulticlassModel, name: string): string[] {
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
export function treeCode(model: TreeModel, name: string): string[] {
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
