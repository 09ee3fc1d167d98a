/**
 * The bytes of files, in pages that are kept. The module reads synchronously, so a read waits for the request of what is
 * missing: pages that follow each other, and more where the module reads on or has announced that it will.
 */

import { fileFault } from './faults.ts';
import type { RemoteFile } from './ranges.ts';

export const PAGE = 16 << 10;
/** Pages that are kept, of all files: 32 MiB. The module keeps those that it used last, too. */
const MOST_PAGES = 2048;
/** Pages of a request. */
const MOST_OF_REQUEST = 64;

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** A file that was chosen on this computer. It is read at once. */
export class ChosenFile {
  constructor(private readonly file: File) {}

  get length(): number {
    return this.file.size;
  }

  request(offset: number, length: number): Uint8Array {
    try {
      return new Uint8Array(new FileReaderSync().readAsArrayBuffer(this.file.slice(offset, offset + length)));
    } catch {
      throw fileFault(this.file.name);
    }
  }
}

export type Bytes = RemoteFile | ChosenFile;

export class Pages {
  private files: Bytes[] = [];
  /** By file and page; the first was used longest ago. */
  private readonly kept = new Map<number, Uint8Array>();
  /** Pages that the module will read soon, by file. */
  private announced = new Map<number, Set<number>>();
  /** The page after those that were requested last, and how many these were. */
  private last = { next: -1, count: 1 };

  /** Adds a file and returns its id. */
  add(file: Bytes, first?: Uint8Array): number {
    const id = this.files.push(file) - 1;
    if (first && (first.length === PAGE || first.length === file.length)) this.keep(id, 0, first);
    return id;
  }

  /** Runs a call of the module. What an earlier call announced no longer counts. */
  run<T>(call: () => T): T {
    this.announced.clear();
    return call();
  }

  /** Bytes of a file, for the module. */
  read(id: number, offset: number, length: number): Uint8Array {
    const file = this.file(id, offset, length);
    if (length === 0) return new Uint8Array();
    const [first, last] = [Math.floor(offset / PAGE), Math.floor((offset + length - 1) / PAGE)];
    const out = new Uint8Array(length);
    for (let page = first; page <= last; ) {
      page = this.copy(id, file, page, last, offset, out);
    }
    return out;
  }

  /** Copies a page that is kept, or those that a request brings, and returns the page after them. */
  private copy(id: number, file: Bytes, page: number, last: number, offset: number, out: Uint8Array): number {
    const old = this.kept.get(key(id, page));
    if (old) {
      this.keep(id, page, old);
      copyInto(out, old, page * PAGE - offset);
      return page + 1;
    }
    let end = page;
    while (end < last && end - page + 1 < MOST_OF_REQUEST && !this.kept.has(key(id, end + 1))) end += 1;
    end = this.ahead(id, file, page, end);
    const bytes = file.request(page * PAGE, Math.min((end + 1) * PAGE, lengthOf(file)) - page * PAGE);
    for (let at = page; at <= end; at += 1) {
      const part = bytes.slice((at - page) * PAGE, (at - page + 1) * PAGE);
      this.keep(id, at, part);
    }
    copyInto(out, bytes, page * PAGE - offset);
    return end + 1;
  }

  /** The last page of a request: more than is needed where the module reads on, or announced so. */
  private ahead(id: number, file: Bytes, first: number, needed: number): number {
    const isNext = this.last.next === key(id, first);
    const count = isNext ? Math.min(this.last.count * 2, MOST_OF_REQUEST) : 1;
    const most = Math.min(first + MOST_OF_REQUEST, Math.ceil(lengthOf(file) / PAGE)) - 1;
    const announced = this.announced.get(id);
    let end = needed;
    while (
      end < most &&
      (end - first + 1 < count || announced?.has(end + 1)) &&
      !this.kept.has(key(id, end + 1))
    )
      end += 1;
    this.last = { next: key(id, end + 1), count: Math.max(count, end - first + 1) };
    return end;
  }

  /** The module will read these ranges soon. */
  announce(id: number, ranges: readonly (readonly [number, number])[]): void {
    const file = this.files[id];
    if (!file || file instanceof ChosenFile) return;
    for (const [offset, length] of ranges) {
      if (length <= 0 || offset < 0 || offset + length > lengthOf(file)) continue;
      for (let page = Math.floor(offset / PAGE); page <= Math.floor((offset + length - 1) / PAGE); page += 1)
        if (!this.kept.has(key(id, page))) note(this.announced, id, page);
    }
  }

  private file(id: number, offset: number, length: number): Bytes {
    const file = this.files[id];
    if (!file || offset < 0 || length < 0 || offset + length > lengthOf(file))
      throw new Error('read beyond the end of the file');
    return file;
  }

  private keep(id: number, page: number, bytes: Uint8Array): void {
    const at = key(id, page);
    this.kept.delete(at);
    this.kept.set(at, bytes);
    const oldest = this.kept.keys().next().value;
    if (this.kept.size > MOST_PAGES && oldest !== undefined) this.kept.delete(oldest);
  }
}

const lengthOf = (file: Bytes): number => file.length ?? 0;

/** Files have fewer than 2^40 pages. */
const key = (id: number, page: number): number => id * 2 ** 40 + page;

function note(pages: Map<number, Set<number>>, id: number, page: number): void {
  const known = pages.get(id);
  if (known) known.add(page);
  else pages.set(id, new Set([page]));
}

/** Copies what there is room for. The bytes begin at `at`, which may be before the room. */
function copyInto(room: Uint8Array, bytes: Uint8Array, at: number): void {
  const from = Math.max(0, -at);
  const to = Math.min(bytes.length, room.length - at);
  room.set(bytes.subarray(from, to), Math.max(0, at));
}
