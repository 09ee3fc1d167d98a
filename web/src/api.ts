/**
 * Requests to the server that served the page, or to the reader of archives that the page has itself. Answers are
 * kept, so that steps back and forth need no request. Errors become messages for people.
 */

export class ApiError extends Error {
  constructor(
    message: string,
    /** The parameter that the server did not accept, if it names one. */
    readonly parameter: string | null = null,
    /** Whether the same request will fail again. */
    readonly isFinal = false,
  ) {
    super(message);
  }
}

const KEPT_ANSWERS = 300;
const TOO_MANY_REQUESTS = 429;
const answers = new Map<string, unknown>();

/** Answers a request for a path of the HTTP interface with its query. */
export type Send = (url: string, signal: AbortSignal) => Promise<Response>;

const askServer: Send = async (url, signal) => {
  try {
    return await fetch(url, { signal, headers: { Accept: 'application/json' } });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError('The server does not answer. Check that it still runs, then try again.');
  }
};

let send: Send = askServer;

/** Whether a server answers. If not, what only a server does is not offered. */
export const hasServer = (): boolean => send === askServer;

/** From now on all requests are answered by this function. */
export function answerBy(other: Send): void {
  send = other;
  answers.clear();
}

/** Requests are answered again: the archives have changed. */
export const forgetAnswers = (): void => answers.clear();

export const address = (path: string, parameters: URLSearchParams): string => {
  const query = parameters.toString();
  return query === '' ? path : `${path}?${query}`;
};

/** Fetches JSON. `keep` decides whether the answer is final, so that it is kept. */
export async function get<T>(url: string, signal: AbortSignal, keep = (_: T) => true): Promise<T> {
  const response = await send(url, signal);
  const body: unknown = await response.json().catch((error: unknown) => {
    if (signal.aborted) throw error;
    return null;
  });
  if (!response.ok) throw failureOf(response.status, body);
  if (body === null) throw new ApiError('The answer is not complete. Try again.');
  const answer = body as T;
  if (keep(answer)) {
    answers.set(url, answer);
    const oldest = answers.keys().next().value;
    if (answers.size > KEPT_ANSWERS && oldest !== undefined) answers.delete(oldest);
  }
  return answer;
}

/** Requests something that is not JSON: the text of games. */
export async function getBlob(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await send(url, signal);
  if (!response.ok) throw failureOf(response.status, await response.json().catch(() => null));
  return response.blob();
}

/** An answer that is no success, as an error. */
export function failureOf(status: number, body: unknown): ApiError {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (name: string): string | null => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const parameter = text('parameter');
  let message = text('error') ?? `The answer has status ${status}.`;
  // The message is shown at the field, which names the parameter.
  if (parameter !== null && message.startsWith(`${parameter}: `))
    message = message.slice(parameter.length + 2);
  const isFinal = status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
  return new ApiError(message.charAt(0).toUpperCase() + message.slice(1), parameter, isFinal);
}

/** Requests that follow sooner than this wait as long, so that a key held down sends few. */
const PAUSE_MS = 120;

/** Requests of which only the latest counts: a new one cancels the one under way. */
export class Latest {
  private controller = new AbortController();
  private timer = 0;
  private requested = Number.NEGATIVE_INFINITY;

  /** Cancels the request under way. */
  cancel(): void {
    this.controller.abort();
    clearTimeout(this.timer);
  }

  /** Calls one of the two functions, unless a later request was made in the meantime. */
  run<T>(
    url: string,
    done: (answer: T) => void,
    failed: (error: Error) => void,
    keep?: (a: T) => boolean,
  ): void {
    this.cancel();
    this.controller = new AbortController();
    const { signal } = this.controller;
    const old = answers.get(url) as T | undefined;
    if (old !== undefined) {
      done(old);
      return;
    }
    const start = (): void => {
      get<T>(url, signal, keep).then(
        (answer) => {
          if (!signal.aborted) done(answer);
        },
        (error: unknown) => {
          if (!signal.aborted) failed(error instanceof Error ? error : new Error(String(error)));
        },
      );
    };
    const soon = performance.now() - this.requested < PAUSE_MS;
    this.requested = performance.now();
    if (soon) this.timer = window.setTimeout(start, PAUSE_MS);
    else start();
  }
}
