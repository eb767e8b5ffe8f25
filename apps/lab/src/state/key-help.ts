import { t } from '../words/words.ts';
/** The table of keys in the help. */
export const keyHelp: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: [t`Space`], does: t`play, pause` },
  { keys: ['←', '→'], does: t`one example` },
  { keys: [t`Shift ←`, t`Shift →`], does: t`one update; on the timeline also ↑ ↓` },
  { keys: [t`Page Up`, t`Page Down`], does: t`one pass` },
  { keys: [t`Home`, t`End`], does: t`start, end of the run` },
  { keys: ['[', ']'], does: t`previous, next section of the tour that is open` },
  { keys: [t`Ctrl Z`, t`Ctrl Shift Z`], does: t`undo, redo` },
  { keys: [',', '.'], does: t`in the plane: the example before, after` },
  { keys: ['← ↑ → ↓', '1', '2'], does: t`in the plane: move the crosshair, add a positive, a negative point there` },
  { keys: ['Alt ← ↑ → ↓', t`Delete`], does: t`in the plane: move, remove what is chosen` },
  { keys: ['A', 'B', 'E', 'S'], does: t`in the plane: add, paint, erase, choose with a loop` },
  { keys: ['+', '−', '0'], does: t`in the plane: zoom in, zoom out, show all` },
  { keys: ['F'], does: t`present: plane and view fill the screen; again, or Escape: leave` },
  { keys: [t`Page Down`, t`Page Up`], does: t`presenting a tour: next, previous slide; also arrow keys, Space` },
  { keys: ['0', '1', '2', '3'], does: t`presenting: both figures, the plane, the first, the second view` },
  { keys: ['R', 'B', 'P'], does: t`presenting: show results, dark screen, play` },
  { keys: ['?'], does: t`this help` },
];
