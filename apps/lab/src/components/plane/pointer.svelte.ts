import type { Label } from '../../data/dataset.ts';
import { toDecimals } from '../../data/edit.ts';
import type { Frame, Spot } from '../../picture/picture.ts';
import { brushRadius, decimalsOf, type Editing, freeze, pan, windowOf, zoom } from '../../state/editing.svelte.ts';
import type { Lab } from '../../state/lab.svelte.ts';
import { type Ground, nearestAt, pointSize, spotOf } from '../../views/plane/plane.ts';

type Gesture =
  | { readonly kind: 'move'; readonly from: readonly [number, number] }
  | { readonly kind: 'paint'; readonly label: Label; last: Spot }
  | { readonly kind: 'erase' }
  | { readonly kind: 'loop' }
  | {
      readonly kind: 'pan';
      readonly from: Spot;
      readonly window: NonNullable<Lab['look']['window']>;
      readonly ground: Ground;
    }
  | { readonly kind: 'pinch' };

/**
 * Translates pointer events into gestures. One finger or the left button edits; two fingers or another button move
 * the view.
 */
export class PlanePointer {
  /** The pointer in pixels; null: it is elsewhere. */
  at: Spot | null = $state.raw(null);
  /** The example under the pointer, by its position among the drawn. */
  hovered: number | null = $state(null);
  /** The loop of the present gesture. */
  loop: readonly Spot[] = $state.raw([]);

  readonly #lab: Lab;
  readonly #editing: Editing;
  readonly #ground: () => Ground | null;
  readonly #frame: () => Frame | null;
  readonly #down = new Map<number, Spot>();
  #gesture: Gesture | null = null;
  /** The examples of the last two presses. */
  #pressed: readonly [number | null, number | null] = [null, null];

  constructor(lab: Lab, editing: Editing, ground: () => Ground | null, frame: () => Frame | null) {
    this.#lab = lab;
    this.#editing = editing;
    this.#ground = ground;
    this.#frame = frame;
  }

  /** Returns the place under the pointer in the units of the axes. */
  placeOf(event: MouseEvent): [number, number] | null {
    const ground = this.#ground();
    if (ground === null) return null;
    return placeAt(ground, spotOn(event));
  }

  down(event: PointerEvent): void {
    const [ground, frame] = [this.#ground(), this.#frame()];
    if (ground === null || frame === null) return;
    const spot = spotOn(event);
    const area = event.currentTarget as HTMLElement;
    area.setPointerCapture(event.pointerId);
    this.#down.set(event.pointerId, spot);
    this.#editing.cursor = null;
    if (this.#down.size === 2) {
      // A second finger makes the first one's press no edit.
      this.#editing.cancel();
      this.loop = [];
      freeze(this.#lab, ground);
      this.#gesture = { kind: 'pinch' };
      return;
    }
    if (this.#down.size > 2) return;
    const hit = nearestAt(ground, frame.text, spot, event.pointerType === 'touch' ? 22 : 12);
    const row = hit < 0 ? null : ground.drawn.rows[hit]!;
    this.#pressed = [this.#pressed[1], row];
    if (event.button !== 0 || this.#editing.set === null) {
      this.#gesture = { kind: 'pan', from: spot, window: windowOf(ground), ground };
      if (event.button === 0) this.#editing.choose(row);
      return;
    }
    this.#draw(event, ground, spot, row);
  }

  #draw(event: PointerEvent, ground: Ground, spot: Spot, row: number | null): void {
    const editing = this.#editing;
    const label: Label = event.shiftKey ? (editing.label > 0 ? -1 : 1) : editing.label;
    const place = placeAt(ground, spot);
    editing.begin(ground);
    if (editing.tool === 'paint') {
      this.#gesture = { kind: 'paint', label, last: spot };
      editing.paint(this.#rounded(place, ground), label, ground, 4);
    } else if (editing.tool === 'erase') {
      this.#gesture = { kind: 'erase' };
      this.#erase(ground, spot);
    } else if (row !== null) {
      if (!editing.chosen.has(row)) editing.choose(row);
      this.#gesture = { kind: 'move', from: place };
    } else if (editing.tool === 'select') {
      editing.choose(null);
      this.#gesture = { kind: 'loop' };
      this.loop = [spot];
    } else {
      editing.add(this.#rounded(place, ground), label);
      this.#gesture = { kind: 'move', from: place };
      // Moves continue from the new point.
      editing.rebase();
    }
  }

  move(event: PointerEvent): void {
    const [ground, frame] = [this.#ground(), this.#frame()];
    if (ground === null || frame === null) return;
    const spot = spotOn(event);
    this.at = event.pointerType === 'touch' ? null : spot;
    const before = this.#down.get(event.pointerId);
    if (before === undefined || this.#gesture === null) {
      const hit = nearestAt(ground, frame.text, spot, 12);
      this.hovered = hit < 0 ? null : hit;
      return;
    }
    if (this.#gesture.kind === 'pinch') this.#pinch(event.pointerId, spot, ground);
    this.#down.set(event.pointerId, spot);
    this.#go(this.#gesture, ground, spot);
  }

  #go(gesture: Gesture, ground: Ground, spot: Spot): void {
    const place = placeAt(ground, spot);
    switch (gesture.kind) {
      case 'move':
        this.#editing.move(place[0] - gesture.from[0], place[1] - gesture.from[1], decimalsOf(ground));
        break;
      case 'paint':
        if (Math.hypot(spot[0] - gesture.last[0], spot[1] - gesture.last[1]) < brushRadius * 0.4) break;
        gesture.last = spot;
        this.#editing.paint(this.#rounded(place, ground), gesture.label, ground, 2);
        break;
      case 'erase':
        this.#erase(ground, spot);
        break;
      case 'loop':
        this.loop = [...this.loop, spot];
        break;
      case 'pan': {
        const [from, to] = [placeAt(gesture.ground, gesture.from), placeAt(gesture.ground, spot)];
        if (Math.hypot(spot[0] - gesture.from[0], spot[1] - gesture.from[1]) > 3)
          pan(this.#lab, gesture.window, from[0] - to[0], from[1] - to[1]);
      }
    }
  }

  /** Zooms and pans so that both fingers keep their places. */
  #pinch(id: number, spot: Spot, ground: Ground): void {
    const before = this.#down.get(id)!;
    const other = [...this.#down].find(([each]) => each !== id)?.[1];
    if (other === undefined) return;
    const [was, is] = [distance(before, other), distance(spot, other)];
    if (was < 10 || is < 10) return;
    const middle = (a: Spot): Spot => [(a[0] + other[0]) / 2, (a[1] + other[1]) / 2];
    zoom(this.#lab, ground, was / is, placeAt(ground, middle(spot)));
    const [from, to] = [placeAt(ground, middle(before)), placeAt(ground, middle(spot))];
    pan(this.#lab, this.#lab.look.window!, from[0] - to[0], from[1] - to[1]);
  }

  up(event: PointerEvent): void {
    this.#down.delete(event.pointerId);
    const [gesture, ground, frame] = [this.#gesture, this.#ground(), this.#frame()];
    if (gesture === null || ground === null || frame === null) return;
    if (this.#down.size > 0) return;
    this.#gesture = null;
    if (gesture.kind === 'loop') {
      if (this.loop.length > 3)
        this.#editing.chooseIn(this.loop, ground, pointSize(frame.text, ground.drawn.rows.length));
      this.loop = [];
    }
    this.#editing.end();
  }

  lost(event: PointerEvent): void {
    this.#down.delete(event.pointerId);
    this.#gesture = null;
    this.loop = [];
    this.#editing.cancel();
  }

  leave(): void {
    this.at = null;
    this.hovered = null;
  }

  /** Removes a point after a double press on it. */
  twice(): void {
    const [first, second] = this.#pressed;
    if (this.#editing.set === null || this.#editing.tool === 'paint' || first === null || first !== second) return;
    const ground = this.#ground();
    if (ground === null) return;
    this.#editing.begin(ground);
    this.#editing.erase(new Set([second]));
    this.#editing.end();
    this.#pressed = [null, null];
  }

  #erase(ground: Ground, spot: Spot): void {
    const size = pointSize(this.#frame()!.text, ground.drawn.rows.length);
    const rows = new Set<number>();
    ground.drawn.rows.forEach((row, k) => {
      if (distance(spotOf(ground, k, size), spot) <= brushRadius) rows.add(row);
    });
    this.#editing.erase(rows);
  }

  #rounded([x, y]: readonly [number, number], ground: Ground): { x: number; y: number } {
    const decimals = decimalsOf(ground);
    return { x: toDecimals(x, decimals), y: toDecimals(y, decimals) };
  }
}

const placeAt = ({ axes }: Ground, [x, y]: Spot): [number, number] => [axes.x.invert(x), axes.y.invert(y)];
const distance = ([ax, ay]: Spot, [bx, by]: Spot): number => Math.hypot(bx - ax, by - ay);

function spotOn(event: MouseEvent): Spot {
  const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}
