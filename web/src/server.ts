/** What a server does beside answering, if it was started so: an engine, and appending games. A site does neither. */

import { ApiError, failureOf, hasServer } from './api.ts';

/** The answer of `/api/server`. */
export interface Permits {
  /** The longest time for a position. */
  engine: { limit_ms: number } | null;
  /** The longest text. */
  append: { limit_bytes: number } | null;
}

const NONE: Permits = { engine: null, append: null };
let stated = NONE;

/** What the server that answers permits. */
export const permits = (): Permits => (hasServer() ? stated : NONE);

/** Asks the server once. One that does not answer permits nothing. */
export async function loadPermits(): Promise<void> {
  const response = await fetch('api/server').catch(() => null);
  if (response?.ok) stated = (await response.json().catch(() => NONE)) as Permits;
}

/** Requests more than an answer that can be kept. */
export async function post<T>(url: string, signal: AbortSignal, body: Blob | null = null): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, { method: 'POST', signal, body });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError('The server does not answer. Check that it still runs, then try again.');
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok || answer === null) throw failureOf(response.status, answer);
  return answer as T;
}
