/** The page's side of the worker: requests to it, and what happens if it is busy with one that nobody waits for. */

import { ApiError, type Send } from '../api.ts';
import { ownFault } from './faults.ts';
import type { Answer, Question, Source } from './protocol.ts';

/** A worker that has not ended a cancelled request after this time is replaced. */
const PATIENCE_MS = 400;

interface Pending {
  question: Question;
  done(answer: Success): void;
  failed(error: Error): void;
  progress(part: number): void;
}

/** The answer to a request or to packing. */
type Success = Extract<Answer, { status: number } | { archive: ArrayBuffer }>;

/** A packed archive with its index. */
export interface Packed {
  archive: Blob;
  index: Blob;
}

/** Requests and bytes of the worker, and the memory of its module, for tests and measurements. */
export const measured = { requests: 0, bytes: 0, memory: 0 };

export class Reader {
  private worker: Worker | null = null;
  private readonly pending = new Map<number, Pending>();
  private number = 0;
  /** Requests and bytes of workers that were replaced. */
  private before = { requests: 0, bytes: 0 };

  /** Is called when `api/sources` has something new to say. */
  noticed: () => void = () => undefined;

  /** A reader of these archives; of none to pack files. */
  constructor(private readonly sources: readonly Source[]) {}

  /** Answers a request as a server does. */
  readonly send: Send = async (url, signal) => {
    this.number += 1;
    const path = url.startsWith('/') ? url : `/${url}`;
    const answer = await this.put(this.number, { ask: this.number, url: path }, signal, () => undefined);
    if (!('status' in answer)) throw new ApiError(ownFault('broken').message);
    const { status, type, body } = answer;
    return new Response(body, { status, headers: { 'Content-Type': type } });
  };

  /** Packs a file of games. */
  async pack(file: File, signal: AbortSignal, progress: (part: number) => void): Promise<Packed> {
    this.number += 1;
    const answer = await this.put(this.number, { pack: this.number, file }, signal, progress);
    if (!('archive' in answer)) throw new ApiError(ownFault('broken').message);
    return { archive: new Blob([answer.archive]), index: new Blob([answer.index]) };
  }

  /** Ends the worker. */
  close(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private put(
    number: number,
    question: Question,
    signal: AbortSignal,
    progress: (part: number) => void,
  ): Promise<Success> {
    return new Promise((done, failed) => {
      const cancelled = (): DOMException => new DOMException('cancelled', 'AbortError');
      if (signal.aborted) {
        failed(cancelled());
        return;
      }
      this.pending.set(number, { question, done, failed, progress });
      signal.addEventListener('abort', () => {
        failed(cancelled());
        if (this.pending.has(number)) this.cancel(number);
      });
      this.post(question);
    });
  }

  private cancel(number: number): void {
    this.post({ cancel: number });
    const { worker } = this;
    setTimeout(() => {
      if (this.pending.has(number) && this.worker === worker) this.restart(number);
    }, PATIENCE_MS);
  }

  private post(question: Question): void {
    if (!this.worker) {
      this.worker = new Worker('worker.js', { type: 'module' });
      this.worker.onmessage = ({ data }: MessageEvent<Answer>) => this.take(data);
      this.worker.onerror = (event) => {
        event.preventDefault();
        this.fail();
      };
      this.worker.postMessage({ open: this.sources });
    }
    this.worker.postMessage(question);
  }

  /** Replaces a worker, and asks the new one what the old one did not answer. */
  private restart(without: number): void {
    this.close();
    this.pending.delete(without);
    this.before = { requests: measured.requests, bytes: measured.bytes };
    for (const { question } of [...this.pending.values()]) this.post(question);
  }

  /** The script of the worker could not be loaded. */
  private fail(): void {
    this.close();
    for (const [number, { failed }] of [...this.pending]) {
      this.pending.delete(number);
      failed(new ApiError(ownFault('module').message));
    }
  }

  private take(answer: Answer): void {
    if ('requests' in answer) {
      measured.requests = this.before.requests + answer.requests;
      measured.bytes = this.before.bytes + answer.bytes;
      measured.memory = answer.memory;
      return;
    }
    if ('noticed' in answer) {
      this.noticed();
      return;
    }
    const pending = this.pending.get(answer.to);
    if ('done' in answer) {
      pending?.progress(answer.done);
      return;
    }
    this.pending.delete(answer.to);
    if ('status' in answer || 'archive' in answer) pending?.done(answer);
    else if ('problem' in answer) {
      pending?.failed(new ApiError(answer.problem, null, answer.isFinal));
      if ('broken' in answer) this.restart(answer.to);
    }
  }
}
