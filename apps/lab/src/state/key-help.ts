/** The table of keys in the help. */
export const keyHelp: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Space'], does: 'play, pause' },
  { keys: ['←', '→'], does: 'one example' },
  { keys: ['Shift ←', 'Shift →'], does: 'one update; on the timeline also ↑ ↓' },
  { keys: ['Page Up', 'Page Down'], does: 'one pass' },
  { keys: ['Home', 'End'], does: 'start, end of the run' },
  { keys: ['[', ']'], does: 'previous, next section of the tour that is open' },
  { keys: ['Ctrl Z', 'Ctrl Shift Z'], does: 'undo, redo' },
  { keys: [',', '.'], does: 'in the plane: the example before, after' },
  { keys: ['← ↑ → ↓', '1', '2'], does: 'in the plane: move the crosshair, add a positive, a negative point there' },
  { keys: ['Alt ← ↑ → ↓', 'Delete'], does: 'in the plane: move, remove what is chosen' },
  { keys: ['A', 'B', 'E', 'S'], does: 'in the plane: add, paint, erase, choose with a loop' },
  { keys: ['+', '−', '0'], does: 'in the plane: zoom in, zoom out, show all' },
  { keys: ['?'], does: 'this help' },
];
