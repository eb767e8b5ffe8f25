/**
 * Returns the words of HTML as plain text, for names that a screen reader says. Browsers leave formulas out of the
 * names that they compute from content.
 */
export function spoken(html: string): string {
  const { content } = Object.assign(document.createElement('template'), { innerHTML: html });
  for (const hidden of content.querySelectorAll('[aria-hidden=true]')) hidden.remove();
  // Formulas have letters of mathematical alphabets, which some voices skip.
  return content.textContent!.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();
}
