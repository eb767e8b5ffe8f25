/** Text of a number or an ISO 8601 date. */
const quantityPattern = /^[+-]?\d[\d_.]*(?:e[+-]?\d+)?$|^\d{4}-\d\d-\d\d(?:$|[T ])/i;

/**
 * Returns the plain value for which a field's object stands, and any other value as it is. Drivers of databases give
 * decimals, long whole numbers and times as objects: their `toJSON` or `valueOf` says the value, or their `toString`,
 * if that is a number or a date. A list, bytes or a structure stands for no value and is returned as it is.
 */
export function plainValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return value;
  const object = value as { readonly [way in 'toJSON' | 'valueOf' | 'toString']?: () => unknown };
  for (const way of ['toJSON', 'valueOf', 'toString'] as const)
    try {
      const said = object[way]?.();
      const isPlain = said === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof said);
      if (isPlain && (way !== 'toString' || quantityPattern.test(said as string))) return said;
    } catch {
      // A time of the Temporal API refuses `valueOf`; a field of this name may be no function.
    }
  return plainExtended(value) ?? value;
}

/**
 * Returns the value that an object of MongoDB's extended JSON stands for, such as `{ $numberLong: '7' }`; undefined for
 * another object.
 */
export function plainExtended(value: object): string | number | bigint | undefined {
  const [key, ...others] = Object.keys(value);
  if (key === undefined || others.length > 0 || key[0] !== '$') return undefined;
  const given = (value as Readonly<Record<string, unknown>>)[key];
  if (key === '$date') {
    const time = typeof given === 'object' && given !== null ? plainExtended(given) : given;
    const date = new Date(time as string | number);
    return typeof time !== 'number' ? (time as string) : Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  }
  if (typeof given !== 'string') return undefined;
  if (key === '$oid' || key === '$uuid' || key === '$symbol') return given;
  if (!/^\$number(?:Int|Long|Double|Decimal)$/.test(key)) return undefined;
  const number = Number(given);
  return /^-?\d+$/.test(given) && !Number.isSafeInteger(number) ? BigInt(given) : number;
}

/** Tests if a value is a list, bytes or a structure, which no column can hold. */
export function isNested(plain: unknown): boolean {
  return (typeof plain === 'object' && plain !== null && !(plain instanceof Date)) || typeof plain === 'function';
}

/** Tests if a plain value is a structure of fields by name: no list, bytes or object of a class. */
export function isStructure(plain: unknown): plain is Readonly<Record<string, unknown>> {
  if (typeof plain !== 'object' || plain === null) return false;
  const prototype: unknown = Object.getPrototypeOf(plain);
  return prototype === null || prototype === Object.prototype;
}
