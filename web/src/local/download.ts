/** Downloads without a server: the text of games as a file that the page makes. */

import { getBlob } from '../api.ts';
import { notify } from '../message.ts';

/** Games of a request. A file of many games is made of several, so that the module needs little memory. */
const GAMES = 10_000;

/** Downloads what a link of the HTTP interface leads to. */
export async function download(anchor: HTMLAnchorElement): Promise<void> {
  const url = new URL(anchor.href);
  const path = anchor.getAttribute('href')?.split('?')[0] ?? '';
  notify('The file is being made');
  try {
    save(await text(path, url.searchParams), anchor.download || 'games.pgn');
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error));
  }
}

async function text(path: string, parameters: URLSearchParams): Promise<Blob> {
  const { signal } = new AbortController();
  const isList = path.endsWith('/games.pgn') && !parameters.has('numbers');
  const get = (): Promise<Blob> => getBlob([path, parameters].join(parameters.size > 0 ? '?' : ''), signal);
  if (!isList) return get();
  const parts: Blob[] = [];
  parameters.set('limit', String(GAMES));
  for (let offset = 0; ; offset += GAMES) {
    parameters.set('offset', String(offset));
    const part = await get();
    if (part.size === 0) return new Blob(parts, { type: part.type });
    parts.push(part);
  }
}

/** Lets the browser save a file. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The browser reads the file a moment after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
