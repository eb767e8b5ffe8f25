/** A place in a tour: the link `#tour=lecture-9/3` is to its third section. */
export interface TourPlace {
  readonly tour: string;
  /** From 0. */
  readonly section: number;
}

/** Returns the place that a page's hash names; null: none. A section that is no number is the first. */
export function parseTourLink(hash: string): TourPlace | null {
  const value = new URLSearchParams(hash.replace(/^#/, '')).get('tour');
  if (value === null || value === '') return null;
  const [tour, section] = value.split('/');
  const number = Number(section ?? 1);
  return { tour: tour!, section: Number.isInteger(number) && number >= 1 ? number - 1 : 0 };
}

/** Writes a place into a page's hash, in place of another; null: none. Other parts of the hash stay. */
export function withTourLink(hash: string, place: TourPlace | null): string {
  const others = hash
    .replace(/^#/, '')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('tour='));
  const parts = place === null ? others : [`tour=${place.tour}/${place.section + 1}`, ...others];
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}
