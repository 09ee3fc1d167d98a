/** The module: the reader of archives, compiled to WebAssembly (crates/ign-web). */

import { Fault, faultOf, ownFault } from './faults.ts';

export interface Reply {
  status: number;
  content_type: string;
  body: Uint8Array;
  free(): void;
}

/** Archives that are open. */
export interface Explorer {
  /** Answers a request for a path and query of the HTTP interface. */
  answer(url: string): Reply;
  /** Why indexes are not used, and archives that are given twice: each is returned once. */
  warnings(): string[];
}

/** An archive with its index. */
export interface Packed {
  archive(): Uint8Array;
  index(): Uint8Array;
  free(): void;
}

/** What the module exports. */
export interface Module {
  /** Opens archives: a list of `OpenSource` as JSON. */
  open(sources: string): Explorer;
  /** Packs text, and reports the part of the work that is done. */
  pack(text: Uint8Array, name: string, isWeighted: boolean, progress: (part: number) => void): Packed;
  /** Whether a file has the move model of this version. */
  is_move_model(file: Uint8Array): boolean;
}

/** An archive as the module opens it, with the name of its file. Files have the ids that it reads them by. */
export interface OpenSource {
  name: string;
  archive: number;
  archive_length: number;
  index: number | null;
  index_length: number;
}

interface Script extends Module {
  default(options: { module_or_path: BufferSource }): Promise<{ memory: WebAssembly.Memory }>;
}

export interface Loaded {
  module: Module;
  memory: WebAssembly.Memory;
}

const CODE = 'ign_web.wasm.gz';
const MOVE_MODEL = 'moves.model';

const beside = (name: string): string => new URL(name, location.href).href;

/** Loads the module; its script and code are beside the worker. */
export async function loadModule(): Promise<Loaded> {
  try {
    const code = fetch(beside(CODE), { cache: 'no-cache' });
    const script = (await import(beside('ign_web.js'))) as Script;
    const response = await code;
    if (!response.ok) throw faultOf('missing', beside(CODE), response.status);
    const { memory } = await script.default({ module_or_path: await expanded(await response.blob()) });
    return { module: script, memory };
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw ownFault(isLackOfMemory(error) ? 'memory' : 'module');
  }
}

/** The code. A server that knows the ending `.gz` lets the browser expand it. */
async function expanded(file: Blob): Promise<ArrayBuffer> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (start[0] !== 0x1f || start[1] !== 0x8b) return file.arrayBuffer();
  return new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** The move model, a file beside the worker, which weighted archives need. */
export function readMoveModel(): Uint8Array {
  const request = new XMLHttpRequest();
  request.open('GET', beside(MOVE_MODEL), false);
  request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    throw ownFault('module');
  }
  if (request.status !== 200) throw faultOf('missing', beside(MOVE_MODEL), request.status);
  return new Uint8Array(request.response as ArrayBuffer);
}

/** The file of the move model is not the one of this version. */
export const modelFault = (): Fault => faultOf('model', beside(MOVE_MODEL));

/** Memory of the module from which on a failure is one of memory. */
const LARGE = 256 << 20;

export const isLackOfMemory = (error: unknown, memory?: WebAssembly.Memory): boolean =>
  error instanceof RangeError ||
  (error instanceof WebAssembly.RuntimeError && (memory?.buffer.byteLength ?? 0) >= LARGE);
