import 'halfspace-lab/style.css';
import './page.css';
import { mount } from 'svelte';
import Page from './Page.svelte';
import { Preferences } from './state/preferences.svelte.ts';
import { Service } from './state/service.svelte.ts';

const service = new Service();
mount(Page, { target: document.getElementById('page')!, props: { service, preferences: new Preferences() } });
void service.look();
