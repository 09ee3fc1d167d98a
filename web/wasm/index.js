// Archives in Node.js: what `ign serve` answers, from files and from addresses.

import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { initSync, open as openSources, pack as packText, version as versionOfModule } from './ign_web.js';

/** Sources by their numbers: `{ read(offset, length) }`. */
const sources = [];

globalThis.ignRead = (number, offset, length) => sources[number].read(offset, length);
globalThis.ignAnnounce = () => {};
globalThis.ignMoveModel = () => fs.readFileSync(new URL('./moves.model', import.meta.url));
initSync({ module: fs.readFileSync(new URL('./ign_web_bg.wasm', import.meta.url)) });

/** Requests ranges for a thread that waits for them. */
const FETCHER = `
const { workerData: { port, flag } } = require('node:worker_threads');
const request = async ({ url, offset, length }) => {
  const response = await fetch(url, { headers: { range: \`bytes=\${offset}-\${offset + length - 1}\` } });
  if (response.status === 404) return { missing: true };
  if (!response.ok) return { error: \`\${url}: the server answers with status \${response.status}\` };
  if (response.status !== 206) {
    await response.body.cancel();
    return { error: \`\${url}: the server does not answer ranges of bytes; download the file\` };
  }
  const size = Number(response.headers.get('content-range').split('/')[1]);
  return { size, bytes: new Uint8Array(await response.arrayBuffer()) };
};
port.on('message', async (message) => {
  const answer = await request(message).catch((error) => ({ error: \`\${message.url}: \${error.cause?.message ?? error.message}\` }));
  port.postMessage(answer);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
});`;

let fetcher;

/** The bytes of a range of an address, and the size of the file. */
function fetchRange(url, offset, length) {
  if (!fetcher) {
    const { port1, port2 } = new MessageChannel();
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { port: port2, flag };
    const worker = new Worker(FETCHER, { eval: true, workerData, transferList: [port2] });
    worker.unref();
    port1.unref();
    fetcher = { port: port1, flag };
  }
  const { port, flag } = fetcher;
  Atomics.store(flag, 0, 0);
  port.postMessage({ url, offset, length });
  Atomics.wait(flag, 0, 0);
  const { message } = receiveMessageOnPort(port);
  if (message.error) throw new Error(message.error);
  return message;
}

function fileSource(path) {
  if (fs.statSync(path).isDirectory()) throw new Error(`${path}: is a directory`);
  const file = fs.openSync(path, 'r');
  const read = (offset, length) => {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, fs.readSync(file, bytes, 0, length, offset));
  };
  return { size: fs.fstatSync(file).size, read, close: () => fs.closeSync(file) };
}

function addressSource(url) {
  const { size, missing } = fetchRange(url, 0, 1);
  if (missing) return undefined;
  return { size, read: (offset, length) => fetchRange(url, offset, length).bytes, close: () => {} };
}

/** The number and the size of a source; undefined if there is none. */
function add(name) {
  const isAddress = /^https?:/.test(name);
  if (!isAddress && /^\w+:\/\//.test(name)) throw new Error(`${name}: addresses start with http:// or https://`);
  const isThere = isAddress || fs.existsSync(name);
  const source = isThere && (isAddress ? addressSource(name) : fileSource(name));
  return source ? { number: sources.push(source) - 1, size: source.size } : undefined;
}

/** Closes sources. */
function release(numbers) {
  for (const number of numbers) {
    sources[number].close();
    delete sources[number];
  }
}

/** The address of the index, which is beside the archive. */
function indexOf(name) {
  const end = /^https?:/.test(name) ? name.search(/[?#]|$/) : name.length;
  return `${name.slice(0, end)}.idx${name.slice(end)}`;
}

/** The path or the address of a name: file addresses are paths. */
function located(name) {
  const text = name instanceof URL ? name.href : name;
  return /^file:/.test(text) ? fileURLToPath(text) : text;
}

function opened(given) {
  const name = located(given);
  if (typeof name !== 'string') throw new TypeError(`${name} is no path or address of an archive`);
  const archive = add(name);
  if (!archive) throw new Error(`${name}: there is no such file`);
  const index = add(indexOf(name));
  const file = name.replace(/[?#].*/, '').split(/[/\\]/).pop();
  return {
    name: file,
    archive: archive.number,
    archive_length: archive.size,
    index: index?.number ?? null,
    index_length: index?.size ?? 0,
  };
}

/** UTF-8, or ISO 8859-1 if it is not UTF-8. */
function decoded(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

export class Archives {
  #explorer;
  #numbers;

  constructor(explorer, numbers) {
    this.#explorer = explorer;
    this.#numbers = numbers;
  }

  close() {
    release(this.#numbers.splice(0));
  }

  get length() {
    return this.#explorer.games();
  }

  answer(path) {
    if (this.#numbers.length === 0) throw new Error('the archive is closed');
    const { status, content_type: type, body } = this.#explorer.answer(path);
    // Why an index is not used, once.
    for (const warning of this.#explorer.warnings()) process.emitWarning(warning);
    return { status, type, body };
  }

  #text(path, parameters = {}) {
    const given = Object.entries(parameters).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    );
    const present = given.filter(([, value]) => value !== undefined && value !== null);
    const { status, body } = this.answer(`${path}?${new URLSearchParams(present)}`);
    const text = decoded(body);
    if (status !== 200) throw new Error(JSON.parse(text).error);
    return text;
  }

  game(number) {
    return JSON.parse(this.#text(`/api/game/${number}`));
  }

  pgn(number) {
    return this.#text(`/api/game/${number}.pgn`);
  }

  *games({ offset, limit, ...conditions } = {}) {
    let at = Number(offset ?? 0);
    let left = Number(limit ?? Number.POSITIVE_INFINITY);
    // Each page is a search.
    do {
      const page = Math.min(left, 500);
      const { games } = this.find({ ...conditions, offset: at, limit: page });
      yield* games;
      if (games.length < page) return;
      at += page;
      left -= page;
    } while (left > 0);
  }

  find(conditions = {}) {
    return JSON.parse(this.#text('/api/games', conditions));
  }

  tree(parameters = {}) {
    return JSON.parse(this.#text('/lichess', parameters));
  }
}

export function open(...names) {
  if (names.length === 0) throw new TypeError('no archive is named: give paths or addresses');
  const first = sources.length;
  const added = () => Array.from({ length: sources.length - first }, (_, i) => first + i);
  try {
    const explorer = openSources(JSON.stringify(names.map(opened)));
    return new Archives(explorer, added());
  } catch (error) {
    release(added());
    throw error;
  }
}

export function pack(text, { name = 'games.pgn', weighted = false, progress } = {}) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  if (!(bytes instanceof Uint8Array)) throw new TypeError('the text of games is a string or a Uint8Array');
  const thrown = [];
  const report = (part) => {
    try {
      return progress(part);
    } catch (error) {
      thrown.push(error);
      return false;
    }
  };
  let packed;
  try {
    packed = packText(bytes, name, weighted, progress && report);
  } catch (error) {
    throw thrown.length > 0 ? thrown[0] : error;
  }
  return { games: packed.games(), archive: packed.archive(), index: packed.index() };
}

export const version = versionOfModule();
