/** Returns a string literal, which also stands in an HTML page or a comment unharmed. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[<>\u2028\u2029\u007f-\u009f]|\*\//g, (found) =>
    Array.from(found, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** Returns the literal of a value that JSON can hold, in few characters. Numbers keep their bits. */
export function data(value: unknown): string {
  if (typeof value === 'string') return literal(value);
  if (Array.isArray(value)) return `[${value.map(data).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => `${literal(name)}: ${data(each)}`)
      .join(', ')} }`;
  const text = String(value);
  return typeof value === 'number' ? text.replace(/^(-?)0\./, '$1.').replace('e+', 'e') : text;
}

/** Returns the access to a field of a row: `own` for names that all objects inherit, `fieldAt` for `a.b`. */
export function field(row: string, name: string): string {
  if (name.includes('.')) return `fieldAt(${row}, ${literal(name)})`;
  if (name in Object.prototype) return `own(${row}, ${literal(name)})`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${row}.${name}` : `${row}[${literal(name)}]`;
}
