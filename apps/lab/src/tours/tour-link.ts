/** A place in a tour: `#tour=lecture-9/3` is its third section, `#/present/lecture-9/3` the same as a slide. */
export interface TourPlace {
  readonly tour: string;
  /** From 0. */
  readonly section: number;
  /** Address of the reader's own tour: `#tour-file=mine.md`. */
  readonly file?: string;
  /** True if it fills the screen. */
  readonly presented?: boolean;
}

/** Id of the tour of a file, in links and while it is open. */
export const ownTour = 'own';

/** Returns the place that a page's hash names; null: none. A section that is no number is the first. */
export function parseTourLink(hash: string): TourPlace | null {
  const fields = new URLSearchParams(
    hash.replace(/^#(?:\/present\/(?=\w))?/, (start) => (start === '#' ? '' : 'tour=')),
  );
  const presented = hash.startsWith('#/present/');
  const file = fields.get('tour-file') ?? '';
  const value = fields.get('tour') || (file === '' ? '' : ownTour);
  if (value === '') return null;
  const [tour, section] = value.split('/');
  const number = Number(section ?? 1);
  const place = {
    tour: tour!,
    section: Number.isInteger(number) && number >= 1 ? number - 1 : 0,
    ...(presented && { presented }),
  };
  return file !== '' && tour === ownTour ? { ...place, file } : place;
}

/** Writes a place into a page's hash, in place of another; null: none. Other parts of the hash stay. */
export function withTourLink(hash: string, place: TourPlace | null): string {
  const others = hash
    .replace(/^#/, '')
    .split('&')
    .filter((part) => part !== '' && !/^(?:tour=|\/present\/)/.test(part));
  const parts =
    place === null
      ? others
      : [`${place.presented ? '/present/' : 'tour='}${place.tour}/${place.section + 1}`, ...others];
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}

/**
 * Fetches the text of a tour from the page's own address.
 * @throws Error with a message for the user: another address, or nothing there.
 */
export async function fetchTour(file: string): Promise<string> {
  const url = new URL(file, document.baseURI);
  if (url.origin !== window.location.origin)
    throw new Error(
      `The lab opens tours only from its own address; got ${url.origin}. Download the file, and open it in the list.`,
    );
  const response = await fetch(url).catch(() => null);
  if (response === null || !response.ok)
    throw new Error(`There is no tour at ${url.pathname}. Is it beside the lab, and its name spelt like this?`);
  return response.text();
}
