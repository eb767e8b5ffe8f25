import { arrowHead, triangleCorners } from './marks.ts';
import type { Mark, Picture, Role, Spot, SymbolMark, TextMark } from './picture.ts';
import { fontFamily, type ThemeName, themes } from './theme.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/**
 * Paints a picture at the origin of a canvas, over what is there.
 * @param weight factor on widths and dashes, which marks have for text of 15 pixels: larger beside larger text.
 * @param transparent true: there is no paper behind it.
 */
export function paint(
  context: Context,
  { width, height, marks }: Picture,
  theme: ThemeName,
  weight = 1,
  transparent = false,
): void {
  const colours = themes[theme];
  context.save();
  context.fillStyle = colours.paper;
  if (!transparent) context.fillRect(0, 0, width, height);
  context.lineJoin = 'round';
  context.lineCap = 'round';
  const crowded = marks.length > crowd && 'canvas' in context && typeof OffscreenCanvas !== 'undefined';
  const density = crowded ? context.getTransform().a : 1;
  for (const mark of marks) {
    context.globalAlpha = mark.opacity ?? 1;
    if (crowded && mark.kind === 'symbol') {
      const image = stampOf(mark, theme, weight, density);
      const corner = (middle: number) => Math.round(middle * density - image.width / 2) / density;
      const side = image.width / density;
      context.drawImage(image, corner(mark.at[0]), corner(mark.at[1]), side, side);
      continue;
    }
    context.setLineDash(mark.dash === undefined ? [] : mark.dash.map((length) => length * weight));
    const width = (mark.width ?? 1.5) * weight;
    context.lineWidth = width;
    draw(context, mark, colours, width);
  }
  context.restore();
}

/** Number of marks from which symbols are stamped: a path for each of 2,000 takes longer than a frame. */
const crowd = 400;
const stamps = new Map<string, OffscreenCanvas>();

/** Returns the picture of a symbol, at whole pixels. */
function stampOf(mark: SymbolMark, theme: ThemeName, weight: number, density: number): OffscreenCanvas {
  const { shape, size, fill, stroke, width = 1.5 } = mark;
  const key = [theme, weight, density, shape, size, fill, stroke, width].join();
  const known = stamps.get(key);
  if (known !== undefined) return known;
  const half = Math.ceil((size / 2 + width * weight) * density) + 1;
  const stamp = new OffscreenCanvas(2 * half, 2 * half);
  const context = stamp.getContext('2d')!;
  context.setTransform(density, 0, 0, density, half, half);
  context.lineWidth = width * weight;
  context.lineJoin = 'round';
  draw(context, { ...mark, at: [0, 0] }, themes[theme], width * weight);
  if (stamps.size > 200) stamps.clear();
  stamps.set(key, stamp);
  return stamp;
}

function draw(context: Context, mark: Mark, colours: Readonly<Record<Role, string>>, width: number): void {
  const stroke = () => {
    if (mark.stroke === undefined) return;
    context.strokeStyle = colours[mark.stroke];
    context.stroke();
  };
  const fill = () => {
    if (mark.fill === undefined) return;
    context.fillStyle = colours[mark.fill];
    context.fill();
  };
  switch (mark.kind) {
    case 'line':
      trace(context, [mark.from, mark.to], false);
      stroke();
      break;
    case 'path':
      trace(context, mark.spots, mark.closed === true);
      fill();
      stroke();
      break;
    case 'arrow':
      trace(context, [mark.from, mark.to], false);
      stroke();
      trace(context, arrowHead(mark.from, mark.to, width), true);
      context.fillStyle = colours[mark.stroke ?? 'ink'];
      context.fill();
      break;
    case 'symbol':
      context.beginPath();
      outline(context, mark);
      fill();
      stroke();
      break;
    case 'text':
      write(context, mark, colours);
      break;
    case 'cells':
      cells(context, mark, colours);
      break;
  }
}

function trace(context: Context, spots: readonly Spot[], closed: boolean): void {
  context.beginPath();
  spots.forEach((spot, i) => {
    if (i === 0) context.moveTo(...spot);
    else context.lineTo(...spot);
  });
  if (closed) context.closePath();
}

function outline(context: Context, { shape, at: [x, y], size }: SymbolMark): void {
  const half = size / 2;
  if (shape === 'disc' || shape === 'ring') context.arc(x, y, half, 0, 2 * Math.PI);
  // The square has the same area as a disc of this size.
  else if (shape === 'square') context.rect(x - half * 0.886, y - half * 0.886, size * 0.886, size * 0.886);
  else if (shape === 'triangle') trace(context, triangleCorners([x, y], size), true);
  else {
    context.moveTo(x - half, y - half);
    context.lineTo(x + half, y + half);
    context.moveTo(x - half, y + half);
    context.lineTo(x + half, y - half);
  }
}

function write(context: Context, mark: TextMark, colours: Readonly<Record<Role, string>>): void {
  const { at, text, size = 13, anchor = 'start', baseline = 'middle', weight = 'normal', italic, turn } = mark;
  context.font = `${italic ? 'italic ' : ''}${weight} ${size}px ${fontFamily}`;
  context.textAlign = anchor === 'middle' ? 'center' : anchor;
  context.textBaseline = baseline;
  context.save();
  context.translate(...at);
  if (turn !== undefined) context.rotate((turn * Math.PI) / 180);
  if (mark.stroke !== undefined) {
    context.strokeStyle = colours[mark.stroke];
    context.strokeText(text, 0, 0);
  }
  context.fillStyle = colours[mark.fill ?? 'ink'];
  context.fillText(text, 0, 0);
  context.restore();
}

function cells(
  context: Context,
  mark: Extract<Mark, { kind: 'cells' }>,
  colours: Readonly<Record<Role, string>>,
): void {
  const { at, size, columns, rows, values, opacity = 1 } = mark;
  const [width, height] = [size[0] / columns, size[1] / rows];
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const value = values[r * columns + c]!;
      context.globalAlpha = opacity * Math.min(1, 0.25 + 0.75 * Math.abs(value));
      context.fillStyle = colours[value > 0 ? 'positive-region' : 'negative-region'];
      // Edges are rounded to pixels, so that neighbours neither overlap nor leave a gap.
      const [left, right] = [Math.round(at[0] + c * width), Math.round(at[0] + (c + 1) * width)];
      const [top, bottom] = [Math.round(at[1] + r * height), Math.round(at[1] + (r + 1) * height)];
      context.fillRect(left, top, right - left, bottom - top);
    }
}
