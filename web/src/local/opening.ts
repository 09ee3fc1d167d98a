/** Files of this computer: archives are explored, games are packed. Nothing is uploaded. */

import { button, fill, h, submit, textInput } from '../dom.ts';
import { bytes, percent } from '../format.ts';
import { save } from './download.ts';
import type { Source } from './protocol.ts';
import { type Packed, Reader } from './reader.ts';
import { chosenSources } from './site.ts';

/** Text of games that is shown; a longer one is packed. */
const MOST_SHOWN = 64 << 20;
/** The text is in memory while it is packed, twice for a moment. */
const MOST_PACKED = 200 << 20;

export class Opening {
  readonly dialog: HTMLDialogElement;
  private readonly body = h('div', { 'aria-live': 'polite' });
  private readonly input = h('input', {
    type: 'file',
    multiple: true,
    accept: '.ign,.idx,.pgn',
    'aria-label': 'Files',
    on: { change: () => this.take([...(this.input.files ?? [])]) },
  });
  private packing: AbortController | null = null;
  /** Over the page while files are dragged over it. */
  readonly target = h(
    'div',
    { class: 'drop-target', hidden: true },
    h('p', {}, 'Drop games (.pgn) or archives (.ign) here'),
  );

  constructor(
    /** Shows archives of this computer. */
    private readonly show: (sources: Source[]) => void,
    /** Shows games of this computer. */
    private readonly view: (games: File) => void,
    /** Shows the archive at an address; null if the page may not read other addresses. */
    goto: ((address: string) => void) | null,
  ) {
    const address = textInput({ 'aria-label': 'Address of an archive', placeholder: 'https://…/games.ign' });
    const go = (): void => {
      if (address.value.trim() !== '') goto?.(address.value.trim());
    };
    this.dialog = h(
      'dialog',
      { id: 'open', 'aria-labelledby': 'open-title', on: { close: () => this.packing?.abort() } },
      h(
        'div',
        { class: 'row dialog-head' },
        h('h2', { id: 'open-title' }, 'Open'),
        h('span', { class: 'space' }),
        button('Close', () => this.dialog.close()),
      ),
      h(
        'p',
        {},
        'An archive (.ign) is explored, best with its index (.idx) chosen at the same time; games (.pgn) are shown, compared with the archive and packed. The files stay on this computer.',
      ),
      h('div', { class: 'drop-zone' }, h('p', {}, 'Drop files here, or choose them:'), this.input),
      goto && h('form', { class: 'row', on: submit(go) }, address, h('button', { type: 'submit' }, 'Open')),
      this.body,
    );
  }

  /** Opens the dialog. */
  ask(): void {
    this.input.value = '';
    fill(this.body);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Lets files be dropped anywhere on the page, and shows that while they are dragged over it. */
  listen(signal: AbortSignal): void {
    const on = (type: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void): void =>
      document.addEventListener(
        type,
        (event) => {
          if (event.dataTransfer?.types.includes('Files')) handle(event);
        },
        { signal },
      );
    on('dragover', (event) => {
      event.preventDefault();
      this.target.hidden = false;
    });
    on('dragleave', (event) => {
      // Not from one element of the page to another.
      if (event.relatedTarget === null) this.target.hidden = true;
    });
    on('drop', (event) => {
      event.preventDefault();
      this.target.hidden = true;
      this.take([...(event.dataTransfer?.files ?? [])]);
    });
  }

  private take(files: readonly File[]): void {
    this.packing?.abort();
    if (files.length === 0) return;
    const sources = chosenSources(files);
    const [games] = files.filter((file) => /\.pgn$/i.test(file.name));
    if (sources.length > 0) {
      this.dialog.close();
      this.show(sources);
      return;
    }
    if (games && files.length === 1) {
      if (games.size > MOST_SHOWN) this.packGames(games);
      else {
        this.dialog.close();
        this.view(games);
      }
      return;
    }
    if (!this.dialog.open) this.ask();
    this.complain(files);
  }

  /** Packs games into an archive. */
  packGames(games: File): void {
    if (!this.dialog.open) this.ask();
    if (games.size > MOST_PACKED)
      this.tell(
        `${games.name} has ${bytes(games.size)}; a browser packs at most ${bytes(MOST_PACKED)}. The program ign packs longer files.`,
      );
    else void this.pack(games);
  }

  private complain(files: readonly File[]): void {
    const [file] = files;
    const isIndex = files.every(({ name }) => name.endsWith('.idx'));
    const text = isIndex
      ? 'An index belongs to an archive: choose the archive (.ign) and its index together.'
      : files.length > 1
        ? 'Choose one file of games (.pgn) at a time, or archives (.ign).'
        : /\.(zst|gz|bz2|zip|7z)$/i.test(file?.name ?? '')
          ? `${file?.name} is compressed. Decompress it first.`
          : `${file?.name} is neither an archive (.ign) nor games (.pgn).`;
    this.tell(text);
  }

  private tell(problem: string): void {
    fill(this.body, h('p', { class: 'error', role: 'alert' }, problem));
  }

  private async pack(file: File): Promise<void> {
    const controller = new AbortController();
    this.packing = controller;
    const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of packing' });
    const text = h('span', { class: 'number' });
    fill(
      this.body,
      h('p', {}, `Packing ${file.name}, ${bytes(file.size)}`),
      h(
        'p',
        { class: 'row' },
        bar,
        text,
        button('Cancel', () => controller.abort()),
      ),
    );
    const reader = new Reader([]);
    try {
      const packed = await reader.pack(file, controller.signal, (part) => {
        bar.value = part;
        text.textContent = percent(part, 1);
      });
      this.offer(file, packed);
    } catch (error) {
      if (controller.signal.aborted) fill(this.body, h('p', {}, 'Packing was cancelled.'));
      else this.tell(error instanceof Error ? error.message : String(error));
    } finally {
      reader.close();
    }
  }

  /** Shows what packing made. */
  private offer(games: File, { archive, index }: Packed): void {
    const name = games.name.replace(/\.pgn$/i, '.ign');
    const explore = (): void => {
      this.dialog.close();
      this.show(chosenSources([new File([archive], name), new File([index], `${name}.idx`)]));
    };
    const part = percent(archive.size, games.size);
    fill(
      this.body,
      h(
        'p',
        {},
        `${name} has ${bytes(archive.size)}, ${part} of the text. Its index has ${bytes(index.size)}.`,
      ),
      h(
        'p',
        { class: 'row' },
        button(`Download ${name}`, () => save(archive, name), { class: 'primary' }),
        button('Download its index', () => save(index, `${name}.idx`)),
        button('Explore', explore),
      ),
    );
  }
}
