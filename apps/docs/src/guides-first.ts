import type { DefaultTheme, SiteData } from 'vitepress';

/** Pages that are looked up rather than read. */
const lookUp = /^\/(reference\/|architecture|benchmarks|command|errors|files|library)/;
/**
 * Factor on the score of a search result in a page that is read or of a name that is the word searched for, and
 * elsewhere in the reference. Others have 1.
 */
const GUIDE = 3;
const REFERENCE = 0.7;

/**
 * Returns the site with a search that lists pages that are read before the pages that they lead to.
 * The function is set here, in the page: from the site's configuration it would need 'unsafe-eval'.
 */
export function guidesFirst(site: SiteData<DefaultTheme.Config>): SiteData<DefaultTheme.Config> {
  const { search } = site.themeConfig;
  if (search?.provider !== 'local') return site;
  const options = { ...search.options, miniSearch: { searchOptions: { boostDocument } } };
  return { ...site, themeConfig: { ...site.themeConfig, search: { ...search, options } } };
}

function boostDocument(address: string, word: string): number {
  if (!lookUp.test(address)) return GUIDE;
  if (address.startsWith('/reference/') && address.endsWith(`#${word}`)) return GUIDE;
  return address.startsWith('/reference/') ? REFERENCE : 1;
}
