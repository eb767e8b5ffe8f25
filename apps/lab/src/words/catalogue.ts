/**
 * A message in another language: text with `{0}`, `{1}`, … for the values, or a function of them where the grammar asks
 * for one.
 */
export type Message = string | ((...values: string[]) => string);

/** The messages of a language by their English text, with `{0}`, `{1}`, … in the place of values. */
export type Catalogue = Readonly<Record<string, Message>>;
