type Value = string | number | boolean | null | undefined;

/**
 * Conditions on games, as in `ign find`, with `_` for `-`; `offset`, `limit`, `sort`, `count`. A list is for those that
 * may be repeated (`tag`, `exclude`).
 */
export type Conditions = Record<string, Value | Value[]>;

/** One or several archives, whose games are numbered from 1. */
export declare class Archives {
  /** The number of games. */
  readonly length: number;
  /** A game with its tags and moves, as `GET /api/game/{n}`. */
  // biome-ignore lint/suspicious/noExplicitAny: docs/http.md describes the answers.
  game(number: number): any;
  /** The text of a game as it was packed, read as UTF-8, or as ISO 8859-1 if it is not UTF-8. */
  pgn(number: number): string;
  /**
   * All games that meet conditions, as they are listed, from `offset` on, at most `limit`. There is a search for each
   * 500 games.
   */
  games(conditions?: Conditions & { offset?: number; limit?: number }): Generator<any>;
  /**
   * A page of the games that meet conditions, as `GET /api/games`: 50, or as many as `limit` says, at most 500. The
   * total is null if there are more and `count: true` is not given.
   */
  find(conditions?: Conditions): { total: number | null; offset: number; games: any[] };
  /** The moves of a position with their results, as `GET /lichess`. */
  tree(parameters?: Conditions & { fen?: string; play?: string }): any;
  /** The answer to a request of the interface of `ign serve`, without those of the server itself. */
  answer(path: string): { status: number; type: string; body: Uint8Array };
  /** Closes the files. Nothing can be read then. */
  close(): void;
}

/** Opens archives: paths, or addresses that answer ranges. An index beside an archive is used. */
export declare function open(...names: (string | URL)[]): Archives;

/**
 * Packs PGN, which may be compressed with gzip, zstd or bzip2. `name` is that of the file (`games.pgn`). With `weighted`
 * the archive is smaller by a third, and packing takes several times as long. `progress` gets the part that is done,
 * from 0 to 1; the work ends if it returns false or throws.
 */
export declare function pack(
  text: string | Uint8Array,
  options?: { name?: string; weighted?: boolean; progress?: (part: number) => unknown },
): { games: number; archive: Uint8Array; index: Uint8Array };

/** The version of the program. */
export declare const version: string;
