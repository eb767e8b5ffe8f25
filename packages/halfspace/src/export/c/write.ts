/** Returns the literal of a finite double. */
export function double(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Returns a string literal of the UTF-8 bytes of a text, in ASCII. */
export function cString(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const letters = Array.from(bytes, (byte) => {
    const letter = String.fromCharCode(byte);
    // Octal escapes have at most three digits, so a digit behind one is no part of it. ? might begin a trigraph.
    return byte >= 32 && byte < 127 && !'"\\?'.includes(letter) ? letter : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${letters.join('')}"`;
}

/** Returns a text for a comment: printable ASCII that neither ends the comment nor looks like the start of one. */
export function inComment(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/gu, '?')
    .replaceAll('\\', '?')
    .replace(/\*(?=\/)|\/(?=\*)|\?(?=\?)/g, '$& ');
}

/** Returns the definition of a constant array; C has none without elements. */
export function array(type: string, name: string, elements: readonly string[]): string {
  const shown = elements.length === 0 ? ['0'] : elements;
  const lines: string[] = [];
  const perLine = shown[0]!.startsWith('{') ? 1 : 8;
  for (let k = 0; k < shown.length; k += perLine) lines.push(`  ${shown.slice(k, k + perLine).join(', ')},`);
  return `static const ${type} ${name}[${shown.length}] = {\n${lines.join('\n')}\n};`;
}
