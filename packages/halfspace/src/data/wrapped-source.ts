import type { ExampleSource } from './source.ts';

/** Returns a source with some members of its own; all others are those of a source at the moment of access. */
export function wrappedSource<Own extends Partial<ExampleSource>>(
  source: ExampleSource,
  own: Own,
): ExampleSource & Own {
  const base: ExampleSource = {
    name: source.name,
    get classes() {
      return source.classes;
    },
    get labelType() {
      return source.labelType;
    },
    get unknownClasses() {
      return source.unknownClasses;
    },
    get labelNames() {
      return source.labelNames;
    },
    get positive() {
      return source.positive;
    },
    get notes() {
      return source.notes;
    },
    get unknown() {
      return source.unknown;
    },
    get lettersOnTrial() {
      return source.lettersOnTrial;
    },
    batches: () => source.batches(),
    encoding: () => source.encoding(),
  };
  return Object.defineProperties(base, Object.getOwnPropertyDescriptors(own)) as ExampleSource & Own;
}
