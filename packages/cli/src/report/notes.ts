/** Prints remarks on standard error. */
export function printNotes(notes: readonly string[]): void {
  for (const note of notes) process.stderr.write(`note: ${note}\n`);
}
