import { runtimeText } from './runtime-text.ts';

const statementOf = new Map(
  runtimeText.flatMap((statement) => statement.names.map((name) => [name, statement] as const)),
);

/** Returns the statements of the runtime that some code needs, in their order. */
export function runtimeFor(code: string): string[] {
  const taken = new Set<(typeof runtimeText)[number]>();
  const take = (name: string): void => {
    const statement = statementOf.get(name);
    if (statement === undefined || taken.has(statement)) return;
    taken.add(statement);
    statement.needs.forEach(take);
  };
  for (const [word] of code.matchAll(/[A-Za-z_$][\w$]*/g)) take(word);
  return runtimeText.filter((statement) => taken.has(statement)).map(({ text }) => text);
}
