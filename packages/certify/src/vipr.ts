import type { Certificate } from './certificate.ts';
import { fraction } from './exact/whole.ts';

/**
 * Yields the verdict of a certificate as a certificate of linear programming in the VIPR format 1.0, in pieces. The
 * programme has a variable for each weight and one for the bias, and for each row the constraint yᵢ(w·xᵢ + b) ≥ 1. It
 * has a solution if and only if a line separates the rows. `separable` becomes a solution, the separator divided by its
 * least score; `not-separable` becomes the derivation 0 ≥ Σ nᵢ of the first contradiction.
 *
 * @param rows the canonical rows of the certificate. They are not checked.
 * @throws RangeError for the verdict `unknown` and for an `interior`, which VIPR cannot tell.
 *
 * @see Cheung, Gleixner & Steffy (2017), Verifying integer programming results.
 */
export function* viprPieces(certificate: Certificate, rows: Uint8Array): Generator<string> {
  const { data, separator, contradictions } = certificate;
  const [contradiction] = contradictions;
  if (separator === null && contradiction === undefined)
    throw new RangeError('expected a separator or a contradiction; got the verdict unknown, or an interior');
  const lines = new TextDecoder().decode(rows).trimEnd().split('\n');
  yield `% ${JSON.stringify(data.classes)}: separable by a line if and only if feasible\nVER 1.0\n`;
  yield `VAR ${data.dimension + 1}\n`;
  for (let j = 0; j < data.dimension; j++) yield `w${j} `;
  yield `b\nINT 0\nOBJ min\n0\nCON ${lines.length} 0\n`;
  /** The least yᵢ(w·xᵢ + b), as a fraction. */
  let least: readonly [bigint, bigint] | null = null;
  const weights = separator?.weights.map(BigInt) ?? [];
  for (const [i, line] of lines.entries()) {
    const [label, ...cells] = line.split(' ');
    const y = label === '+1' ? 1n : -1n;
    let [sum, scale] = [separator === null ? 0n : BigInt(separator.bias), 1n];
    let constraint = '';
    for (const cell of cells) {
      const [j, number] = cell.split(':') as [string, string];
      const [a, b] = termsOf(number);
      constraint += ` ${j} ${fraction(y * a, b)}`;
      if (separator === null) continue;
      // A common denominator of the row: the larger of two powers, or their product.
      const common = scale % b === 0n ? scale : b % scale === 0n ? b : scale * b;
      sum = sum * (common / scale) + weights[Number(j)]! * a * (common / b);
      scale = common;
    }
    yield `C${i + 1} G 1 ${cells.length + 1}${constraint} ${data.dimension} ${y}\n`;
    if (least === null || y * sum * least[1] < least[0] * scale) least = [y * sum, scale];
  }
  if (separator !== null) {
    const [a, b] = least!;
    const solution = [...weights, BigInt(separator.bias)].map((w, j) => [j, w] as const).filter(([, w]) => w !== 0n);
    yield `RTP range -inf 0\nSOL 1\nline ${solution.length}`;
    for (const [j, w] of solution) yield ` ${j} ${fraction(w * b, a)}`;
    yield '\nDER 0\n';
    return;
  }
  const { rows: used, weights: parts, total } = contradiction!;
  yield `RTP infeas\nSOL 0\nDER 1\nD1 G ${total} 0 { lin ${used.length}`;
  for (const [k, row] of used.entries()) yield ` ${row - 1} ${parts[k]}`;
  yield ' } -1\n';
}

/** Returns a number of canonical rows as a fraction. */
function termsOf(number: string): [bigint, bigint] {
  const [digits, places] = number.split(/[ep]-/) as [string, string?];
  if (places === undefined) return [BigInt(digits), 1n];
  return [BigInt(digits), (number.includes('e') ? 10n : 2n) ** BigInt(places)];
}
