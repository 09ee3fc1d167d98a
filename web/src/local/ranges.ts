/**
 * Parts of a file on a server, by requests with a Range header. An answer is used only if it is the part that was
 * requested, of the file that was opened: the same length and the same version, as far as the server states them.
 */

import { Fault, faultOf } from './faults.ts';

const PARTIAL = 206;
const OK = 200;
const NOT_SATISFIABLE = 416;
const MISSING = [401, 403, 404, 410];
/** Waiting times before a request is repeated that was cut, or that a busy server refused. */
const PAUSES_MS = [200, 1000];

/** What was requested, counted for tests and measurements. */
export const traffic = { requests: 0, bytes: 0 };

export class RemoteFile {
  /** ETag or Last-Modified of the first answer; null if the server states neither. */
  private version: string | null | undefined;

  constructor(
    readonly url: string,
    /** Null until the first answer states it. */
    public length: number | null,
  ) {}

  /** Finds the length if it is not known, with the first bytes. */
  async open(length: number, signal: AbortSignal): Promise<Uint8Array> {
    const bytes = await this.fetch(0, length, signal);
    // Servers may hide the header that has the length from pages of other servers.
    this.length ??= await this.lengthByHead(signal);
    return bytes;
  }

  /** Requests a part. A last part that is not known may be shorter. */
  async fetch(offset: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.fetchOnce(offset, length, signal);
      } catch (error) {
        const pause = PAUSES_MS[attempt];
        const passes = error instanceof Fault && ['cut', 'status', 'unreachable'].includes(error.kind);
        if (signal.aborted || !passes || pause === undefined) throw error;
        await new Promise((done) => setTimeout(done, pause));
        if (signal.aborted) throw error;
      }
    }
  }

  private async fetchOnce(offset: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    traffic.requests += 1;
    let response: Response;
    const stop = new AbortController();
    const end = (): void => stop.abort();
    signal.addEventListener('abort', end, { once: true });
    try {
      response = await fetch(this.url, {
        headers: { Range: range(offset, length) },
        // Parts are kept by the page. The cache of the browser would let requests for one file wait for each other.
        cache: 'no-store',
        signal: stop.signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      throw await this.unanswered();
    }
    const header = (name: string): string | null => response.headers.get(name);
    try {
      this.check(response.status, header, offset);
    } catch (error) {
      // The rest of the answer may be the whole file.
      stop.abort();
      throw error;
    }
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      if (signal.aborted) throw error;
      throw navigator.onLine ? this.fault('cut') : this.fault('offline');
    }
    traffic.bytes += bytes.length;
    return this.whole(bytes, offset, length);
  }

  /** Requests a part, and waits without letting anything else happen. */
  request(offset: number, length: number): Uint8Array {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return this.requestOnce(offset, length);
      } catch (error) {
        const passes = error instanceof Fault && ['cut', 'status'].includes(error.kind);
        if (!passes || attempt >= PAUSES_MS.length) throw error;
      }
    }
  }

  private requestOnce(offset: number, length: number): Uint8Array {
    traffic.requests += 1;
    const request = new XMLHttpRequest();
    request.open('GET', this.url, false);
    request.responseType = 'arraybuffer';
    request.setRequestHeader('Range', range(offset, length));
    try {
      request.send();
    } catch {
      throw navigator.onLine ? this.fault('cut') : this.fault('offline');
    }
    this.check(request.status, (name) => request.getResponseHeader(name), offset);
    const bytes = new Uint8Array(request.response as ArrayBuffer);
    traffic.bytes += bytes.length;
    return this.whole(bytes, offset, length);
  }

  private fault(kind: ConstructorParameters<typeof Fault>[0], status = 0): Fault {
    return faultOf(kind, this.url, status);
  }

  private check(status: number, header: (name: string) => string | null, offset: number): void {
    // A browser asks for a part only if the file is the one of the part before.
    if (status === OK) throw this.fault(this.version === undefined ? 'whole' : 'changed');
    if (status === NOT_SATISFIABLE) throw this.fault('changed');
    if (MISSING.includes(status)) throw this.fault('missing', status);
    if (status !== PARTIAL) throw this.fault('status', status);
    const version = header('ETag') ?? header('Last-Modified');
    if (this.version === undefined) this.version = version;
    else if (this.version !== version) throw this.fault('changed');
    const stated = /^bytes (\d+)-\d+\/(\d+)$/.exec(header('Content-Range') ?? '');
    if (!stated) return;
    if (Number(stated[1]) !== offset) throw this.fault('whole');
    const length = Number(stated[2]);
    this.length ??= length;
    if (this.length !== length) throw this.fault('changed');
  }

  /** The bytes, if these are all that were requested. */
  private whole(bytes: Uint8Array, offset: number, length: number): Uint8Array {
    const all = this.length === null ? bytes.length : Math.min(length, this.length - offset);
    if (bytes.length !== all) throw this.fault('cut');
    return bytes;
  }

  private async lengthByHead(signal: AbortSignal): Promise<number> {
    const response = await fetch(this.url, { method: 'HEAD', cache: 'no-store', signal }).catch(() => null);
    const length = Number(response?.headers.get('Content-Length') ?? '');
    if (!response?.ok || !Number.isSafeInteger(length) || length <= 0) throw this.fault('forbidden');
    return length;
  }

  /** Why a request got no answer at all. Browsers do not say, so it is found by a request that needs no permission. */
  private async unanswered(): Promise<Fault> {
    if (!navigator.onLine) return this.fault('offline');
    const { origin, protocol } = new URL(this.url);
    if (origin === location.origin) return this.fault('unreachable');
    if (location.protocol === 'https:' && protocol === 'http:') return this.fault('mixed');
    const isReached = await fetch(this.url, { method: 'HEAD', mode: 'no-cors', cache: 'no-store' }).then(
      () => true,
      () => false,
    );
    return this.fault(isReached ? 'forbidden' : 'unreachable');
  }
}

const range = (offset: number, length: number): string => `bytes=${offset}-${offset + length - 1}`;
