/** The parts of a tour's Markdown that a claim names, read without the lab's compiler. */
export interface WrittenSection {
  readonly heading: string;
  readonly text: string;
  readonly scenes: readonly WrittenScene[];
}

export interface WrittenScene {
  readonly title: string;
  readonly data: WrittenData;
  readonly algorithm: Readonly<Record<string, unknown>>;
  readonly step: string | number;
  readonly claims: readonly string[];
}

export interface WrittenData {
  readonly points?: readonly (readonly number[])[];
  readonly line?: readonly (readonly number[])[];
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly (number | string)[])[];
}

export function sectionsOf(markdown: string): WrittenSection[] {
  const [top, ...sections] = markdown.split(/^## /m) as [string, ...string[]];
  const shared = JSON.parse(/```data\n([\s\S]*?)```/.exec(top)?.[1] ?? '{}');
  return sections.map((section) => ({
    heading: section.slice(0, section.indexOf('\n')),
    text: section.replace(/```scene[\s\S]*?```/g, ''),
    scenes: [...section.matchAll(/```scene\n([\s\S]*?)```/g)].map(([, json]) => {
      const { title, data, algorithm, step = 'end', claims } = JSON.parse(json!);
      return { title, data: shared[data] ?? data, algorithm, step, claims: Object.keys(claims) };
    }),
  }));
}
