import 'katex/dist/katex.min.css';
import './style.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { startEngine } from './engine/client.ts';
import { Lab } from './state/lab.svelte.ts';
import { startPreferences } from './state/preferences.ts';
import { start } from './state/start.svelte.ts';

const lab = new Lab(startEngine());
// The lab, for the browser's console and for tests.
(window as unknown as { halfspaceLab: Lab }).halfspaceLab = lab;
startPreferences(lab);
const place = document.getElementById('lab');
if (place !== null) openLab(place);
else void import('./theorem.ts').then(({ showTheorem }) => showTheorem(lab, document.getElementById('theorem')!));
// A page without https has no service worker, and works without it.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register('./sw.js').catch(() => {});

function openLab(target: HTMLElement): void {
  mount(App, { target, props: { lab } });
  // `#embed=plane,proof` and perhaps `&lab=…`: figures alone, which neither read nor write what this browser keeps.
  const embedded = /^#embed=([\w,]*)&?/.exec(location.hash);
  const show = embedded && (async () => (await import('./components/embed.ts')).embed(lab, embedded[1]!));
  void start(
    lab,
    async (name, text, label) =>
      (await import('./data/open-table.ts')).openTable(name, text, label, (...table) => lab.inspect(...table)),
    show,
  );
}
