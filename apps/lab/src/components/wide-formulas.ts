/** Lets keys reach the formulas of a text that are wider than it, so that they can be scrolled. */
export function reachWideFormulas(text: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    for (const formula of text.querySelectorAll('.katex-display'))
      if (formula.scrollWidth > formula.clientWidth) formula.setAttribute('tabindex', '0');
      else formula.removeAttribute('tabindex');
  });
  observer.observe(text);
  return () => observer.disconnect();
}
