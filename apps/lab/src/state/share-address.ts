/**
 * Returns the address that links to the lab begin with: the one that the build was given (`HALFSPACE_LAB_URL`), or that
 * of this page; null: only this machine reaches it.
 */
export function shareAddress(): string | null {
  const told = document.querySelector('meta[property="og:url"]')?.getAttribute('content') ?? '';
  if (told !== '') return told;
  const { hostname, origin, pathname } = location;
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname) ? null : `${origin}${pathname}`;
}
