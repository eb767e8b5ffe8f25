/** Which sections of which tours a reader has been at: kept in this browser only. */
export type Progress = Readonly<Record<string, readonly number[]>>;

const key = 'halfspace-tours';

/** Nothing where nothing was kept, or what was kept is not understood. */
export function loadProgress(storage: Pick<Storage, 'getItem'>): Progress {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(
        ([, sections]) => Array.isArray(sections) && sections.every((section) => Number.isInteger(section)),
      ),
    );
  } catch {
    return {};
  }
}

export function withSection(progress: Progress, tour: string, section: number): Progress {
  const seen = progress[tour] ?? [];
  return seen.includes(section) ? progress : { ...progress, [tour]: [...seen, section].sort((a, b) => a - b) };
}

export function saveProgress(storage: Pick<Storage, 'setItem'>, progress: Progress): void {
  try {
    storage.setItem(key, JSON.stringify(progress));
  } catch {
    // Full, or forbidden: the tour goes on without a memory.
  }
}
