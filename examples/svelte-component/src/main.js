import { mount } from 'svelte';
import Sorter from './Sorter.svelte';
import { texts } from './texts.js';

mount(Sorter, {
  target: document.body,
  props: { texts: texts.map(({ text }) => text), classes: ['bill', 'personal'] },
});
