import type { SparseBatch } from 'halfspace/rules';
import { type FactorOptions, rowAt } from './cholesky.ts';
import { type TileMemory, tileHeight, tileMemory, tileWidth } from './dot-tile.ts';

/** Unit roundoff of doubles. */
const unit = 2 ** -53;

/**
 * Examples with a weight, as vectors zᵢ = yᵢ(xᵢ, 1)·D of the features that occur among them and are not left out. D is
 * diagonal, of powers of two, so that M = Σ nᵢzᵢzᵢᵀ has diagonal entries of about 1. It changes no proof: Σ nᵢzᵢ = 0 is
 * the same equation for each D.
 *
 * All numbers here are doubles with bounds on their rounding. u = 2⁻⁵³. A sum of N products nᵢ·zᵢⱼ or nᵢ·zᵢⱼ·zᵢₖ, in
 * any order, has an error below γ·Σ|nᵢ·zᵢⱼ·…| with γ = (N + 2)u/(1 − (N + 2)u) (Higham 2002, section 3.1 and lemma
 * 8.4). If the doubles are decimals that were rounded to the nearest double, each zᵢⱼ has another relative error of u,
 * and N + 4 in place of N + 2 holds for the decimals too.
 */
export class WeightedExamples {
  readonly examples: SparseBatch;
  readonly weights: ArrayLike<number>;
  /** Number of examples with a weight above 0. */
  readonly rows: number;
  /** Features in the order of the matrix; the constant is feature `dimension`, and stands first. */
  readonly features: readonly number[];
  /** Place of each feature in `features`; −1 for others. */
  readonly #place: Int32Array;
  /** D by feature. */
  readonly #scale: Float64Array;

  /**
   * @param weights whole numbers from 0 to 2⁵³, one for each example, some above 0.
   * @param leftOut features, not the constant.
   * @throws RangeError for numbers so far apart that sums of squares would leave the range of doubles.
   */
  constructor(examples: SparseBatch, weights: ArrayLike<number>, leftOut: ReadonlySet<number> = new Set()) {
    const { rows, dimension, offsets, indices, values } = examples;
    this.examples = examples;
    this.weights = weights;
    const largest = new Float64Array(dimension + 1);
    let weighted = 0;
    for (let i = 0; i < rows; i++) {
      if (weights[i] === 0) continue;
      weighted++;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
        const size = Math.abs(values[at]!);
        if (size > largest[indices[at]!]!) largest[indices[at]!] = size;
      }
    }
    largest[dimension] = 1;
    this.rows = weighted;
    const scale = largest.map((size) => (size === 0 ? 0 : normalizing(size)));
    const squares = new Float64Array(dimension + 1);
    for (let i = 0; i < rows; i++) {
      if (weights[i] === 0) continue;
      squares[dimension]! += weights[i]! * squareOf(scale[dimension]!);
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++)
        squares[indices[at]!]! += weights[i]! * squareOf(values[at]! * scale[indices[at]!]!);
    }
    this.#scale = scale.map((power, j) => (power === 0 ? 0 : power * rootOfPower(squares[j]!)));
    const features = [dimension];
    this.#place = new Int32Array(dimension + 1).fill(-1);
    for (let j = 0; j < dimension; j++) if (largest[j]! > 0 && !leftOut.has(j)) features.push(j);
    features.forEach((j, place) => {
      this.#place[j] = place;
    });
    this.features = features;
    for (let i = 0; i < rows; i++)
      if (weights[i] !== 0)
        for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
          const size = Math.abs(values[at]!);
          // Then neither these numbers nor their products are subnormal.
          if (!(size > 2 ** -1000 && size * this.#scale[indices[at]!]! > 2 ** -400))
            throw new RangeError(`the numbers of a feature are too far apart in row ${i + 1}`);
        }
  }

  /** Visits the places and values of zᵢ. The products with powers of two are exact. */
  #visit(i: number, visit: (place: number, value: number) => void): void {
    const { dimension, offsets, indices, values, labels } = this.examples;
    const y = labels[i]!;
    visit(0, y * this.#scale[dimension]!);
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
      const j = indices[at]!;
      if (this.#place[j]! >= 0) visit(this.#place[j]!, y * values[at]! * this.#scale[j]!);
    }
  }

  /** Returns the power of two by which the feature at a place of `features` is multiplied. */
  scaleOf(place: number): number {
    return this.#scale[this.features[place]!]!;
  }

  /** Returns an upper bound of max‖zᵢ‖ · ‖Σ nᵢzᵢ‖. */
  residual(): number {
    const size = this.features.length;
    const sums = new Float64Array(size);
    const sizes = new Float64Array(size);
    let most = 0;
    for (let i = 0; i < this.examples.rows; i++) {
      const n = this.weights[i]!;
      if (n === 0) continue;
      let square = 0;
      this.#visit(i, (place, value) => {
        const term = n * value;
        sums[place]! += term;
        sizes[place]! += Math.abs(term);
        square += value * value;
      });
      if (square > most) most = square;
    }
    const rounding = 1.1 * (this.rows + 8) * unit;
    let square = 0;
    for (let k = 0; k < size; k++) square += squareOf(Math.abs(sums[k]!) + rounding * sizes[k]!);
    // Sums of fewer than 2³² squares, and two roots, lose less than this.
    return 1.01 * Math.sqrt(most) * Math.sqrt(square);
  }

  /**
   * Returns a bound b so that the least eigenvalue of M is above c − b if the Cholesky factorisation of the computed
   * M − cI ends, for 0 ≤ c ≤ 1. The trace of the computed M is at most 2.01·d. A symmetric matrix with entries of at
   * most ε·√(mᵢᵢmⱼⱼ) has a norm of at most ε·trace. So the rounding of M costs at most γ·1.01·trace with N + 4 in γ,
   * the factorisation γ/(1 − γ)·trace with d + 2 (see cholesky.ts), the subtraction of c at most 3u, and subnormal
   * products of the factor less than d²·2⁻¹⁰⁰⁰: together less than 2.1·d·(d + N + 10)·u.
   */
  get rounding(): number {
    const size = this.features.length;
    return 3 * size * (size + this.rows + 16) * unit;
  }

  /** Computes the lower half of M − cI, row by row. @param options `onBlock` is called from time to time, with 0. */
  async matrix(c: number, { onBlock }: Pick<FactorOptions, 'onBlock'> = {}): Promise<TileMemory> {
    const size = this.features.length;
    let products = 0;
    const { offsets, rows } = this.examples;
    for (let i = 0; i < rows; i++) if (this.weights[i] !== 0) products += (offsets[i + 1]! - offsets[i]! + 1) ** 2 / 2;
    const sum = products > (this.rows * size * size) / 16 ? this.#denseSum(onBlock) : this.#sparseSum(onBlock);
    const memory = await sum;
    for (let k = 0; k < size; k++) {
      const diagonal = memory.numbers[rowAt(k) + k]!;
      // The scale is chosen so; the bound on the trace needs it.
      if (!(diagonal > 0.49 && diagonal < 2.01)) throw new RangeError('the scale of a feature does not fit');
      memory.numbers[rowAt(k) + k] = diagonal - c;
    }
    return memory;
  }

  /** Adds the products of each feature with those before it, one feature after the other, over pieces of the rows. */
  async #sparseSum(onBlock: FactorOptions['onBlock']): Promise<TileMemory> {
    const size = this.features.length;
    const memory = tileMemory(rowAt(size));
    const { numbers } = memory;
    const { rows, offsets } = this.examples;
    let most = 0;
    for (let i = 0; i < rows; i += sparsePiece)
      most = Math.max(most, offsets[Math.min(rows, i + sparsePiece)]! - offsets[i]!);
    most += sparsePiece;
    const places = new Uint32Array(most);
    const values = new Float64Array(most);
    const begins = new Uint32Array(sparsePiece);
    /** Entries of each feature: their positions in `places`, and their rows. */
    const starts = new Uint32Array(size + 2);
    const held = new Uint32Array(most);
    const holders = new Uint32Array(most);
    for (let from = 0; from < rows; from += sparsePiece) {
      const to = Math.min(rows, from + sparsePiece);
      let end = 0;
      starts.fill(0);
      for (let i = from; i < to; i++) {
        begins[i - from] = end;
        if (this.weights[i] === 0) continue;
        this.#visit(i, (place, value) => {
          starts[place + 2]!++;
          places[end] = place;
          values[end++] = value;
        });
      }
      for (let k = 1; k < starts.length; k++) starts[k]! += starts[k - 1]!;
      // Filling moves every start to the beginning of the next feature.
      for (let i = from; i < to; i++)
        for (let at = begins[i - from]!; at < (i + 1 < to ? begins[i + 1 - from]! : end); at++) {
          const free = starts[places[at]! + 1]!++;
          held[free] = at;
          holders[free] = i;
        }
      for (let k = 0; k < size; k++) {
        if (k % featuresPerCall === 0) await onBlock?.(0);
        const row = rowAt(k);
        for (let at = starts[k]!; at < starts[k + 1]!; at++) {
          const i = holders[at]!;
          const last = held[at]!;
          const left = this.weights[i]! * values[last]!;
          for (let other = begins[i - from]!; other <= last; other++)
            numbers[row + places[other]!]! += left * values[other]!;
        }
      }
    }
    return memory;
  }

  /** The same for rows with few zeros: dot products of features over pieces of the rows. */
  async #denseSum(onBlock: FactorOptions['onBlock']): Promise<TileMemory> {
    const size = this.features.length;
    const left = rowAt(size);
    const right = left + size * piece;
    const memory = tileMemory(right + size * piece);
    const { numbers, tile } = memory;
    const out = new Float64Array(tileHeight * tileWidth);
    const [p, q] = [new Array<number>(tileHeight), new Array<number>(tileWidth)];
    let held = 0;
    for (let i = 0; i < this.examples.rows; i++) {
      const n = this.weights[i]!;
      if (n === 0) continue;
      this.#visit(i, (place, value) => {
        numbers[left + place * piece + held] = n * value;
        numbers[right + place * piece + held] = value;
      });
      if (++held === piece) await add();
    }
    if (held > 0) await add();
    return memory;

    async function add(): Promise<void> {
      for (let j = 0; j < size; j += tileHeight) {
        if (j % featuresPerCall === 0) await onBlock?.(0);
        for (let r = 0; r < tileHeight; r++) p[r] = left + Math.min(j + r, size - 1) * piece;
        for (let k = 0; k < j + tileHeight && k < size; k += tileWidth) {
          for (let c = 0; c < tileWidth; c++) q[c] = right + Math.min(k + c, size - 1) * piece;
          tile(p, q, piece, out);
          for (let r = 0; r < tileHeight && j + r < size; r++)
            for (let c = 0; c < tileWidth && k + c <= j + r; c++)
              numbers[rowAt(j + r) + k + c]! += out[r * tileWidth + c]!;
        }
      }
      numbers.fill(0, left, right + size * piece);
      held = 0;
    }
  }
}

function squareOf(value: number): number {
  return value * value;
}

/** Numbers of rows whose products are added at once, for rows with few zeros and with many. */
const piece = 128;
const sparsePiece = 4096;

/** Features of a piece between two calls of `onBlock`; a multiple of the height of a tile. */
const featuresPerCall = 256;

/** Returns the power of two that brings a size into [1/2, 1), if size and power are far from the ends of doubles. */
function normalizing(size: number): number {
  if (!(size > 2 ** -900 && size < 2 ** 900)) throw new RangeError('a number is too small or too large for this proof');
  let power = 1;
  while (size * power >= 1) power /= 2;
  while (size * power < 0.5) power *= 2;
  return power;
}

/** Returns the power of two whose square brings a square of at least 1/4 into [1/2, 2). */
function rootOfPower(square: number): number {
  let power = 1;
  while (square * power * power >= 2) power /= 2;
  while (square * power * power < 0.5) power *= 2;
  return power;
}
