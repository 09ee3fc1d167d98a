/**
 * The worker: reads archives by the module, and answers the requests of the page as a server does.
 *
 * One call of the module runs at a time. While pages of a file are requested for one request, others are answered.
 */

import { Fault, ownFault } from './faults.ts';
import {
  type Explorer,
  isLackOfMemory,
  type Loaded,
  loadModule,
  type Module,
  modelFault,
  type OpenSource,
  type Reply,
  readMoveModel,
} from './module.ts';
import { type Bytes, ChosenFile, PAGE, Pages } from './pages.ts';
import type { Answer, Place, Question, Source } from './protocol.ts';
import { RemoteFile, traffic } from './ranges.ts';

/** Longer text is packed without the model of moves, which takes a fifth of the time. */
const MOST_WEIGHTED = 8 << 20;

interface Global {
  postMessage(answer: Answer, transfer?: Transferable[]): void;
  ignRead(id: number, offset: number, length: number): Uint8Array;
  ignAnnounce(id: number, ranges: readonly (readonly [number, number])[]): void;
  ignMoveModel(): Uint8Array;
  onmessage: ((event: MessageEvent<Question>) => void) | null;
}

const here = self as unknown as Global;
const pages = new Pages();
let loading: Promise<Loaded> | null = null;
let module: Module | null = null;
let opened: Promise<Explorer> | null = null;
let sources: readonly Source[] = [];
/** Faults of reads. The module makes errors of its own of them. */
const faults: Fault[] = [];
/** Whether the module was left in the middle of its work, and cannot be used any more. */
let isBroken = false;

here.ignRead = (id, offset, length) => {
  try {
    return pages.read(id, offset, length);
  } catch (error) {
    if (error instanceof Fault) faults.push(error);
    throw error;
  }
};
here.ignAnnounce = (id, ranges) => pages.announce(id, ranges);
here.ignMoveModel = () => {
  try {
    const file = readMoveModel();
    if (!module?.is_move_model(file)) throw modelFault();
    return file;
  } catch (error) {
    isBroken = true;
    throw error;
  }
};

/** Requests that the page waits for. */
const asked = new Map<number, AbortController>();

const load = (): Promise<Loaded> => {
  loading ??= loadModule().then(
    (loaded) => {
      ({ module } = loaded);
      return loaded;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
};

/** Runs a call of the module. A fault of a read counts more than what the module makes of it. */
function attempt<T>(run: () => T): T {
  try {
    const result = run();
    const [fault] = faults;
    if (fault) throw fault;
    return result;
  } catch (error) {
    throw faults[0] ?? error;
  }
}

/** Calls the module, which reads while it runs. */
function call<T>(run: () => T, signal: AbortSignal): T {
  signal.throwIfAborted();
  faults.length = 0;
  return attempt(() => pages.run(run));
}

/** Opens the archives. After a fault the next request opens them again. */
function open(): Promise<Explorer> {
  opened ??= openAll().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

async function openAll(): Promise<Explorer> {
  const { signal } = new AbortController();
  const [loaded, list] = await Promise.all([load(), Promise.all(sources.map(prepare))]);
  for (;;) {
    try {
      return call(() => loaded.module.open(JSON.stringify(list)), signal);
    } catch (error) {
      // Without its index an archive is searched, too. The footer names it.
      const isOf = ({ index }: Source): boolean =>
        error instanceof Fault &&
        error.kind === 'missing' &&
        index !== null &&
        'url' in index &&
        index.url === error.url;
      const lost = list[sources.findIndex(isOf)];
      if (!lost?.index) throw error;
      lost.index = null;
    }
  }

  async function prepare({ name, archive, index }: Source): Promise<OpenSource> {
    const [a, i] = await Promise.all([
      add(archive, signal),
      index &&
        add(index, signal).catch((error: unknown) => {
          if (error instanceof Fault && error.kind === 'missing') return null;
          throw error;
        }),
    ]);
    return {
      name: `${name}.ign`,
      archive: a.id,
      archive_length: a.length,
      index: i?.id ?? null,
      index_length: i?.length ?? 0,
    };
  }
}

async function add(place: Place, signal: AbortSignal): Promise<{ id: number; length: number }> {
  if ('file' in place) {
    const file: Bytes = new ChosenFile(place.file);
    return { id: pages.add(file), length: file.length };
  }
  const file = new RemoteFile(place.url, place.length);
  // The first request of another server finds out whether it lets this page read.
  const isElsewhere = new URL(place.url, location.href).origin !== location.origin;
  const first = place.length === null || isElsewhere ? await file.open(PAGE, signal) : undefined;
  return { id: pages.add(file, first), length: file.length ?? 0 };
}

async function ask(to: number, url: string): Promise<void> {
  await answering(to, async (signal) => {
    const explorer = await open();
    const { status, type, body } = await call(() => taken(explorer.answer(url)), signal);
    if (explorer.warnings().length > 0) here.postMessage({ noticed: true });
    return [{ to, status, type, body }, [body]];
  });
}

async function pack(to: number, file: File): Promise<void> {
  await answering(to, async () => {
    const { module } = await load();
    const chosen = new ChosenFile(file);
    const text = chosen.request(0, chosen.length);
    const progress = (done: number): void => here.postMessage({ to, done });
    const packed = module.pack(text, file.name, file.size <= MOST_WEIGHTED, progress);
    const [archive, index] = [owned(packed.archive()), owned(packed.index())];
    packed.free();
    return [{ to, archive, index }, [archive, index]];
  });
}

/** Takes what a reply has out of the memory of the module. */
function taken(reply: Reply): { status: number; type: string; body: ArrayBuffer } {
  const { status, content_type: type, body } = reply;
  reply.free();
  return { status, type, body: owned(body) };
}

/** The bytes as a buffer that can be given away. */
function owned(bytes: Uint8Array): ArrayBuffer {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length ? buffer : bytes.slice().buffer;
}

async function answering(
  to: number,
  work: (signal: AbortSignal) => Promise<[Answer, Transferable[]]>,
): Promise<void> {
  const controller = new AbortController();
  asked.set(to, controller);
  try {
    const [answer, transfer] = await work(controller.signal);
    if (controller.signal.aborted) here.postMessage({ to, cancelled: true });
    else here.postMessage(answer, transfer);
  } catch (error) {
    if (controller.signal.aborted) here.postMessage({ to, cancelled: true });
    else here.postMessage(await problem(to, error));
  } finally {
    asked.delete(to);
    const memory = (await loading?.catch(() => null))?.memory;
    here.postMessage({ ...traffic, memory: memory?.buffer.byteLength ?? 0 });
  }
}

async function problem(to: number, error: unknown): Promise<Answer> {
  if (error instanceof Fault) {
    const problem = { to, problem: error.message, isFinal: error.isFinal };
    return isBroken ? { ...problem, broken: true } : problem;
  }
  const memory = (await loading?.catch(() => null))?.memory;
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    const kind = isLackOfMemory(error, memory) ? 'memory' : 'broken';
    console.warn(error);
    return { to, problem: ownFault(kind).message, isFinal: false, broken: true };
  }
  // The module says what is wrong with an archive.
  return { to, problem: error instanceof Error ? error.message : String(error), isFinal: true };
}

here.onmessage = ({ data }) => {
  if ('open' in data) sources = data.open;
  else if ('ask' in data) void ask(data.ask, data.url);
  else if ('pack' in data) void pack(data.pack, data.file);
  else asked.get(data.cancel)?.abort();
};
