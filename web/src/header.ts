/** The header: the views, the archives, the theme, the help. */

import { get } from './api.ts';
import type { App } from './app.ts';
import { control } from './board/controls.ts';
import { button, fill, h, own } from './dom.ts';
import { bytes, games } from './format.ts';
import { icon } from './icons.ts';
import { link } from './links.ts';
import { toggleTheme } from './preferences.ts';
import { START, type State } from './state.ts';
import type { Sources } from './types.ts';

export class Header {
  readonly element: HTMLElement;
  readonly footer = h('footer', { class: 'quiet' });
  private readonly explorer: HTMLElement;
  private readonly statistics: HTMLElement;
  private readonly player: HTMLElement;
  private readonly sources = h('span', { class: 'sources' });
  private select: HTMLSelectElement | null = null;

  constructor(
    private readonly app: App,
    open: () => void,
    settings: () => void,
    help: () => void,
  ) {
    this.explorer = link(app, { view: 'explorer' }, {}, 'Explorer');
    this.statistics = link(app, { view: 'statistics' }, {}, 'Statistics');
    this.player = link(app, { view: 'player' }, {}, 'Players');
    const title = app.shown.title || 'ign';
    this.element = h(
      'header',
      { class: 'site' },
      link(
        app,
        ({ archive }) => ({ ...START, archive }),
        { class: 'brand', 'aria-label': `${title}, start` },
        own(title),
      ),
      h('nav', { 'aria-label': 'Views' }, this.explorer, this.player, this.statistics),
      h('span', { class: 'space' }),
      this.sources,
      app.shown.isChosen &&
        h(
          'a',
          { href: './', class: 'text-button', title: 'Leave these files, back to the archives of this page' },
          icon('back'),
          'Leave these files',
        ),
      button([icon('open'), h('span', {}, 'Open')], open, {
        class: 'icon-button open-files',
        title: 'Open files of this computer (O); they can be dropped on the page',
        'aria-label': 'Open files of this computer (O)',
      }),
      control('theme', 'Light or dark (T)', toggleTheme),
      control('settings', 'Settings (,)', settings),
      control('help', 'Help (?)', help),
    );
    this.load();
  }

  /** Loads what is known of the archives. */
  load(): void {
    get<Sources>('api/sources', new AbortController().signal).then(
      (answer) => this.fill(answer),
      // The views report that the server does not answer.
      () => undefined,
    );
  }

  show(state: State): void {
    const mark = (anchor: HTMLElement, on: boolean): void => {
      if (on) anchor.setAttribute('aria-current', 'page');
      else anchor.removeAttribute('aria-current');
    };
    const { view } = state;
    mark(this.explorer, ['explorer', 'game', 'editor', 'dropped', 'droppedGame'].includes(view));
    mark(this.player, view === 'player');
    mark(this.statistics, view === 'statistics' || view === 'storage');
    if (this.select) this.select.value = state.source;
  }

  private fill({ sources, games: all, version }: Sources): void {
    const [only] = sources;
    if (sources.length === 1 && only) {
      fill(this.sources, h('span', { class: 'quiet' }, `${only.name} · ${games(only.games)}`));
    } else {
      this.select = h(
        'select',
        {
          'aria-label': 'Archive',
          on: { change: () => this.app.go({ source: this.select?.value ?? '', offset: 0 }, 'push') },
        },
        h('option', { value: '' }, `All archives · ${games(all)}`),
        sources.map((source) =>
          h('option', { value: source.name }, `${source.name} · ${games(source.games)}`),
        ),
      );
      fill(this.sources, this.select);
      this.select.value = this.app.state.source;
    }
    const size = bytes(sources.reduce((sum, source) => sum + source.bytes, 0));
    fill(
      this.footer,
      h(
        'p',
        { class: 'drop-hint' },
        'Files of games (.pgn) and archives (.ign) can be dropped anywhere on this page.',
      ),
      `ign ${version} · ${size} · `,
      indexState(sources),
      sources.map(
        ({ name, rejected }) => rejected && ` · the search index of ${name} is not used: ${rejected}`,
      ),
    );
  }
}

/** Which archives have a search index, and what it is for. */
function indexState(sources: Sources['sources']): string {
  const unindexed = sources.filter((source) => source.index !== true);
  if (unindexed.length === 0) return 'indexed';
  const all = unindexed.length === sources.length;
  const which = all ? '' : ` of ${unindexed.map(({ name }) => name).join(', ')}`;
  return `without a search index positions${which} take longer to find`;
}
