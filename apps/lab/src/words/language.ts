/** A language of the lab. English stands in the sources; the others have a catalogue each. */
export type Language = 'en' | 'de';

const key = 'halfspace lab language';

const isLanguage = (text: unknown): text is Language => text === 'en' || text === 'de';

/**
 * Returns the language of this page: that of the link (`#lang=de`), else the one that was chosen here, else the
 * browser's. English where the page does not offer a choice. A worker has the language of its page as its name.
 */
export function presentLanguage(): Language {
  if (typeof document === 'undefined') return (globalThis as { readonly name?: string }).name === 'de' ? 'de' : 'en';
  const { dataset } = document.documentElement;
  if (dataset.languages === undefined) return 'en';
  const language = linkedLanguage() ?? keptLanguage() ?? (navigator.language.startsWith('de') ? 'de' : 'en');
  document.documentElement.lang = language;
  return language;
}

/** Takes the language out of the address, which keeps the rest. Frames in other pages keep nothing in this browser. */
function linkedLanguage(): Language | null {
  const { hash, pathname, search } = location;
  const given = /[#&]lang=(\w+)/.exec(hash)?.[1];
  // A link that is followed while the page is open.
  addEventListener('hashchange', () => /[#&]lang=/.test(location.hash) && location.reload());
  if (given === undefined) return null;
  const rest = hash.replace(/([#&])lang=\w+&?/, '$1').replace(/[#&]$/, '');
  history.replaceState(history.state, '', pathname + search + rest);
  if (!isLanguage(given)) return null;
  if (!hash.startsWith('#embed=')) keepLanguage(given);
  return given;
}

function keptLanguage(): Language | null {
  try {
    const kept = localStorage.getItem(key);
    return isLanguage(kept) ? kept : null;
  } catch {
    return null;
  }
}

function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(key, language);
  } catch {
    // Without storage the language holds for this visit.
  }
}

/** Shows the page in another language. It is loaded anew, with what it keeps in this browser. */
export function chooseLanguage(language: Language): void {
  keepLanguage(language);
  location.reload();
}
