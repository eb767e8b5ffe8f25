import type { Disk } from '../disk/disk.ts';

/** Name of the file of a frozen model, in the folder of its generation. */
export const modelFileName = 'model.json';

/** Tests if a value is the name of a generation. */
export function isGeneration(name: unknown): name is string {
  return typeof name === 'string' && /^\d{8}$/.test(name);
}

/** Returns the generations among the names in the folder of a model. */
export function generationsIn(names: readonly string[]): string[] {
  return names.filter(isGeneration).sort();
}

/**
 * Returns the name of a generation that is later than all of a model.
 *
 * @param folder that of the model.
 * @param retired the folder of retired generations, of all models.
 */
export async function nextGeneration(disk: Disk, folder: string, retired: string, name: string): Promise<string> {
  const own = await disk.list(folder);
  const others = (await disk.list(retired)).filter((each) => each.startsWith(`${name}-`));
  const last = generationsIn([...own, ...others.map((each) => each.slice(name.length + 1))]).at(-1);
  return String(Number(last ?? 0) + 1).padStart(8, '0');
}
