/** The page: one state, the views that show it, and what links and keys do. */

import { answerBy, forgetAnswers, hasServer } from './api.ts';
import type { App, Shown, View } from './app.ts';
import { applyBoardWidth } from './board/frame.ts';
import { h } from './dom.ts';
import { forgetFile, takeFile } from './dropped/file.ts';
import { droppedGames } from './dropped/origin.ts';
import { DroppedView } from './dropped/view.ts';
import { Editor } from './editor.ts';
import { Explorer } from './explorer/view.ts';
import { FILTERS, loadFilters } from './filters.ts';
import { GameView } from './game/view.ts';
import { Header } from './header.ts';
import { helpDialog, showHelp } from './help.ts';
import { updateLinks } from './links.ts';
import { download } from './local/download.ts';
import { Opening } from './local/opening.ts';
import type { Source } from './local/protocol.ts';
import { Reader } from './local/reader.ts';
import { loadSite, sourceAt, sourcesOf } from './local/site.ts';
import { notify, problemMessage } from './message.ts';
import { PlayerView } from './player.ts';
import { Preferences, toggleTheme } from './preferences.ts';
import { loadPermits } from './server.ts';
import { read, START, type State, type ViewName, write } from './state.ts';
import { StatisticsView } from './stats/chess.ts';
import { StorageView } from './stats/storage.ts';

/** Marks entries of the history that show files of this computer. */
const CHOSEN = 'chosen';

class Page implements App {
  state = read(location.search);
  private readonly views = new Map<ViewName, View>();
  private readonly main = h('main', { id: 'main' });
  private readonly help = helpDialog();
  private readonly preferences = new Preferences();
  private readonly opening: Opening;
  private readonly header: Header;
  /** Ends what the page listens to. */
  private readonly listening = new AbortController();
  private current: View | null = null;
  /** Where each view was left: its address, how far it was scrolled, what had the focus. */
  private readonly left = new Map<View, { url: string; top: number; focus: Element | null }>();

  constructor(
    readonly shown: Shown,
    /** Shows other archives in place of this page. */
    show: (sources: Source[]) => void,
  ) {
    const isSite = !hasServer() && !shown.isChosen;
    this.opening = new Opening(
      show,
      (games) => void this.openGames(games),
      isSite ? (archive) => this.go({ ...START, archive }, 'push') : null,
    );
    this.header = new Header(
      this,
      () => this.opening.ask(),
      () => this.preferences.ask(),
      () => showHelp(this.help),
    );
    const live = h('div', { id: 'announce', class: 'hidden', 'aria-live': 'polite' });
    document.body.replaceChildren(
      h('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
      this.header.element,
      this.main,
      this.header.footer,
      live,
      this.help,
      this.preferences.dialog,
      this.opening.dialog,
      this.opening.target,
    );
    const { signal } = this.listening;
    addEventListener('popstate', ({ state }) => this.returned(state), { signal });
    document.addEventListener('click', (event) => this.clicked(event), { signal });
    document.addEventListener('keydown', (event) => this.pressed(event), { signal });
    this.opening.listen(signal);
    this.display(this.state);
  }

  /** Shows what is known of the archives now. */
  reload(): void {
    this.header.load();
  }

  /** Lets another page take the place of this one. */
  leave(): void {
    this.listening.abort();
  }

  go(changes: Partial<State>, how: 'push' | 'replace'): void {
    const state = { ...this.state, ...changes };
    const url = write(state);
    const entry = this.shown.isChosen ? CHOSEN : null;
    if (how === 'push' && url !== write(this.state)) history.pushState(entry, '', url);
    else history.replaceState(entry, '', url);
    this.display(state);
  }

  /** The browser's history leads to an entry; from files of this computer it leads back to the archives before them. */
  private returned(entry: unknown): void {
    // The link to the content is no other entry.
    if (location.hash !== '') return;
    if (this.shown.isChosen && entry !== CHOSEN) location.reload();
    else this.display(read(location.search));
  }

  closeFile(): void {
    forgetFile();
    for (const name of ['dropped', 'droppedGame'] as const) this.views.delete(name);
    this.go({ view: 'explorer' }, 'push');
  }

  renew(): void {
    forgetAnswers();
    for (const [name, view] of [...this.views]) if (view !== this.current) this.views.delete(name);
    this.header.load();
  }

  /** Shows a file of games: its only game, or the list. */
  private async openGames(file: File): Promise<void> {
    try {
      const { parts } = await takeFile(file);
      // Another file than the one that is shown.
      this.views.delete('droppedGame');
      const game =
        parts.length === 1 ? ({ view: 'droppedGame', game: 1 } as const) : { view: 'dropped' as const };
      this.go({ ...game, node: 0, tried: [] }, 'push');
    } catch {
      notify(`${file.name} cannot be read`);
    }
  }

  retitle(view: View): void {
    if (view === this.current) document.title = `${view.title(this.state)} · ${this.shown.title || 'ign'}`;
  }

  private display(state: State): void {
    if (state.archive !== this.state.archive && !hasServer() && !this.shown.isChosen) {
      // Other archives have answers of their own.
      location.reload();
      return;
    }
    const old = this.current;
    const view = this.view(state.view);
    const changed = old !== view;
    const first = old === null;
    if (changed) {
      if (old) {
        const focus = old.element.contains(document.activeElement) ? document.activeElement : null;
        old.hide?.();
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
      const make: Record<ViewName, () => View> = {
        explorer: () => new Explorer(this),
        game: () => new GameView(this),
        editor: () => new Editor(this),
        statistics: () => new StatisticsView(this),
        storage: () => new StorageView(this),
        player: () => new PlayerView(this),
        dropped: () => new DroppedView(this, (file) => this.opening.packGames(file)),
        droppedGame: () => new GameView(this, droppedGames(this)),
      };
      view = make[name]();
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
    const href = anchor?.getAttribute('href');
    if (anchor?.hasAttribute('download') && href?.startsWith('api/') && !hasServer()) {
      event.preventDefault();
      void download(anchor);
      return;
    }
    if (!anchor || !href?.startsWith('?')) return;
    event.preventDefault();
    this.go(read(anchor.search), anchor.dataset.replace === undefined ? 'push' : 'replace');
  }

  private pressed(event: KeyboardEvent): void {
    const isAsking = [this.help, this.preferences.dialog, this.opening.dialog].some(({ open }) => open);
    if (event.ctrlKey || event.metaKey || event.altKey || isAsking) return;
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
      case ',':
        this.preferences.ask();
        return true;
      case 'o':
        this.opening.ask();
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

/** Shows what the server or the site has, or the archive that the address names. */
async function start(): Promise<void> {
  applyBoardWidth();
  const site = await loadSite();
  if (site) {
    FILTERS.push(...site.conditions);
    const { archive } = read(location.search);
    const reader = new Reader(archive === '' ? sourcesOf(site) : [sourceAt(archive)]);
    // The module is loaded after the page is seen.
    const seen = painted();
    answerBy((url, signal) => seen.then(() => reader.send(url, signal)));
    show({ title: site.title, isChosen: false }, reader);
  } else {
    // Without the conditions the page still shows all games.
    await Promise.all([loadFilters().catch(() => undefined), loadPermits()]);
    show({ title: '', isChosen: false }, null);
  }
}

/** The next picture of the page. A page in the background is not drawn. */
const painted = (): Promise<void> =>
  new Promise((done) => {
    if (document.hidden) done();
    else requestAnimationFrame(() => setTimeout(done));
  });

function show(shown: Shown, reader: Reader | null): void {
  const page = new Page(shown, (sources) => {
    page.leave();
    reader?.close();
    const other = new Reader(sources);
    answerBy(other.send);
    history.pushState(CHOSEN, '', '?');
    show({ ...shown, isChosen: true }, other);
  });
  if (reader) reader.noticed = () => page.reload();
}

start().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(
    h('main', { id: 'main' }, h('h1', {}, 'Nothing to show'), problemMessage(text)),
  );
});
