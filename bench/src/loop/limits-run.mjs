/**
 * The same limits as limits/limits.c, for machines without a C compiler: JavaScript loops, so an estimate from above.
 *
 * arrays PREFIX | dense PREFIX COLUMNS | text FILE
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { readArrays, readDenseArrays } from './arrays.mjs';

const passes = 9;
let sink = 0;

const [task, path, columns] = process.argv.slice(2);
const tasks = { arrays, text, dense };
console.log(JSON.stringify(tasks[task](path, Number(columns))));
if (sink === 0.5) console.error(sink); // keeps the sums from being optimised away

function arrays(prefix) {
  const { rows, offsets, indices, values } = readArrays(prefix);
  const weights = Float64Array.from({ length: indices.reduce((a, b) => Math.max(a, b), 0) + 1 }, (_, j) => (j % 7) - 3);
  const nonzeros = values.length;
  const perNonzero = (loop) => (1e6 * best(passes, loop)) / nonzeros;
  return {
    nonzeros,
    gatherDotNanoseconds: perNonzero(() => gatherDot(rows, offsets, indices, values, weights)),
    ...streams(Float32Array.from(values), values),
  };
}

function dense(prefix, columns) {
  const { rows, values } = readDenseArrays(prefix);
  const weights = Float64Array.from({ length: columns }, (_, j) => j - 0.4 * columns);
  return {
    values: values.length,
    dotNanoseconds: (1e6 * best(passes, () => dotRows(rows, values, weights))) / values.length,
    ...streams(values, Float64Array.from(values)),
  };
}

function streams(narrow, wide) {
  return {
    stream4Nanoseconds: (1e6 * best(passes, () => stream(narrow))) / narrow.length,
    streamNanoseconds: (1e6 * best(passes, () => stream(wide))) / wide.length,
  };
}

function dotRows(rows, values, weights) {
  const columns = weights.length;
  let positives = 0;
  for (let i = 0, k = 0; i < rows; i++) {
    let score = 0;
    for (let j = 0; j < columns; j++) score += values[k++] * weights[j];
    if (score > 0) positives++;
  }
  return positives;
}

/** Milliseconds of the fastest of `count` runs. */
function best(count, loop) {
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    sink += loop();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

function stream(values) {
  let a = 0;
  let b = 0;
  for (let k = 0; k + 1 < values.length; k += 2) {
    a += values[k];
    b += values[k + 1];
  }
  return a + b;
}

function gatherDot(rows, offsets, indices, values, weights) {
  let positives = 0;
  for (let i = 0; i < rows; i++) {
    let score = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) score += values[k] * weights[indices[k]];
    if (score > 0) positives++;
  }
  return positives;
}

function text(file) {
  const piece = Buffer.allocUnsafe(1 << 20);
  let bytes = 0;
  let lines = 0;
  const milliseconds = best(3, () => {
    const descriptor = openSync(file, 'r');
    bytes = 0;
    lines = 0;
    for (let got = readSync(descriptor, piece); got > 0; got = readSync(descriptor, piece)) {
      bytes += got;
      for (let at = piece.indexOf(10); at >= 0 && at < got; at = piece.indexOf(10, at + 1)) lines++;
    }
    closeSync(descriptor);
    return lines;
  });
  return { bytes, lines, seconds: milliseconds / 1000 };
}
