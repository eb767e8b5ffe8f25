/** Where a link into a tour leads: `#tour=lecture-9/3` is its third section. */
export interface TourPlace {
  readonly tour: string;
  /** From 0. */
  readonly section: number;
}

/** What a page's hash says of a tour, beside whatever else it says; null: nothing. A section that is no number is the first. */
export function parseTourLink(hash: string): TourPlace | null {
  const value = new URLSearchParams(hash.replace(/^#/, '')).get('tour');
  if (value === null || value === '') return null;
  const [tour, section] = value.split('/');
  const number = Number(section ?? 1);
  return { tour: tour!, section: Number.isInteger(number) && number >= 1 ? number - 1 : 0 };
}

export function formatTourLink({ tour, section }: TourPlace): string {
  return `#tour=${tour}/${section + 1}`;
}
