import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { guidesFirst } from '../../src/guides-first.ts';
import { RunnableBlock } from '../../src/runnable-block.ts';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app, siteData }) => {
    app.component('RunnableBlock', RunnableBlock);
    siteData.value = guidesFirst(siteData.value);
  },
} satisfies Theme;
