/** The sections of each tour that a reader has seen, the latest last, saved in this browser. */
export type Progress = Readonly<Record<string, readonly number[]>>;

const key = 'halfspace-tours';

/** Returns the saved progress; empty if there is none, or it cannot be read. */
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
  const others = (progress[tour] ?? []).filter((seen) => seen !== section);
  return { ...progress, [tour]: [...others, section] };
}

export function saveProgress(storage: Pick<Storage, 'setItem'>, progress: Progress): void {
  try {
    storage.setItem(key, JSON.stringify(progress));
  } catch {
    // The storage is full or forbidden: the tour works without it.
  }
}
