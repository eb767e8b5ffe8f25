import { withBase } from 'vitepress';
import { defineComponent, h, nextTick, onBeforeUnmount, ref, type VNode } from 'vue';
import type { Message, Task } from './run/worker.ts';

/**
 * Wraps a block of code that can be run, edited and reset. It runs in a worker of its own, which `Stop` ends.
 *
 * `before` are the blocks that this one continues. Both texts are encoded, since they are attributes in Markdown.
 */
export const RunnableBlock = defineComponent({
  props: { code: { type: String, required: true }, before: { type: String, required: true } },
  setup(props, { slots }) {
    const original = decodeURIComponent(props.code);
    const text = ref(original);
    const isEdited = ref(false);
    const isRunning = ref(false);
    /** Null: it was not run yet. */
    const output = ref<string | null>(null);
    const fault = ref<string | null>(null);
    /** The hash with which the lab opens the data; null: it was not run, or the lab cannot. */
    const lab = ref<string | null>(null);
    const editor = ref<HTMLTextAreaElement | null>(null);
    let worker: Worker | null = null;

    function stop(): void {
      worker?.terminate();
      worker = null;
      isRunning.value = false;
    }
    onBeforeUnmount(stop);

    function end(message: string | null, hash: string | null = null): void {
      fault.value = message;
      lab.value = hash;
      stop();
    }

    function run(): void {
      stop();
      output.value = '';
      fault.value = null;
      lab.value = null;
      isRunning.value = true;
      worker = new Worker(new URL('./run/worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }: MessageEvent<Message>) => {
        if ('line' in data) output.value += `${data.line}\n`;
        else end(data.fault, data.lab);
      };
      worker.onerror = ({ message }) => end(message || 'expected a worker; got none, which this browser may refuse');
      const page = location.pathname
        .replace(/\.html$|\/$/, '')
        .split('/')
        .at(-1);
      const task: Task = { code: decodeURIComponent(props.before) + text.value, name: `${page || 'example'}.csv` };
      worker.postMessage(task);
    }

    async function edit(): Promise<void> {
      isEdited.value = true;
      await nextTick();
      editor.value?.focus();
    }

    function reset(): void {
      stop();
      text.value = original;
      isEdited.value = false;
      output.value = null;
      fault.value = null;
      lab.value = null;
    }

    const textArea = () =>
      h('textarea', {
        ref: editor,
        class: 'editor',
        rows: text.value.split('\n').length + 1,
        value: text.value,
        wrap: 'off',
        spellcheck: false,
        autocapitalize: 'off',
        'aria-label': 'Code',
        onInput: (event: Event) => {
          text.value = (event.target as HTMLTextAreaElement).value;
        },
        onKeydown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          run();
        },
      });
    const button = (name: string, act: () => void, type = '') =>
      h('button', { type: 'button', class: type, onClick: act }, name);

    /** As an image, SVG runs no script. */
    function drawnOutput(said: string): VNode | null {
      const svg = said.match(/<svg .*?<\/svg>/gs)?.at(-1);
      if (svg === undefined) return null;
      const src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      return h('img', { class: 'drawn', alt: 'The picture that the code printed', src });
    }

    function shownOutput(): VNode {
      const said = output.value || (isRunning.value ? '…' : fault.value === null ? '(no output)' : '');
      return h('div', { class: 'output', role: 'status', 'data-done': isRunning.value ? undefined : '' }, [
        drawnOutput(said),
        h('pre', { tabindex: 0, 'aria-label': 'Output', role: 'region' }, said),
        fault.value === null ? null : h('p', { class: 'fault' }, fault.value),
      ]);
    }

    return () =>
      h('div', { class: 'runnable' }, [
        isEdited.value ? textArea() : slots.default?.(),
        h('p', { class: 'bar' }, [
          isRunning.value ? button('Stop', stop) : button('Run', run, 'run'),
          isEdited.value ? null : button('Edit', edit),
          isEdited.value || output.value !== null ? button('Reset', reset) : null,
          lab.value === null
            ? null
            : h('a', { href: withBase(`/lab/${lab.value}`), target: '_blank' }, 'Open the data in the lab'),
        ]),
        output.value === null ? null : shownOutput(),
      ]);
  },
});
