import { paint } from '../picture/canvas.ts';
import type { Picture } from '../picture/picture.ts';
import type { ThemeName } from '../picture/theme.ts';

/** Makes a PNG. @param density pixels of the file per pixel of the picture. */
export async function pictureToPng(picture: Picture, theme: ThemeName, density: number): Promise<Blob> {
  return canvasOf(picture, theme, density).convertToBlob({ type: 'image/png' });
}

/** Paints a picture on a new canvas. */
export function canvasOf(picture: Picture, theme: ThemeName, density: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(Math.round(picture.width * density), Math.round(picture.height * density));
  const context = canvas.getContext('2d')!;
  context.scale(density, density);
  paint(context, picture, theme);
  return canvas;
}
