/** What a page without a server shows: the archives of its `site.json`, or one at an address. */

import { ApiError } from '../api.ts';
import type { Filter } from '../filters.ts';
import type { Source } from './protocol.ts';

/** An archive as `site.json` has it. */
interface SiteArchive {
  name: string;
  /** The name of the file as part of an address. That of the index has `.idx` added. */
  file: string;
  games: number;
  bytes: number;
  /** Null if there is no index. */
  index_bytes: number | null;
}

/** `site.json`, as `ign site` writes it. */
export interface Site {
  title: string;
  version: string;
  /** Where the archives are; null if they are beside `site.json`. */
  url: string | null;
  archives: SiteArchive[];
  /** As `/api/conditions` has them, so that the page does not wait for the module. */
  conditions: Filter[];
}

/** The address of `site.json`, which the document of a site names; null if a server answers. */
const siteAddress = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="ign-site"]')?.content ?? null;

/** Reads what the page shows; null if a server answers. */
export async function loadSite(): Promise<Site | null> {
  const address = siteAddress();
  if (address === null) return null;
  const response = await fetch(address, { cache: 'no-cache' }).catch(() => null);
  if (!response?.ok)
    throw new ApiError(`The file ${address} is missing beside this page. Copy the whole folder of the site.`);
  return (await response.json()) as Site;
}

/** The archives of a site. */
export function sourcesOf({ url, archives }: Site): Source[] {
  const base = new URL(url ?? './', document.baseURI);
  const at = (file: string): string => new URL(file, base).href;
  return archives.map(({ name, file, bytes, index_bytes }) => ({
    name,
    archive: { url: at(file), length: bytes },
    index: index_bytes === null ? null : { url: at(`${file}.idx`), length: index_bytes },
  }));
}

/** An archive at any address; its index is beside it, if there is one. */
export function sourceAt(address: string): Source {
  if (!URL.canParse(address, document.baseURI))
    throw new ApiError(
      `${address} is not an address. It begins with https:// and ends with .ign.`,
      null,
      true,
    );
  const url = new URL(address, document.baseURI);
  const index = new URL(url);
  index.pathname += '.idx';
  return {
    name: nameOf(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)),
    archive: { url: url.href, length: null },
    index: { url: index.href, length: null },
  };
}

/** Archives among files that were chosen, with their indexes. */
export function chosenSources(files: readonly File[]): Source[] {
  const archives = files.filter((file) => /\.ign$/i.test(file.name));
  return archives.map((file) => {
    const index = files.find((other) => other.name === `${file.name}.idx`);
    return { name: nameOf(file.name), archive: { file }, index: index ? { file: index } : null };
  });
}

/** The name of a source: that of its file without the ending. */
const nameOf = (file: string): string => file.replace(/\.ign$/i, '');
