import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { guidesFirst } from '../../src/guides-first.ts';
import { LiveFigure } from '../../src/live-figure.ts';
import { RunnableBlock } from '../../src/runnable-block.ts';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app, router, siteData }) => {
    app.component('LiveFigure', LiveFigure);
    app.component('RunnableBlock', RunnableBlock);
    siteData.value = guidesFirst(siteData.value);
    router.onAfterRouteChange = () => void setTimeout(showPlace);
  },
} satisfies Theme;

/** Scrolls the navigation at the side to the page that is shown. */
function showPlace(): void {
  if (!import.meta.env.SSR) document.querySelector('.VPSidebar .is-active')?.scrollIntoView({ block: 'center' });
}
