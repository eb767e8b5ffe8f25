import { Predictor } from 'halfspace';
import { fromJson, fromOnnx } from 'halfspace/export';
import { expect } from 'vitest';

/** A classifier as foreign_classifiers.py prints it. */
export interface ForeignClassifier {
  readonly name: string;
  /** Its ONNX file, in base64. */
  readonly onnx: string;
  /** Null behind a StandardScaler, which the coefficients do not have. */
  readonly coefficients: object | null;
  readonly rows: readonly (readonly number[])[];
  readonly classes: readonly (string | number | boolean)[];
  /** One for each row of two classes, else a list. */
  readonly scores: readonly (number | readonly number[])[];
}

/** Checks that what is imported gives the classes of scikit-learn, and its scores up to the rounding of floats. */
export function checkImports({ name, onnx, coefficients, rows, classes, scores }: ForeignClassifier): void {
  const graph = new Predictor(fromOnnx(Buffer.from(onnx, 'base64'), name));
  // skl2onnx writes false and true as 0 and 1.
  const numbered = classes.map((each) => String(typeof each === 'boolean' ? Number(each) : each));
  const all = [[graph, numbered]] as [Predictor, string[]][];
  if (coefficients !== null)
    all.push([new Predictor(fromJson(JSON.stringify(coefficients), name)), classes.map(String)]);
  for (const [predictor, expected] of all) {
    expect(
      rows.map((row) => predictor.predict(row)),
      name,
    ).toEqual(expected);
    rows.forEach((row, i) => {
      const own = predictor.scores(row);
      [scores[i]!].flat().forEach((score, k) => {
        expect(Math.abs(own[k]! - score), name).toBeLessThan(1e-3 * (1 + Math.abs(score)));
      });
    });
  }
}
