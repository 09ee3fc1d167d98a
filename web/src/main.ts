/** The page: one state, the views that show it, and what links and keys do. */

import type { App, View } from './app.ts';
import { h } from './dom.ts';
import { Editor } from './editor.ts';
import { Explorer } from './explorer/view.ts';
import { loadFilters } from './filters.ts';
import { GameView } from './game/view.ts';
import { Header } from './header.ts';
import { helpDialog, showHelp } from './help.ts';
import { updateLinks } from './links.ts';
import { PlayerView } from './player.ts';
import { read, type State, type ViewName, write } from './state.ts';
import { StatisticsView } from './stats/chess.ts';
import { StorageView } from './stats/storage.ts';
import { toggleTheme } from './theme.ts';

class Page implements App {
  state = read(location.search);
  private readonly views = new Map<ViewName, View>();
  private readonly main = h('main', { id: 'main' });
  private readonly help = helpDialog();
  private readonly header = new Header(this, () => showHelp(this.help));
  private current: View | null = null;
  /** Where each view was left: its address, how far it was scrolled, what had the focus. */
  private readonly left = new Map<View, { url: string; top: number; focus: Element | null }>();

  constructor() {
    const live = h('div', { id: 'announce', class: 'hidden', 'aria-live': 'polite' });
    document.body.replaceChildren(
      h('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
      this.header.element,
      this.main,
      this.header.footer,
      live,
      this.help,
    );
    addEventListener('popstate', () => this.display(read(location.search)));
    document.addEventListener('click', (event) => this.clicked(event));
    document.addEventListener('keydown', (event) => this.pressed(event));
    this.display(this.state);
  }

  go(changes: Partial<State>, how: 'push' | 'replace'): void {
    const state = { ...this.state, ...changes };
    const url = write(state);
    if (how === 'push' && url !== write(this.state)) history.pushState(null, '', url);
    else history.replaceState(null, '', url);
    this.display(state);
  }

  retitle(view: View): void {
    if (view === this.current) document.title = `${view.title(this.state)} · ign`;
  }

  private display(state: State): void {
    const old = this.current;
    const view = this.view(state.view);
    const changed = old !== view;
    const first = old === null;
    if (changed) {
      if (old) {
        const focus = old.element.contains(document.activeElement) ? document.activeElement : null;
        this.left.set(old, { url: write({ ...this.state, flip: false }), top: scrollY, focus });
      }
      this.current = view;
      this.main.replaceChildren(view.element);
    }
    this.state = state;
    this.header.show(state);
    view.show(state);
    updateLinks(state);
    this.retitle(view);
    if (!changed || first) return;
    const left = this.left.get(view);
    const same = left?.url === write({ ...state, flip: false });
    scrollTo(0, same ? left.top : 0);
    const focus = same && left.focus?.isConnected ? left.focus : view.element.querySelector('h1');
    if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
  }

  /** Views are made when they are first shown. */
  private view(name: ViewName): View {
    let view = this.views.get(name);
    if (!view) {
      const make = {
        explorer: Explorer,
        game: GameView,
        editor: Editor,
        statistics: StatisticsView,
        storage: StorageView,
        player: PlayerView,
      }[name];
      view = new make(this);
      this.views.set(name, view);
    }
    return view;
  }

  /** Links to states of the page need no loading. */
  private clicked(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (!anchor?.getAttribute('href')?.startsWith('?')) return;
    event.preventDefault();
    this.go(read(anchor.search), anchor.dataset.replace === undefined ? 'push' : 'replace');
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const target = event.target instanceof Element ? event.target : null;
    const field = target?.closest('input, textarea, select');
    if (field && !(field instanceof HTMLInputElement && field.type === 'checkbox')) {
      if (event.key === 'Escape') (field as HTMLElement).blur();
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (this.current?.key?.(key) || this.command(key)) event.preventDefault();
  }

  private command(key: string): boolean {
    switch (key) {
      case '?':
        showHelp(this.help);
        return true;
      case 't':
        toggleTheme();
        return true;
      case 's':
        this.go({ view: 'statistics' }, 'push');
        return true;
      case 'p':
        this.go({ view: 'player' }, 'push');
        return true;
      case 'x':
        this.go({ view: 'explorer' }, 'push');
        return true;
      default:
        return false;
    }
  }
}

// Without the conditions the page still shows all games.
loadFilters()
  .catch(() => undefined)
  .then(() => new Page());
