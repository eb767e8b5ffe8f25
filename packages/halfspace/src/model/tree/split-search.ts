import type { BinnedColumn } from './bins.ts';
import { type Impurity, impurityOf, negligible, timesLog2 } from './criteria.ts';
import type { TreeSettings } from './options.ts';
import type { Pausable, WorkCounter } from './pausable.ts';

/*
 * Finds the best test for one node from its histogram.
 *
 * Numbers: all thresholds between neighbouring values in the node. Missing values go to the side with the larger gain;
 * "is it missing?" is a candidate too. If the node has none, later ones go to the larger side. This is the default
 * direction of Chen & Guestrin, "XGBoost", 2016, algorithm 3, and of scikit-learn's trees. Quinlan's C4.5 instead sends
 * parts of an example down every branch: the tree is then no longer a sequence of questions.
 *
 * Categories with at most `multiway` levels: one child per level (Quinlan 1986). Missing values and levels below
 * `minLeaf` share one more child; if they are too few for it, they go to the largest child. Categories with more
 * levels: one level against all other values, as in trees over one feature per level.
 *
 * Of equally good candidates the first wins: by column, then by threshold, then with missing values to the left.
 */

/** A test on bins. `childOfBin[b]` is the child of bin b; the last entry is the child of missing values. */
export interface BinSplit {
  readonly kind: 'number' | 'category' | 'missing';
  readonly column: number;
  /** For `number`: the last bin of the left child, and the next bin that is not empty. */
  readonly between: readonly [number, number];
  /** For `category`: the bins that have a child each. */
  readonly levels: readonly number[];
  readonly missing: number;
  readonly children: number;
  readonly childOfBin: Uint32Array;
}

/** The node to split. */
interface NodeCounts {
  readonly histogram: Float64Array;
  readonly counts: Float64Array;
  readonly total: number;
  /** Columns that may vary in the node. */
  readonly columns: readonly number[];
}

interface Candidate {
  /** Sum of N · i over the children. */
  readonly impurity: number;
  /** −N Σⱼ qⱼ log₂ qⱼ. */
  readonly information: number;
  readonly describe: () => BinSplit;
}

/** Settings and buffers shared by all searches. */
interface Searched {
  /** `Histograms.starts`. */
  readonly starts: Uint32Array;
  readonly classes: number;
  readonly settings: TreeSettings;
  readonly work: WorkCounter;
}

export class SplitSearch {
  readonly #columns: readonly BinnedColumn[];
  readonly #starts: Uint32Array;
  readonly #classes: number;
  readonly #minLeaf: number;
  readonly #multiway: number;
  readonly #impurity: Impurity;
  readonly #isRatio: boolean;
  readonly #work: WorkCounter;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  readonly #joined: Float64Array;

  constructor(columns: readonly BinnedColumn[], { starts, classes, settings, work }: Searched) {
    this.#work = work;
    this.#columns = columns;
    this.#starts = starts;
    this.#classes = classes;
    this.#minLeaf = settings.minLeaf;
    this.#multiway = settings.multiway;
    this.#impurity = impurityOf(settings.criterion);
    this.#isRatio = settings.criterion === 'gain-ratio';
    this.#left = new Float64Array(classes);
    this.#right = new Float64Array(classes);
    this.#joined = new Float64Array(classes);
  }

  /** Returns the best split, or null, and the columns that vary in the node: only these can be split further down. */
  *best(node: NodeCounts): Pausable<{ readonly split: BinSplit | null; readonly varying: readonly number[] }> {
    const varying: number[] = [];
    const candidates: Candidate[] = [];
    for (const c of node.columns) {
      if (this.#work.add((this.#starts[c + 1]! - this.#starts[c]!) * this.#classes)) yield;
      if (!this.#varies(node, c)) continue;
      varying.push(c);
      const candidate = this.#bestOf(node, c);
      if (candidate !== null) candidates.push(candidate);
    }
    return { split: this.#choose(node, candidates)?.describe() ?? null, varying };
  }

  #choose({ counts, total }: NodeCounts, candidates: readonly Candidate[]): Candidate | null {
    const slack = total * negligible;
    let best: Candidate | null = null;
    if (!this.#isRatio) {
      for (const each of candidates) if (best === null || each.impurity < best.impurity - slack) best = each;
      return best;
    }
    const before = this.#impurity(counts, 0, this.#classes, total);
    const mean = candidates.reduce((sum, { impurity }) => sum + before - impurity, 0) / candidates.length;
    let bestRatio = -1;
    for (const each of candidates) {
      const gain = before - each.impurity;
      if (gain < mean - slack) continue;
      const ratio = gain / each.information;
      if (ratio <= bestRatio + negligible) continue;
      best = each;
      bestRatio = ratio;
    }
    return best;
  }

  #bestOf(node: NodeCounts, c: number): Candidate | null {
    const { ranges, bins } = this.#columns[c]!;
    if (ranges !== null) return this.#bestThreshold(node, c);
    return bins <= this.#multiway ? this.#bestLevels(node, c) : this.#bestLevel(node, c);
  }

  #varies({ histogram }: NodeCounts, c: number): boolean {
    const classes = this.#classes;
    let filled = 0;
    for (let b = this.#starts[c]!; b < this.#starts[c + 1]!; b++) {
      for (let k = b * classes; k < (b + 1) * classes; k++)
        if (histogram[k]! > 0) {
          filled++;
          break;
        }
      if (filled > 1) return true;
    }
    return false;
  }

  #bestThreshold({ histogram, counts, total }: NodeCounts, column: number): Candidate | null {
    const classes = this.#classes;
    const minLeaf = this.#minLeaf;
    const left = this.#left.fill(0);
    const right = this.#right;
    const joined = this.#joined;
    const { bins } = this.#columns[column]!;
    const start = this.#starts[column]! * classes;
    const lost = start + bins * classes; // the bin of missing values
    let missing = 0;
    for (let k = 0; k < classes; k++) missing += histogram[lost + k]!;
    const slack = total * negligible;
    let best = Infinity;
    let between: [number, number] = [0, 0];
    let way: 0 | 1 | 'apart' = 0;
    let sizeLeft = 0;
    let bestLeft = 0;

    const tryCut = (left: Float64Array, size: number, kind: 0 | 1 | 'apart', bin: number, next: number) => {
      if (size < minLeaf || total - size < minLeaf) return;
      for (let k = 0; k < classes; k++) right[k] = counts[k]! - left[k]!;
      const impurity = this.#impurity(left, 0, classes, size) + this.#impurity(right, 0, classes, total - size);
      if (!(impurity < best - slack)) return;
      best = impurity;
      between = [bin, next];
      way = kind;
      bestLeft = size;
    };
    let previous = -1;
    for (let b = 0; b < bins; b++) {
      const at = start + b * classes;
      let size = 0;
      for (let k = 0; k < classes; k++) size += histogram[at + k]!;
      if (size === 0) continue;
      if (previous >= 0) {
        if (missing > 0) {
          for (let k = 0; k < classes; k++) joined[k] = left[k]! + histogram[lost + k]!;
          tryCut(joined, sizeLeft + missing, 0, previous, b);
          tryCut(left, sizeLeft, 1, previous, b);
        } else tryCut(left, sizeLeft, sizeLeft * 2 >= total ? 0 : 1, previous, b);
      }
      for (let k = 0; k < classes; k++) left[k]! += histogram[at + k]!;
      sizeLeft += size;
      previous = b;
    }
    if (missing > 0 && previous >= 0) tryCut(left, sizeLeft, 'apart', 0, 0);
    if (best === Infinity) return null;
    return {
      impurity: best,
      information: this.#isRatio ? timesLog2(total) - timesLog2(bestLeft) - timesLog2(total - bestLeft) : 0,
      describe: () => thresholdSplit(column, bins, way, between),
    };
  }

  /** Returns the best split into one level and the rest. */
  #bestLevel({ histogram, counts, total }: NodeCounts, column: number): Candidate | null {
    const classes = this.#classes;
    const { bins } = this.#columns[column]!;
    const start = this.#starts[column]! * classes;
    const rest = this.#right;
    const slack = total * negligible;
    let best = Infinity;
    let level = 0;
    let bestSize = 0;
    for (let b = 0; b < bins; b++) {
      const at = start + b * classes;
      let size = 0;
      for (let k = 0; k < classes; k++) size += histogram[at + k]!;
      if (size < this.#minLeaf || total - size < this.#minLeaf) continue;
      for (let k = 0; k < classes; k++) rest[k] = counts[k]! - histogram[at + k]!;
      const impurity = this.#impurity(histogram, at, classes, size) + this.#impurity(rest, 0, classes, total - size);
      if (!(impurity < best - slack)) continue;
      best = impurity;
      level = b;
      bestSize = size;
    }
    if (best === Infinity) return null;
    return {
      impurity: best,
      information: this.#isRatio ? timesLog2(total) - timesLog2(bestSize) - timesLog2(total - bestSize) : 0,
      describe: () => levelSplit(column, bins, [level], 1, 2),
    };
  }

  #bestLevels({ histogram, total }: NodeCounts, column: number): Candidate | null {
    const classes = this.#classes;
    const { bins } = this.#columns[column]!;
    const start = this.#starts[column]! * classes;
    const sizes = new Float64Array(bins + 1);
    const levels: number[] = [];
    const others = this.#left.fill(0);
    let othersSize = 0;
    let largest = 0; // a position in `levels`
    for (let b = 0; b <= bins; b++) {
      for (let k = 0; k < classes; k++) sizes[b]! += histogram[start + b * classes + k]!;
      if (b < bins && sizes[b]! >= this.#minLeaf) {
        levels.push(b);
        if (sizes[b]! > sizes[levels[largest]!]!) largest = levels.length - 1;
        continue;
      }
      for (let k = 0; k < classes; k++) others[k]! += histogram[start + b * classes + k]!;
      othersSize += sizes[b]!;
    }
    const apart = othersSize >= this.#minLeaf;
    const children = levels.length + (apart ? 1 : 0);
    if (children < 2) return null;

    let impurity = 0;
    let information = timesLog2(this.#isRatio ? total : 0);
    const add = (counts: Float64Array, at: number, size: number) => {
      impurity += this.#impurity(counts, at, classes, size);
      if (this.#isRatio) information -= timesLog2(size);
    };
    levels.forEach((b, child) => {
      if (apart || othersSize === 0 || child !== largest) add(histogram, start + b * classes, sizes[b]!);
    });
    if (!apart && othersSize > 0) {
      const b = levels[largest]!;
      for (let k = 0; k < classes; k++) others[k]! += histogram[start + b * classes + k]!;
      othersSize += sizes[b]!;
    }
    if (othersSize > 0) add(others, 0, othersSize);
    const missing = apart ? levels.length : largest;
    return { impurity, information, describe: () => levelSplit(column, bins, levels, missing, children) };
  }
}

function thresholdSplit(column: number, bins: number, way: 0 | 1 | 'apart', between: [number, number]): BinSplit {
  const childOfBin = new Uint32Array(bins + 1);
  const missing = way === 'apart' ? 1 : way;
  if (way !== 'apart') childOfBin.fill(1, between[1], bins);
  childOfBin[bins] = missing;
  return {
    kind: way === 'apart' ? 'missing' : 'number',
    column,
    between,
    levels: [],
    missing,
    children: 2,
    childOfBin,
  };
}

function levelSplit(column: number, bins: number, levels: number[], missing: number, children: number): BinSplit {
  const childOfBin = new Uint32Array(bins + 1).fill(missing);
  levels.forEach((b, child) => {
    childOfBin[b] = child;
  });
  return { kind: 'category', column, between: [0, 0], levels, missing, children, childOfBin };
}
