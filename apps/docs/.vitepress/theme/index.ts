import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { RunnableBlock } from '../../src/runnable-block.ts';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('RunnableBlock', RunnableBlock);
  },
} satisfies Theme;
