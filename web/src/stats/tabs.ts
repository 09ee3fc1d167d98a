/** The tabs of the statistics: what was played, and how it is stored. */

import type { App } from '../app.ts';
import { h } from '../dom.ts';
import { link } from '../links.ts';
import type { ViewName } from '../state.ts';

const TABS = [
  ['statistics', 'Chess'],
  ['storage', 'Bytes and bits'],
] as const;

export const tabs = (app: App, current: ViewName): HTMLElement =>
  h(
    'nav',
    { class: 'row tabs', 'aria-label': 'Statistics' },
    TABS.map(([view, text]) =>
      link(app, { view }, { class: 'text-button', 'aria-current': view === current ? 'page' : null }, text),
    ),
  );
