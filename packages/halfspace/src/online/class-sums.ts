/** Sums of importance by class: all that {@link summarise} needs of a confusion matrix. */
export class ClassSums {
  /** Importance of the rows of each class. */
  actual: Float64Array;
  /** Importance of the rows that were predicted as each class. */
  predicted: Float64Array;
  /** Importance of the rows of each class that were predicted right. */
  right: Float64Array;

  constructor(capacity: number) {
    this.actual = new Float64Array(capacity);
    this.predicted = new Float64Array(capacity);
    this.right = new Float64Array(capacity);
  }

  /** @param predicted −1 for no prediction. */
  add(predicted: number, actual: number, importance: number): void {
    this.actual[actual]! += importance;
    if (predicted === actual) this.right[actual]! += importance;
    if (predicted >= 0) this.predicted[predicted]! += importance;
  }

  reserve(capacity: number): void {
    this.actual = extended(this.actual, capacity);
    this.predicted = extended(this.predicted, capacity);
    this.right = extended(this.right, capacity);
  }
}

/** Returns a longer copy, filled up with 0. */
function extended(numbers: Float64Array, length: number): Float64Array {
  const longer = new Float64Array(length);
  longer.set(numbers);
  return longer;
}

export interface Agreement {
  /** Sum of importance. */
  readonly weight: number;
  /** Share of the importance that was predicted right, in [0, 1]; NaN without rows. */
  readonly accuracy: number;
  /** Mean over the classes that occurred of the share predicted right; null without rows. */
  readonly balancedAccuracy: number | null;
  /**
   * Cohen's κ = (p − e) / (1 − e): p is the accuracy, e the accuracy expected if the same predictions met the rows by
   * chance. 1: all right; 0: no better than chance. Null if e is 1. Cohen, "A coefficient of agreement for nominal
   * scales", 1960.
   */
  readonly kappa: number | null;
}

export function agreementOf({ actual, predicted, right }: ClassSums): Agreement {
  let [weight, hits] = [0, 0];
  for (let k = 0; k < actual.length; k++) {
    weight += actual[k]!;
    hits += right[k]!;
  }
  let [chance, recalls, classes] = [0, 0, 0];
  for (let k = 0; k < actual.length; k++) {
    if (actual[k] === 0) continue;
    chance += (actual[k]! / weight) * (predicted[k]! / weight);
    recalls += right[k]! / actual[k]!;
    classes++;
  }
  const accuracy = hits / weight;
  return {
    weight,
    accuracy,
    balancedAccuracy: classes === 0 ? null : recalls / classes,
    kappa: chance < 1 && classes > 0 ? (accuracy - chance) / (1 - chance) : null,
  };
}
