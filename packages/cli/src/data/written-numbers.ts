import type { FeatureEncoding } from 'halfspace';
import { textOfFile } from 'halfspace/node';
import { decimalFeatures, WrittenNumbers } from 'halfspace-certify';
import { expandPaths, isPipe } from '../files/paths.ts';
import type { Input } from './opened.ts';

/** Features whose doubles stand for the numbers as they are written; or the reason why doubles are meant. */
export type Meaning =
  | { readonly decimal: Uint8Array; readonly because?: undefined }
  | { readonly decimal?: undefined; readonly because: string };

/**
 * Decides if the numbers of the data can be meant as they are written. Reads the text of the files once more.
 *
 * @param features the encoding of the data.
 * @param dimension number of features of the examples.
 * @throws HalfspaceError `interrupted` by `signal`; `source-unreadable`, `source-corrupt`.
 */
export async function meaningOf(
  data: readonly string[],
  { format }: Pick<Input, 'format'>,
  features: FeatureEncoding,
  dimension: number,
  { encoding, signal }: { readonly encoding?: string | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Meaning> {
  if (format === 'parquet' || format === 'sql') return { because: 'the data hold doubles' };
  // Objects have each name once, but text and namespaces make names that others may have: their values are added.
  if ((format === 'json' || format === 'ndjson') && features.kind === 'named' && features.names.some(isMade))
    return { because: 'features of text or of namespaces may be sums' };
  const decimal = decimalFeatures(features);
  if (typeof decimal === 'string') return { because: decimal };
  const paths = await expandPaths(data);
  if (paths.some(isPipe)) return { because: 'a pipe cannot be read twice' };
  for (const path of paths) {
    const numbers = new WrittenNumbers(format);
    for await (const piece of textOfFile({ path, name: path, encoding, signal })) {
      numbers.add(piece);
      if (numbers.found !== null) break;
    }
    numbers.finish();
    if (numbers.found !== null)
      return { because: `${path} has ${numbers.found}, and no double stands for that as it is written` };
  }
  // Text may have more features than its encoding counts.
  const all = new Uint8Array(dimension).fill(1);
  all.set(decimal);
  return { decimal: all };
}

/** Tests if the name of a feature may be made of a text, `name=text`, or a namespace, `name^field`. */
function isMade(name: string): boolean {
  return /[=^]/.test(name);
}
