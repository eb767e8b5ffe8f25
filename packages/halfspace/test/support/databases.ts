import fc from 'fast-check';

/** Returns JSON as PostgreSQL writes a `jsonb`: shorter names first, then by their bytes; numbers without exponents. */
export function asJsonb(json: string): string {
  return written(JSON.parse(json), ([a], [b]) => {
    const [x, y] = [a, b].map((name) => Buffer.from(name));
    return x!.length - y!.length || Buffer.compare(x!, y!);
  });
}

/** Returns JSON texts of the same value with white space, and the members of each object in any order. */
export function rewritten(json: string): fc.Arbitrary<string> {
  const spaces = fc.constantFrom('', ' ', '\r\n\t');
  return fc.tuple(fc.func(fc.nat()), spaces).map(([place, space]) => {
    return written(JSON.parse(json), ([a], [b]) => place(a) - place(b), space);
  });
}

type Entry = readonly [name: string, value: unknown];

/** @param around white space before each comma and colon, and inside of brackets; a blank follows these signs. */
function written(value: unknown, order: (a: Entry, b: Entry) => number, around = ''): string {
  const list = (texts: readonly string[]) => around + texts.join(`${around}, `) + around;
  const text = (each: unknown) => written(each, order, around);
  if (typeof value === 'number') return decimal(value);
  if (Array.isArray(value)) return `[${list(value.map(text))}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(order);
  return `{${list(members.map(([name, member]) => `${JSON.stringify(name)}${around}: ${text(member)}`))}}`;
}

/** Returns a number without an exponent. */
function decimal(value: number): string {
  const [, sign, whole, fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))!;
  if (exponent === undefined) return String(value);
  const by = Number(exponent);
  if (by > 0) return `${sign}${whole}${fraction.padEnd(by, '0')}`;
  return `${sign}0.${'0'.repeat(-by - 1)}${whole}${fraction}`;
}
