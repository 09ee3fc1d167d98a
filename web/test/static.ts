/** A static file server with ranges, which can be made to misbehave. */

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** How the server behaves. Tests change it while the server runs. */
export interface Behaviour {
  /** Whether requests for parts are answered with parts. */
  ranges: boolean;
  /** Whether pages of other servers may read files, and see how long they are. */
  cors: 'none' | 'bare' | 'exposed';
  /** Answers for parts that are cut off in the middle before one is complete. */
  cuts: number;
  /** A suffix of entity tags: another one is another version of all files. */
  version: string;
  /** The status of answers for archives and indexes; null if they are sent. */
  status: number | null;
  /** Milliseconds before each answer. */
  delay: number;
  /** Bytes a second over all answers; 0 is no limit. */
  rate: number;
}

export const PLAIN: Behaviour = {
  ranges: true,
  cors: 'none',
  cuts: 0,
  version: '',
  status: null,
  delay: 0,
  rate: 0,
};

/** The line that is simulated: 20 Mbit/s, 50 ms. */
export const LINE: Partial<Behaviour> = { delay: 50, rate: 20e6 / 8 };

export interface StaticServer {
  address: string;
  behaviour: Behaviour;
  /** Answers of parts of files, and their bytes. */
  parts: { requests: number; bytes: number };
  /** Bytes of all other answers. */
  other: number;
  close(): void;
}

const PIECE = 16 << 10;

/** Serves the files of a folder. */
export async function serveFolder(folder: string, behaviour: Partial<Behaviour> = {}): Promise<StaticServer> {
  const state = { behaviour: { ...PLAIN, ...behaviour }, parts: { requests: 0, bytes: 0 }, other: 0 };
  /** When the line is free again. */
  let free = 0;

  const send = async (response: ServerResponse, file: string, from: number, to: number): Promise<void> => {
    const { rate } = state.behaviour;
    for await (const piece of createReadStream(file, { start: from, end: to - 1, highWaterMark: PIECE })) {
      if (rate > 0) {
        free = Math.max(free, performance.now()) + ((piece as Buffer).length / rate) * 1000;
        const wait = free - performance.now();
        if (wait > 1) await new Promise((done) => setTimeout(done, wait));
      }
      if (response.destroyed) return;
      response.write(piece);
    }
    response.end();
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const now = state.behaviour;
    if (now.delay > 0) await new Promise((done) => setTimeout(done, now.delay));
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    const file = join(folder, normalize(path === '/' ? '/index.html' : path));
    const isData = /\.(ign|idx)$/.test(file);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (now.cors !== 'none') {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Access-Control-Allow-Headers', 'Range');
      if (now.cors === 'exposed') response.setHeader('Access-Control-Expose-Headers', 'Content-Range, ETag');
    }
    if (request.method === 'OPTIONS') {
      response.writeHead(now.cors === 'none' ? 403 : 204).end();
      return;
    }
    if (size === undefined || (isData && now.status !== null)) {
      response.writeHead(size === undefined ? 404 : (now.status ?? 500)).end();
      return;
    }
    response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
    const version = `"${size}${now.version}"`;
    response.setHeader('ETag', version);
    // A part is of the version that the browser has, or the answer is the whole file.
    const isSame = (request.headers['if-range'] ?? version) === version;
    const range = now.ranges && isSame ? /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') : null;
    if (now.ranges) response.setHeader('Accept-Ranges', 'bytes');
    if (!range) {
      response.writeHead(200, { 'Content-Length': size });
      if (request.method === 'HEAD') response.end();
      else {
        state.other += size;
        await send(response, file, 0, size);
      }
      return;
    }
    const from = Number(range[1]);
    const to = Math.min(size, range[2] === '' ? size : Number(range[2]) + 1);
    if (from >= to) {
      response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
      return;
    }
    state.parts.requests += 1;
    response.writeHead(206, {
      'Content-Length': to - from,
      'Content-Range': `bytes ${from}-${to - 1}/${size}`,
    });
    if (now.cuts > 0) {
      now.cuts -= 1;
      response.write(readFileSync(file).subarray(from, from + (to - from) / 2), () =>
        setTimeout(() => response.destroy(), 20),
      );
      return;
    }
    state.parts.bytes += to - from;
    await send(response, file, from, to);
  };

  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    address: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}
