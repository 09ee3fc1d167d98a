/** Icons of the controls, drawn on a grid of 24. They are decoration: every control has a name in words. */

import { svg } from './dom.ts';

const PATHS = {
  first: 'M6 5v14M18 5l-8 7 8 7z',
  previous: 'M16 5l-9 7 9 7z',
  next: 'M8 5l9 7-9 7z',
  last: 'M18 5v14M6 5l8 7-8 7z',
  flip: 'M7 4v15M7 4L3 8M7 4l4 4M17 20V5M17 20l-4-4M17 20l4-4',
  edit: 'M4 20l1-5L16 4l4 4L9 19z',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  download: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  filter: 'M3 5h18l-7 8v6l-4 2v-8z',
  close: 'M5 5l14 14M19 5L5 19',
  back: 'M10 5l-7 7 7 7M3 12h18',
  previousGame: 'M12 6l-6 6 6 6M19 6l-6 6 6 6',
  nextGame: 'M12 6l6 6-6 6M5 6l6 6-6 6',
  open: 'M3 19V5h6l2 3h9v11zM3 19l3-8h15',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M16 5a2 2 0 1 0 0 4a2 2 0 1 0 0-4M8 15a2 2 0 1 0 0 4a2 2 0 1 0 0-4',
  engine: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  play: 'M7 4l13 8-13 8z',
  pause: 'M7 4v16M17 4v16',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.1',
} as const;

export type IconName = keyof typeof PATHS;

export const icon = (name: IconName): SVGElement =>
  svg(
    'svg',
    { viewBox: '0 0 24 24', class: `icon icon-${name}`, 'aria-hidden': 'true' },
    svg('path', { d: PATHS[name] }),
  );
