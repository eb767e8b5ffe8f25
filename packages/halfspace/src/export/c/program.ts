import { HalfspaceError } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { tieOf } from '../../model/model.ts';
import { checkTexts, textsOf } from '../texts.ts';
import { probabilityCode } from './calibration.ts';
import { type RowCode, rowCode } from './row.ts';
import { linearCode, treeCode } from './scores.ts';
import { array, cString, inComment } from './write.ts';

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
