import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model } from 'halfspace';
import { cellReader } from 'halfspace/export';
import type { Answer, Consumer, Exported } from './consumer.ts';
import { firstLine, run } from './programs.ts';
import type { AskedRow } from './rows.ts';

const flags = ['-std=c99', '-O1', '-ffp-contract=off'];

/**
 * A program that reads rows and prints the position of the class, the scores and the probabilities. A table's row: a
 * double per column; of a category, a length, -1 for a missing value, and bytes. Other rows: a length, then indices and
 * values.
 */
const asking = (
  name: string,
  isTable: boolean,
  kinds: readonly number[],
  isCalibrated: boolean,
) => `#include "program.h"
#include <stdio.h>
#include <stdlib.h>

static double row[${name}_columns + 1], scores[${name}_scores_length], shares[${name}_classes];
static char *text;
static size_t room;

static int get(void *to, size_t size) { return fread(to, 1, size, stdin) == size; }

static int read_row(void) {
  double x, length;
${
  isTable
    ? `  static const int is_category[] = { ${[...kinds, 0].join(', ')} };
  for (int j = 0; j < ${name}_columns; j++) {
    if (!get(&x, sizeof x)) return 0;
    row[j] = x;
    if (!is_category[j]) continue;
    length = x;
    if (length < 0.0) { row[j] = NAN; continue; }
    if ((size_t)length + 1 > room) {
      room = 2 * (size_t)length + 64;
      text = realloc(text, room);
      if (text == NULL) exit(1);
    }
    if (!get(text, (size_t)length)) return 0;
    text[(size_t)length] = 0;
${kinds.includes(1) ? `    row[j] = ${name}_level(j, text);` : ''}
  }`
    : `  memset(row, 0, sizeof row);
  if (!get(&length, sizeof length)) return 0;
  for (size_t k = 0; k < (size_t)length; k++) {
    double at;
    if (!get(&at, sizeof at) || !get(&x, sizeof x)) return 0;
    row[(size_t)at] = x;
  }`
}
  return 1;
}

int main(void) {
  size_t rows;
  double count;
  if (!get(&count, sizeof count)) return 1;
  for (rows = 0; rows < (size_t)count && read_row(); rows++) {
    ${name}_scores(row, scores);
    printf("%d", ${name}_predict(row));
    for (int k = 0; k < ${name}_scores_length; k++) printf(" %.17g", scores[k]);
${isCalibrated ? `    ${name}_probabilities(row, shares);\n    for (int k = 0; k < ${name}_classes; k++) printf(" %.17g", shares[k]);` : '    (void)shares;'}
    printf("\\n");
  }
  free(text);
  return 0;
}
`;

/** Compiles a C program with a compiler of this machine, and runs it. */
export async function startC({
  model,
  text,
  options: { name = 'model' },
  folder,
}: Exported): Promise<Consumer | string> {
  const compilers = [...(process.env.CC ? [process.env.CC] : []), 'gcc', 'clang', 'cc'];
  const compiler = compilers.find((each) => spawnSync(each, ['--version']).status === 0);
  if (compiler === undefined) return `no C compiler is installed: ${compilers.join(', ')}`;
  const { features, calibration, classes } = model;
  const isTable = features.kind === 'table';
  const kinds = isTable ? features.columns.map(({ kind }) => (kind === 'category' ? 1 : 0)) : [];
  writeFileSync(join(folder, 'program.h'), text);
  writeFileSync(join(folder, 'asking.c'), asking(name, isTable, kinds, calibration !== null));
  const program = join(folder, 'asking');
  await run(compiler, [...flags, '-o', program, join(folder, 'asking.c'), '-lm']);
  const scores = classes.length === 2 ? 1 : classes.length;
  const bytesOf = rowBytes(model);
  return {
    name: `${firstLine(compiler, '--version')}, ${flags.join(' ')}`,
    // A row in C has all features in the order of the model, so the sum of some of them has another order.
    exact: isTable,
    async ask(rows) {
      const out = await run(program, [], Buffer.concat([doubles([rows.length]), ...rows.flatMap(bytesOf)]));
      const lines = out.split('\n').slice(0, -1);
      return lines.map((line): Answer => {
        const [position, ...numbers] = line.split(' ').map(Number);
        return {
          class: classes[position!]!,
          scores: numbers.slice(0, scores),
          probabilities: calibration === null ? null : numbers.slice(scores),
        };
      });
    },
    close() {},
  };
}

const doubles = (numbers: readonly number[]) => Buffer.from(Float64Array.from(numbers).buffer);

function rowBytes({ features }: Model): (row: AskedRow) => Buffer[] {
  if (features.kind === 'table') {
    const readers = features.columns.map((column) => cellReader(column, features));
    return (row) =>
      readers.flatMap((read, c) => {
        const cell = read(row);
        if (features.columns[c]!.kind !== 'category') return [doubles([cell as number])];
        if (cell === null) return [doubles([-1])];
        const text = Buffer.from(cell as string);
        return [doubles([text.length]), text];
      });
  }
  const places = features.kind === 'named' ? new Map(features.names.map((name, j) => [name, j])) : null;
  return (row) => {
    const pairs =
      places === null
        ? (row as { indices: number[]; values: number[] }).indices.map((j, k) => [
            j,
            (row as { values: number[] }).values[k]!,
          ])
        : Object.entries(row).map(([name, value]) => [places.get(name)!, value as number]);
    return [doubles([pairs.length, ...pairs.flat()])];
  };
}
