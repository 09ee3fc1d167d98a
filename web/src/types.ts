/**
 * The answers of the server, as crates/ign-server writes them. Null: the value is unknown.
 */

/** Games won by White, drawn, won by Black. */
export interface ByResult {
  white: number;
  draws: number;
  black: number;
}

export interface Opening {
  eco: string;
  name: string;
}

export interface Player {
  name: string | null;
  rating: number | null;
  title?: string | null;
}

/** A game as the Lichess explorer's interface lists it. */
export interface ExplorerGame {
  id: string;
  /** Null if the game ends here. */
  uci: string | null;
  winner: 'white' | 'black' | null;
  speed?: string | null;
  white: Player;
  black: Player;
  year: number | null;
  month: string | null;
  /** The number of the game among all games that are served; as all below that may be missing, with `extended=true`. */
  number?: number;
}

export interface ExplorerMove extends ByResult {
  uci: string;
  san: string;
  averageRating: number | null;
  game: ExplorerGame | null;
  opening: Opening | null;
  /** Of the side that moves. */
  performance?: number | null;
  lastPlayed?: string | null;
}

/** The answer of `/lichess`. */
export interface Explored extends ByResult {
  moves: ExplorerMove[];
  topGames: ExplorerGame[];
  recentGames: ExplorerGame[];
  opening: Opening | null;
  averageRating?: number | null;
  performance?: number | null;
}

/** The answer of `/api/count`: each row has a value for each key, then the number of games. */
export interface Counted {
  games: number;
  all_rows: number;
  rows: (string | number | null)[][];
}

/** The answer of `/api/annotations`. */
export interface Annotations {
  /** All games through the position, and those whose comments were read. */
  games: number;
  read: number;
  moves: {
    san: string;
    games: number;
    /** Games with a time and with an evaluation, and their means. */
    clocks: number;
    seconds: number | null;
    evals: number;
    pawns: number | null;
    /** The share of moves that were blunders. */
    blunders: number | null;
  }[];
}

/** A game as `/api/games` lists it. */
export interface GameSummary {
  number: number;
  source: string;
  source_number: number;
  id: string | null;
  white: Player;
  black: Player;
  result: string | null;
  date: string | null;
  time_control: string | null;
  speed: string | null;
  eco: string | null;
  opening: string | null;
  event: string | null;
  round: string | null;
  site: string | null;
  termination: string | null;
  plies: number | null;
  /** The first ply at which the requested position occurs. */
  ply: number | null;
}

/** The answer of `/api/games`. */
export interface GameList {
  total: number | null;
  offset: number;
  games: GameSummary[];
}

export interface Evaluation {
  /** Centipawns, positive for White. */
  cp?: number;
  /** Moves to mate, positive if White mates. */
  mate?: number;
}

export interface GameMove {
  san: string;
  uci: string;
  /** The position after the move. */
  fen: string;
  /** Seconds left on the clock of the player who moved. */
  clock: number | null;
  eval: Evaluation | null;
  nags: number[];
  comment: string | null;
  /** A comment ahead of the move. */
  before?: string | null;
  /** Alternatives to this move. */
  variations: GameMove[][];
}

/** The answer of `/api/game/{number}`. */
export interface Game extends GameSummary {
  tags: [string, string][];
  /** Null if the rules of the game are not known. */
  start: string | null;
  moves: GameMove[];
  comment: string | null;
  /** `kept` if moves are stored as text. */
  text?: 'kept' | null;
}

/** The answer of `/api/sources`. */
export interface Sources {
  sources: {
    name: string;
    games: number;
    bytes: number;
    index: boolean | 'building';
    /** Why an index is not used. */
    rejected?: string;
  }[];
  games: number;
  version: string;
}

export interface Histogram {
  mean: number | null;
  median: number | null;
  /** Lower bound of the first bar, width of a bar, number in each bar, number above the last. */
  first: number;
  width: number;
  counts: number[];
  beyond: number;
}

/** The games that have a ply of this number, and what the ply takes. */
export interface PlyStats {
  games: number;
  legal_moves: number | null;
  /** Bits if all legal moves have equal frequencies, and if the model predicts the move. */
  equal_bits: number | null;
  model_bits: number | null;
}

/** The answer of `/api/stats`. */
export type Stats =
  | { ready: false; progress: number | null }
  | {
      ready: true;
      games: number;
      plies: number;
      text_bytes: number;
      archive_bytes: number;
      columns: { name: string; bytes: number }[];
      bits_per_game: Histogram | null;
      plies_per_game: Histogram | null;
      /** Of moves, by their bits under the move model. */
      bits_of_plies: Histogram | null;
      encodings: { name: string; bits_per_ply: number }[];
      /** From ply 1. */
      by_ply: PlyStats[];
    };
