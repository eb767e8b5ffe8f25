import type { Lab } from './lab.svelte.ts';

const key = 'halfspace-lab-seen';
/** Seconds in which the first run is shown. */
const seconds = 6;

/** Tests if this browser shows the lab for the first time. False where nothing can be kept. */
export function isFirstVisit(): boolean {
  try {
    return localStorage.getItem(key) === null;
  } catch {
    return false;
  }
}

/** Plays the present run by itself; under reduced motion it shows its end. */
export function playThrough(lab: Lab): void {
  const steps = lab.timeline?.steps ?? 0;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) lab.seek(steps);
  else if (steps > 0) {
    lab.speed = Math.max(lab.speed, steps / seconds);
    lab.playing = true;
  }
}

export function beginWelcome(lab: Lab): void {
  playThrough(lab);
  remember();
}

export function endWelcome(lab: Lab): void {
  lab.isFirst = false;
  remember();
}

function remember(): void {
  try {
    localStorage.setItem(key, '1');
  } catch {
    // Without storage there is no welcome.
  }
}
