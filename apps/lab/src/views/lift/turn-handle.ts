import type { Handle, Look } from '../view.ts';

const degreesPerPixel = 0.5;

/** Returns the slider that turns a space by drags and arrow keys. */
export function turnHandle({ turn: { yaw, pitch } }: Look): Handle {
  return {
    label: 'Turn the space',
    value: Math.round(yaw),
    least: -180,
    most: 180,
    text: `turned by ${Math.round(yaw)}°, seen from ${Math.round(pitch)}° above`,
    move: (before, dx, dy) => ({
      ...before,
      turn: {
        yaw: around(before.turn.yaw + dx * degreesPerPixel),
        pitch: Math.max(0, Math.min(90, before.turn.pitch + dy * degreesPerPixel)),
      },
    }),
  };
}

/** Returns an angle in (−180, 180]. */
function around(degrees: number): number {
  return degrees - 360 * Math.ceil((degrees - 180) / 360);
}
