import { decodeWhole, type EncodedWhole, encodeNumbers } from '../../numbers.ts';
import { HashedCounter, type TermCounters, type TextFit } from './fit.ts';

/** The terms of a text column in some rows. */
export interface TermsPart {
  readonly kind: 'text';
  readonly documents: number;
  readonly missing: number;
  /** Number of tokens in all texts. */
  readonly tokens: number;
  /** Numbers of rows of each of the names, or of each slot of hashed terms. */
  readonly rows: readonly number[] | EncodedWhole;
  readonly names: readonly string[];
}

export function termsPart({ documents, missing, terms, counter }: TextFit): TermsPart {
  const names = [...counter.names];
  const rows =
    counter instanceof HashedCounter
      ? counter.counts
      : Uint32Array.from(names, (name) => {
          const { counts, numbers } = counter.of(name);
          return counts[numbers.get(name)!]!;
        });
  return { kind: 'text', documents, missing, tokens: terms.tokens, rows: encodeNumbers(rows), names };
}

/** Counts are exact unless a fit met so many terms that it forgot some. */
export function addTerms(fit: TextFit, { documents, missing, tokens, rows, names }: TermsPart): void {
  if (documents > 0) {
    const counts = decodeWhole(rows)!;
    if (fit.counter instanceof HashedCounter) addHashed(fit.counter, counts, names);
    else addNamed(fit.counter, counts, names);
    fit.counter.row += documents - 1;
  }
  fit.documents += documents;
  fit.missing += missing;
  fit.terms.tokens += tokens;
}

function addNamed(counters: TermCounters, counts: Uint32Array, names: readonly string[]): void {
  counters.begin();
  names.forEach((name, k) => {
    const counter = counters.of(name);
    counter.add(name);
    counter.counts[counter.numbers.get(name)!]! += counts[k]! - 1;
  });
}

function addHashed(counter: HashedCounter, counts: Uint32Array, names: readonly string[]): void {
  counter.begin();
  counts.forEach((count, slot) => {
    counter.counts[slot]! += count;
  });
  for (const name of names) if (counter.names.size < counter.mostNames) counter.names.add(name);
}
