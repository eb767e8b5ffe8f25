/** Returns results of the same shape with other figures, in numbers and in texts. Shares stay shares, and members with a `kept` name stay. */
export function changed<T>(results: T, seed: number, kept: readonly string[]): T {
  const turned = (text: string) => text.replace(/\d/g, (digit) => String((Number(digit) + seed) % 10));
  const change = (value: unknown, factor: number): unknown => {
    if (typeof value === 'number') {
      if (value >= 0 && value <= 1) return (0.3117 + value * factor) % 0.93;
      return Number.isInteger(value) ? Math.round(value * factor) + 1 : value * factor;
    }
    if (typeof value === 'string') return turned(value);
    if (Array.isArray(value)) return value.map((each, i) => change(each, factor + 0.37 * (i + 1)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, each], i) => {
      const isKept = kept.includes(key);
      return [key.includes('/') ? turned(key) : key, isKept ? each : change(each, factor + 0.13 * (i + 1))];
    });
    return Object.fromEntries(entries);
  };
  return change(results, seed + 0.19) as T;
}

/** Returns the numbers of a text, without those that are a part of a word. */
export function figuresIn(text: string): string[] {
  return text.match(/(?<![A-Za-z\d])\d+(,\d{3})*(\.\d+)?(e[+-]?\d+)?/g) ?? [];
}
