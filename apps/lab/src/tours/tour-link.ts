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

/** Writes a place in a tour into a page's hash, in the place of another; null: no place. Everything else in the hash stays. */
export function withTourLink(hash: string, place: TourPlace | null): string {
  const others = hash
    .replace(/^#/, '')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('tour='));
  const parts = place === null ? others : [`tour=${place.tour}/${place.section + 1}`, ...others];
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}
