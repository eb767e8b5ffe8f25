import type { Catalogue } from './catalogue.ts';
import { type Language, presentLanguage } from './language.ts';

export const language: Language = presentLanguage();

/** The locale that numbers are written for. Swiss German has the decimal point, which formulas and files have too. */
export const locale = language === 'de' ? 'de-CH' : 'en';

let catalogue: Catalogue = {};

/**
 * Settles when the words of the language are there; null: they are. Modules whose constants hold words are imported
 * after it. An `await` here would do that too, but then the bundler keeps every module in a file of its own.
 */
export const loaded: Promise<void> | null =
  language === 'en'
    ? null
    : germanWords().then((german) => {
        catalogue = german;
      });

/** A worker loads its own part of the catalogue only. */
function germanWords(): Promise<Catalogue> {
  return typeof document === 'undefined'
    ? import('./german/engine.ts').then(({ engine }) => engine)
    : import('./german/german.ts').then(({ german }) => german);
}

/**
 * A message in the page's language: t`${count} of ${all} wrong`. English is written where it is used, and is the key
 * of the catalogues; `test/words/catalogue.test.ts` compares them with the sources.
 */
export function t(parts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const written = values.map(String);
  const message = language === 'en' ? undefined : catalogue[keyOf(parts)];
  if (message === undefined) return parts.reduce((text, part, k) => text + written[k - 1] + part);
  return typeof message === 'function' ? message(...written) : filled(message, written);
}

function keyOf(parts: readonly string[]): string {
  return parts.reduce((key, part, k) => `${key}{${k - 1}}${part}`);
}

function filled(message: string, values: readonly string[]): string {
  return message.replace(/\{(\d)\}/g, (_, k) => values[Number(k)]!);
}

/** A text that comes as data, such as the name of a preset, in the page's language; others stay as they are. */
export function translated(text: string): string {
  const message = Object.hasOwn(catalogue, text) ? catalogue[text] : undefined;
  return typeof message === 'string' ? message : text;
}
