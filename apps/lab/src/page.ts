import { mount } from 'svelte';
import App from './App.svelte';
import { startEngine } from './engine/client.ts';
import { Lab } from './state/lab.svelte.ts';
import { startPreferences } from './state/preferences.ts';
import { start } from './state/start.svelte.ts';

/** Opens the lab, or the page of the theorem, whichever the document has a place for. */
export function openPage(): void {
  const lab = new Lab(startEngine());
  // The lab, for the browser's console and for tests.
  (window as unknown as { halfspaceLab: Lab }).halfspaceLab = lab;
  startPreferences(lab);
  const place = document.getElementById('lab');
  if (place !== null) openLab(lab, place);
  else void import('./theorem.ts').then(({ showTheorem }) => showTheorem(lab, document.getElementById('theorem')!));
}

function openLab(lab: Lab, target: HTMLElement): void {
  mount(App, { target, props: { lab } });
  // `#embed=plane,proof` and perhaps `&lab=…`: figures alone, which neither read nor write what this browser keeps.
  const embedded = /^#embed=([\w,]*)&?/.exec(location.hash);
  const show = embedded && (async () => (await import('./components/embed.ts')).embed(lab, embedded[1]!));
  void start(
    lab,
    async (name, text, label) =>
      (await import('./data/open-table.ts')).openTable(name, text, label, (question) => lab.inspect(question)),
    show,
  );
}
