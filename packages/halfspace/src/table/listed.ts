import type { LeftOutColumn } from '../features/table-encoding.ts';

/** Lists names, at most `most` of them, long ones cut. */
export function listed(names: readonly string[], most = 20): string {
  const cut = (name: string) => (name.length > 60 ? `${name.slice(0, 59)}…` : name);
  const some = names.slice(0, most).map(cut).join(', ');
  return names.length > most ? `${some}, and ${names.length - most} more` : some;
}

/** Lists classes with their numbers of rows: `class a (1 row)`, `classes a (1 row), b (2 rows)`; null for none. */
export function listedClasses(rows: Iterable<readonly [name: string, rows: number]>): string | null {
  const names = Array.from(rows, ([name, count]) => `${name} (${count} ${count === 1 ? 'row' : 'rows'})`);
  return names.length === 0 ? null : `${names.length === 1 ? 'class' : 'classes'} ${listed(names, 8)}`;
}

/** Lists columns that were left out, with the reasons. */
export function listedLeftOut(leftOut: readonly LeftOutColumn[], most?: number): string {
  return listed(
    leftOut.map(({ name, reason }) => `${name} (${reason.replaceAll('-', ' ')})`),
    most,
  );
}

/** Returns the flag of the command that reads a column as a kind, as a shell takes it. */
export function columnFlag(name: string, kind: string): string {
  return `--column ${shellWord(`${name}=${kind}`)}`;
}

/** Returns a word in the form in which a shell takes it as one. */
export function shellWord(word: string): string {
  return /^[\w%+./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
