/** Number of characters after which a group is sent. The service takes bodies of 8 MiB unless it is told otherwise. */
const mostCharacters = 2 ** 20;

/**
 * Yields the values of a source as groups of lines. A group has the values that the source has ready, and at least one:
 * a slow source is answered value by value, and a fast one in large requests. One value is read ahead, no more.
 *
 * @param lineOf gets the number of the value, from 0.
 * @param most largest number of lines of a group.
 */
export async function* groupsOf<T>(
  source: AsyncIterable<T> | Iterable<T>,
  lineOf: (value: T, i: number) => string,
  most: number,
): AsyncGenerator<string[]> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const advance = () => {
    const next = Promise.resolve(iterator.next());
    // An error of the source is thrown behind the values before it, not at once.
    next.catch(() => {});
    return next;
  };
  let count = 0;
  let isDone = false;
  try {
    for (let next = advance(); ; ) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let turn: Promise<null> | undefined;
      const lines: string[] = [];
      for (let size = 0; lines.length < most && size < mostCharacters; next = advance()) {
        const found = turn === undefined ? await next : await Promise.race([next.catch(() => null), turn]);
        if (found === null) break;
        if (found.done === true) {
          isDone = true;
          break;
        }
        lines.push(lineOf(found.value, count++));
        size += lines.at(-1)!.length;
        turn ??= new Promise((resolve) => {
          timer = setTimeout(resolve, 0, null);
        });
      }
      clearTimeout(timer);
      if (lines.length > 0) yield lines;
      if (isDone) return;
    }
  } finally {
    // A source may wait for ever, so its end is not waited for.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
