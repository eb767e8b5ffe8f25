import { withBase } from 'vitepress';
import { defineComponent, h, ref } from 'vue';

/** A picture that the lab takes the place of, in a frame, where the reader asks for it. */
export const LiveFigure = defineComponent({
  props: {
    /** The run, a `WatchedRun` as encoded JSON. Default: the one that the lab begins with. */
    run: { type: String, default: null },
  },
  setup(props, { slots }) {
    /** Null: the picture is shown. */
    const address = ref<string | null>(null);
    async function play(): Promise<void> {
      let state = '';
      if (props.run !== null) {
        const { labLink } = await import('./run/lab-link.ts');
        state = `&${(await labLink(JSON.parse(decodeURIComponent(props.run)), 'points.csv'))!.slice(1)}`;
      }
      address.value = withBase(`/lab/#embed=plane${state}`);
    }
    return () =>
      h('div', { class: 'live-figure' }, [
        address.value === null
          ? slots.default?.()
          : h('iframe', { src: address.value, title: 'The lab: press Space to learn, arrow keys to step' }),
        h('p', { class: 'bar' }, [
          address.value === null
            ? h('button', { type: 'button', onClick: play }, 'Play a run')
            : h('a', { href: address.value.replace(/embed=plane&?/, ''), target: '_blank' }, 'Open in the lab'),
          // A target, because the router knows only the pages of the site.
          props.run === null
            ? h('a', { href: withBase('/lab/theorem.html'), target: '_self' }, 'Why it must stop')
            : null,
        ]),
      ]);
  },
});
