import 'katex/dist/katex.min.css';
import './style.css';
import { loaded } from './words/words.ts';

// Constants of the page's modules hold words, so the modules are imported after the words.
void Promise.resolve(loaded).then(async () => (await import('./page.ts')).openPage());
// A page without https has no service worker, and works without it.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('./sw.js').catch(() => {});
