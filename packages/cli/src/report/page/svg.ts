import { printable } from 'halfspace/printable';
import { svgElements } from 'halfspace-lab/export/svg.ts';
import type { Picture, Role } from 'halfspace-lab/picture/picture.ts';
import { escaped } from './html.ts';

/*
 * Charts are drawn by Vega with the colours below. In the page each colour becomes a variable of the style sheet, which
 * has other values on dark screens and in print.
 */
export const colours = {
  ink: '#1f2937',
  muted: '#5b6471',
  line: '#d9dee5',
  paper: '#ffffff',
  // Okabe & Ito, "Color universal design", 2008: distinguishable with any kind of colour vision.
  blue: '#0072b2',
  vermilion: '#d55e00',
  green: '#009e73',
  purple: '#cc79a7',
  orange: '#e69f00',
  sky: '#56b4e9',
} as const;

/** Colours of series, in the order of use. */
export const series: readonly string[] = [
  colours.blue,
  colours.vermilion,
  colours.green,
  colours.purple,
  colours.orange,
  colours.sky,
];
/** Dashes of series, so that lines differ not only in colour. */
export const dashes: readonly (readonly number[])[] = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
  [1, 0],
  [6, 3],
];

const variables = new Map(Object.entries(colours).map(([name, colour]) => [colour as string, `var(--${name})`]));

const font = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif';

const config = {
  font,
  aria: false,
  view: { stroke: null },
  axis: {
    gridColor: colours.line,
    domainColor: colours.line,
    tickColor: colours.line,
    labelColor: colours.muted,
    titleColor: colours.ink,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    titlePadding: 8,
    labelLimit: 150,
  },
  legend: {
    orient: 'top',
    direction: 'horizontal',
    title: null,
    labelColor: colours.ink,
    labelFontSize: 12,
    labelLimit: 140,
    symbolStrokeWidth: 2.5,
    symbolSize: 120,
    symbolOpacity: 1,
    columns: 2,
    padding: 0,
    offset: 8,
  },
};

interface Chart {
  /** Unique in the page; letters and dashes. */
  readonly id: string;
  readonly title: string;
  /** Description for screen readers. */
  readonly description: string;
  /** A vega-lite specification without size and config. */
  readonly spec: object;
  /** In units of 1/12 of the letter size. Default 360 × 260. */
  readonly width?: number;
  readonly height?: number;
}

/** Returns a chart as SVG for a page. */
export async function svgOf({ id, title, description, spec, width = 360, height = 260 }: Chart): Promise<string> {
  // Vega is a separate file of the bundle, because two pages use it.
  const { compile, parse, View } = await import('./vega.ts');
  const whole = {
    width,
    height,
    autosize: { type: 'fit', contains: 'padding' },
    padding: 4,
    background: null,
    config,
    ...(printableWithin(spec) as object),
  };
  // The type of specifications is too deep for the compiler.
  const view = new View(parse(compile(whole as never).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return inPage(svg, { id, title, description });
}

/** Matches a number with more than three decimals in an attribute; text has a `>` before it. */
const longDecimal = /-?\d+\.\d{4,}(?:e-?\d+)?(?=[^<>]*>)/g;

/** Rounds to three decimals: fewer bytes, and the same page from engines whose logarithms differ in the last digits. */
const rounded = (number: string) => String(Number(Number(number).toFixed(3)));

/** Makes all words of a specification printable, because Vega writes them unchanged. */
function printableWithin(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map(printableWithin);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, printableWithin(each)]));
}

/** Returns a picture of the lab as SVG for a page. */
export function pictureOf({ width, height, marks }: Picture, chart: Labelled): string {
  return labelled(`0 0 ${width} ${height}`, svgElements(marks, roles), chart);
}

/** Colours of the roles of a picture, as variables of the style sheet. */
const roles = Object.fromEntries(
  Object.entries({
    ...{
      ink: 'ink',
      muted: 'muted',
      grid: 'line',
      paper: 'paper',
      line: 'ink',
      update: 'vermilion',
      broken: 'vermilion',
    },
    ...{
      positive: 'blue',
      negative: 'vermilion',
      third: 'purple',
      star: 'green',
      answer: 'orange',
      bound: 'vermilion',
    },
    ...{
      'positive-region': 'blue-region',
      'negative-region': 'vermilion-region',
      'third-region': 'line',
      selection: 'orange',
    },
  } satisfies Readonly<Record<Role, string>>).map(([role, name]) => [role, `var(--${name})`]),
) as Readonly<Record<Role, string>>;

type Labelled = Pick<Chart, 'id' | 'title' | 'description'>;

function inPage(svg: string, chart: Labelled): string {
  const { id } = chart;
  const [, viewBox = ''] = /viewBox="([^"]*)"/.exec(svg) ?? [];
  const inside = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1).replace(/<\/svg>\s*$/, '');
  const coloured = inside
    .replace(/#[0-9a-f]{6}\b/gi, (colour) => variables.get(colour.toLowerCase()) ?? colour)
    .replaceAll(/(id="|url\(#)(clip|gradient)/g, `$1${id}-$2`)
    // The chart as a whole is one image for screen readers.
    .replaceAll(/ (?:font-family|role|aria-roledescription)="[^"]*"/g, '')
    .replaceAll(longDecimal, rounded);
  return labelled(viewBox, coloured, chart);
}

function labelled(viewBox: string, inside: string, { id, title, description }: Labelled): string {
  return `<svg viewBox="${viewBox}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${escaped(title)}</title><desc id="${id}-desc">${escaped(description)}</desc>${inside}</svg>`;
}
