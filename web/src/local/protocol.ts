/** What the page and its worker send each other. */

/** A file at an absolute address, or one that was chosen on this computer. */
export type Place = { url: string; length: number | null } | { file: File };

export interface Source {
  name: string;
  archive: Place;
  /** `null` if there is none. One whose length is not known may not exist. */
  index: Place | null;
}

/** The page asks. Each request has a number of its own. */
export type Question =
  /** What to read, ahead of all other requests. */
  | { open: readonly Source[] }
  | { ask: number; url: string }
  | { cancel: number }
  | { pack: number; file: File };

/** The worker answers. */
export type Answer =
  | { to: number; status: number; type: string; body: ArrayBuffer }
  /** An archive that was packed, and its index. */
  | { to: number; archive: ArrayBuffer; index: ArrayBuffer }
  | { to: number; problem: string; isFinal: boolean }
  /** The request was cancelled. */
  | { to: number; cancelled: true }
  /** The part of packing that is done. */
  | { to: number; done: number }
  /** The memory of the module cannot be used any more. */
  | { to: number; problem: string; isFinal: boolean; broken: true }
  /** Something about the archives is not as it should be: `api/sources` says what. */
  | { noticed: true }
  /** Requests and bytes so far. */
  | { requests: number; bytes: number; memory: number };
