import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../docs/parts/', import.meta.url));

/** Writes the parts of pages that are made from measurements. Pages include them; they are not committed. */
export function writeParts(parts: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(parts)) writeFileSync(`${folder}${name}.md`, `${text}\n`);
}
