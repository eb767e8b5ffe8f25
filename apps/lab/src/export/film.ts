import { paint } from '../picture/canvas.ts';
import type { Picture } from '../picture/picture.ts';
import type { ThemeName } from '../picture/theme.ts';
import { canvasOf } from './png.ts';

/** The input of a film of a run. */
export interface Film {
  /** The steps shown, in order. */
  readonly steps: readonly number[];
  readonly draw: (step: number) => Picture;
  readonly theme: ThemeName;
  /** Milliseconds per picture; the last picture stays five times as long. */
  readonly delay: number;
  readonly onProgress?: (share: number) => void;
  /** Cancels the film, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Maximum number of pictures in a film. */
const mostMoments = 240;

/**
 * Returns the steps of a film: the start, the updates and the end. Of many updates it takes an even sample.
 * @param updates steps that were updates, rising.
 */
export function momentsOf(updates: ArrayLike<number>, steps: number): number[] {
  const all = [...new Set([0, ...Array.from(updates), steps])];
  if (all.length <= mostMoments) return all;
  return Array.from({ length: mostMoments }, (_, k) => all[Math.round((k * (all.length - 1)) / (mostMoments - 1))]!);
}

/** Makes an animated GIF that repeats. */
export async function filmToGif({ steps, draw, theme, delay, onProgress, signal }: Film): Promise<Blob> {
  const { GIFEncoder, quantize, applyPalette } = await import('gifenc');
  const gif = GIFEncoder();
  for (const [k, step] of steps.entries()) {
    signal?.throwIfAborted();
    const canvas = canvasOf(draw(step), theme, 1);
    const { data, width, height } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    const palette = quantize(data, 128);
    const wait = k === steps.length - 1 ? 5 * delay : delay;
    gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay: wait, repeat: 0 });
    onProgress?.((k + 1) / steps.length);
    // The page must stay responsive.
    await new Promise((resolve) => setTimeout(resolve));
  }
  gif.finish();
  return new Blob([gif.bytes() as Uint8Array<ArrayBuffer>], { type: 'image/gif' });
}

/** Tests if this browser can record WebM. */
export function recordsWebm(): boolean {
  return typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported('video/webm');
}

/** Makes a WebM film by recording a canvas in real time. */
export async function filmToWebm({ steps, draw, theme, delay, onProgress, signal }: Film): Promise<Blob> {
  const first = draw(steps[0]!);
  const canvas = document.createElement('canvas');
  // Video encoders need even sizes.
  canvas.width = 2 * Math.round(first.width / 2);
  canvas.height = 2 * Math.round(first.height / 2);
  const context = canvas.getContext('2d')!;
  paint(context, first, theme);
  const stream = canvas.captureStream(30);
  const recorder = new MediaRecorder(stream, { mimeType: 'video/webm', videoBitsPerSecond: 4_000_000 });
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size > 0) pieces.push(data);
  });
  const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
  recorder.start();
  try {
    for (const [k, step] of steps.entries()) {
      signal?.throwIfAborted();
      paint(context, draw(step), theme);
      onProgress?.((k + 1) / steps.length);
      await new Promise((resolve) => setTimeout(resolve, k === steps.length - 1 ? 5 * delay : delay));
    }
  } finally {
    recorder.stop();
    for (const track of stream.getTracks()) track.stop();
  }
  await ended;
  return new Blob(pieces, { type: 'video/webm' });
}
