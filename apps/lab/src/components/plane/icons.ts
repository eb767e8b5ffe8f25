/** Paths of icons in a box of 20 × 20. */
export const icons = {
  add: 'M10 4v12M4 10h12',
  paint: 'M5 6h.01M9 4h.01M13 7h.01M6 11h.01M11 11h.01M15 12h.01M9 16h.01M14 16h.01',
  erase: 'M11 4l5 5-7 7H6l-3-3zM8 7l5 5',
  select: 'M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4',
  undo: 'M8 5L4 9l4 4M4 9h7a4.500 4.500 0 0 1 0 7H8',
  redo: 'M12 5l4 4-4 4M16 9H9a4.500 4.500 0 0 0 0 7h3',
  clear: 'M4 6h12M8 6V4h4v2M6 6l1 10h6l1-10',
  closer: 'M9 9m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0M13 13l4 4M9 7v4M7 9h4',
  farther: 'M9 9m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0M13 13l4 4M7 9h4',
  fit: 'M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M8 8h4v4H8z',
  enlarge: 'M12 3h5v5M17 3l-6 6M8 17H3v-5M3 17l6-6',
  layers: 'M10 3l7 4-7 4-7-4zM3 10.500l7 4 7-4M3 13.500l7 4 7-4',
} as const;

export type IconName = keyof typeof icons;
