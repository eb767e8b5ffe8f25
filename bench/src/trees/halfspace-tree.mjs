// Grows one tree from columns of doubles, and prints how long that took and how good it is:
//   node halfspace-tree.mjs FILE ROWS COLUMNS DEPTH
import { readFileSync } from 'node:fs';
import { growTree, leavesInto, majority, treeSize } from 'halfspace/tree';

const [file, ...shape] = process.argv.slice(2);
const [rows, columns, maxDepth] = shape.map(Number);
const bytes = readFileSync(file);
const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
const learned = Math.floor(rows * 0.9);
const column = (c, from, to) => numbers.slice(c * rows + from, c * rows + to);
const part = (from, to) => ({
  rows: to - from,
  columns: Array.from({ length: columns }, (_, c) => ({ kind: 'number', name: `x${c}` })),
  values: Array.from({ length: columns }, (_, c) => column(c, from, to)),
  classes: ['0', '1'],
  labels: Int32Array.from(column(columns, from, to)),
  importance: null,
});

const table = part(0, learned);
const began = performance.now();
const tree = growTree(table, { maxDepth, pruning: null });
const seconds = (performance.now() - began) / 1000;
const held = part(learned, rows);
const leaves = new Uint32Array(held.rows);
leavesInto(tree, held.values, held.rows, leaves);
const right = held.labels.reduce((sum, y, i) => sum + (majority(tree.nodes[leaves[i]].counts) === y ? 1 : 0), 0);
console.log(JSON.stringify({ seconds, leaves: treeSize(tree).leaves, accuracy: right / held.rows }));
