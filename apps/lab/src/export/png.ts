import { paint } from '../picture/canvas.ts';
import type { Picture } from '../picture/picture.ts';
import type { ThemeName } from '../picture/theme.ts';

/** Paints a picture on a new canvas. @param density pixels of the canvas per pixel of the picture. */
export function canvasOf(picture: Picture, theme: ThemeName, density: number, transparent = false): OffscreenCanvas {
  const canvas = new OffscreenCanvas(Math.round(picture.width * density), Math.round(picture.height * density));
  const context = canvas.getContext('2d')!;
  context.scale(density, density);
  paint(context, picture, theme, 1, transparent);
  return canvas;
}
