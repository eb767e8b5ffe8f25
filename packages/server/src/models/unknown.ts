import type { OnlineClassifier, Predictor, RawRow } from 'halfspace';

/** Returns {@link Answer.unknown}. A row without fields, whose answer tells nothing of it, has an empty list. */
export function unknownOf(row: RawRow, model: Predictor | OnlineClassifier): readonly string[] | null {
  const unknown = model.unknownFields(row);
  return unknown.length > 0 || isEmpty(row) ? unknown : null;
}

function isEmpty(row: object): boolean {
  for (const _ in row) return false;
  return true;
}
