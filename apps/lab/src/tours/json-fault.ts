/**
 * Returns the index of the first token of a text that breaks its JSON; the length of the text if it ends too early.
 * Engines tell this place in messages of different forms, or not at all.
 */
export function jsonFault(text: string): number {
  const pattern = /\s*(?:([{}[\],:])|("(?:[^"\\\n]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
  let at = 0;
  /** Takes a token: a sign, `string` or `other`. Null: there is none. */
  const next = (): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return null;
    at = pattern.lastIndex;
    return found[1] ?? (found[2] === undefined ? 'other' : 'string');
  };
  /** Takes one of some tokens; otherwise leaves the place before it. */
  const take = (...wanted: readonly string[]): string | null => {
    const before = at;
    const token = next();
    if (token !== null && wanted.includes(token)) return token;
    at = before;
    return null;
  };
  const value = (): boolean => {
    const opened = take('{', '[', 'string', 'other');
    if (opened === null || opened === 'string' || opened === 'other') return opened !== null;
    const close = opened === '{' ? '}' : ']';
    if (take(close) !== null) return true;
    for (;;) {
      if (opened === '{' && (take('string') === null || take(':') === null)) return false;
      if (!value()) return false;
      if (take(close) !== null) return true;
      if (take(',') === null) return false;
    }
  };
  value();
  return at + /^\s*/.exec(text.slice(at))![0].length;
}
