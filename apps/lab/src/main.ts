import 'katex/dist/katex.min.css';
import './style.css';
import { openPage } from './page.ts';

openPage();
// A page without https has no service worker, and works without it.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('./sw.js').catch(() => {});
