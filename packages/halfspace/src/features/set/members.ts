/**
 * Returns the values in a cell of a set, each once. A list in brackets is read as it is written: `["a", "b"]`,
 * `['a', 'b']`, `{a,b}`. In other text the mark stands between values; blanks around them and empty ones do not count.
 */
export function membersOf(text: string, separator: string | undefined): Set<string> {
  const members = new Set<string>();
  for (const item of listedItems(text) ?? (separator === undefined ? [text] : text.split(separator))) {
    const member = item.trim();
    if (member !== '') members.add(member);
  }
  return members;
}

/** A value of a list, quoted or bare, and what follows it. pandas writes quoted ones side by side, too. */
const item =
  /(?:"((?:[^"\\]|\\.)*)"\s*|'((?:[^'\\]|\\.)*)'\s*|([^\s"'\\[\]{}(),][^"\\[\]{}(),]*))(?:,\s*|(?=["'])|$)/sy;
const nothing = /^(?:null|none|nan)$/i;
const escaped = /\\(u[0-9a-f]{4}|.)/gis;

/** Returns the values of a list in brackets; null: the text is no such list. */
export function listedItems(text: string): readonly string[] | null {
  const open = text[0];
  if (!((open === '[' && text.endsWith(']')) || (open === '{' && text.endsWith('}')))) return null;
  const inner = text.slice(1, -1);
  const items: string[] = [];
  item.lastIndex = inner.search(/\S|$/);
  while (item.lastIndex < inner.length) {
    const found = item.exec(inner);
    if (found === null) return null;
    const [, double, single, bare] = found;
    if (bare !== undefined) {
      // A key and its value are a structure, no member.
      if (open === '{' && bare.includes(':')) return null;
      if (!nothing.test(bare.trim())) items.push(bare);
    } else items.push((double ?? single!).replace(escaped, unescaped));
  }
  return items;
}

const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function unescaped(_: string, mark: string): string {
  return mark.length > 1 ? String.fromCharCode(Number.parseInt(mark.slice(1), 16)) : (controls[mark] ?? mark);
}
