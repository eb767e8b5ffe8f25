import 'katex/dist/katex.min.css';
import './style.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { startEngine } from './engine/client.ts';
import { Lab } from './state/lab.svelte.ts';

const lab = new Lab(startEngine());
// For the console: everything that the page can do.
(window as unknown as { halfspaceLab: Lab }).halfspaceLab = lab;
mount(App, { target: document.getElementById('lab')!, props: { lab } });
void lab.refresh();
