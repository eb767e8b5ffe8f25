/** Returns the arguments of `console.log` as text, written as Node writes values on one line. */
export function logged(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' ');
}

const deepest = 2;

/** Returns a value as Node's `util.inspect` does, without breaking lines. Objects below the third level are named. */
export function inspect(value: unknown, depth = 0): string {
  if (typeof value === 'string') return quoted(value);
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `[Function: ${value.name || 'anonymous'}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Error) return value.stack ?? String(value);
  if (value instanceof Date) return value.toISOString();
  const name = nameOf(value);
  const inner = (each: unknown) => inspect(each, depth + 1);
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  if (isList && depth <= deepest)
    return braced(prefixOf(value), '[', listed([...(value as Iterable<unknown>)], inner), ']');
  const size = isList
    ? (value as readonly unknown[]).length
    : value instanceof Map || value instanceof Set
      ? value.size
      : -1;
  if (size === 0 || Object.keys(value).length + Math.max(size, 0) === 0)
    return braced(
      isList ? prefixOf(value) : size === 0 ? `${name}(0)` : name,
      isList ? '[' : '{',
      [],
      isList ? ']' : '}',
    );
  if (depth > deepest) return name.startsWith('[') ? name : `[${name || 'Object'}]`;
  if (value instanceof Map)
    return braced(
      `Map(${size})`,
      '{',
      listed([...value], ([key, each]) => `${inner(key)} => ${inner(each)}`),
      '}',
    );
  if (value instanceof Set) return braced(`Set(${size})`, '{', listed([...value], inner), '}');
  const members = Object.entries(value).map(([key, each]) => `${keyOf(key)}: ${inner(each)}`);
  return braced(name, '{', members, '}');
}

/** Returns up to 100 values as text, and the number of the others. */
function listed<T>(values: readonly T[], show: (value: T) => string): string[] {
  const hidden = Math.max(0, values.length - 100);
  const rest = hidden === 0 ? [] : [`... ${hidden} more item${hidden === 1 ? '' : 's'}`];
  return [...values.slice(0, 100).map(show), ...rest];
}

/** The class of an object; empty for plain ones. */
function nameOf(value: object): string {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return '[Object: null prototype]';
  const { name } = prototype.constructor;
  return name === 'Object' ? '' : name;
}

const prefixOf = (list: object) => (Array.isArray(list) ? '' : `${nameOf(list)}(${(list as Uint8Array).length})`);

function braced(name: string, open: string, members: readonly string[], close: string): string {
  const text = members.length === 0 ? `${open}${close}` : `${open} ${members.join(', ')} ${close}`;
  return name === '' ? text : `${name} ${text}`;
}

const keyOf = (key: string) => (/^[A-Za-z_]\w*$/.test(key) ? key : quoted(key));

/** Chooses the quotes that need no escape. */
function quoted(text: string): string {
  const quote = !text.includes("'") ? "'" : !text.includes('"') ? '"' : text.includes('`') ? "'" : '`';
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}
