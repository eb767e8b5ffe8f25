/** `5 Beispiele` after a preposition that asks for the dative: `5 Beispielen`. */
export const dative = (amount: string): string => amount.replace(/(Beispiel|Durchläuf)e$/, '$1en');

/** `negativ` of `negative`: endings follow. */
export const stem = (adjective: string): string => adjective.replace(/e$/, '');
