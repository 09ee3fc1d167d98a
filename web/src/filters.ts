/**
 * The conditions on games, as `ign find` has them: `white_elo` here is `--white-elo` there. The names are
 * those of the server's parameters and of the page's address.
 */

export type FilterKind =
  /** One text. */
  | 'text'
  /** From and to, both included: `2000..2200`, `2000..`, `..2200`; a single value is both. */
  | 'range'
  /** Some of a list, with commas. */
  | 'choices'
  /** True or absent. */
  | 'flag'
  /** One value a line; the parameter is repeated. */
  | 'lines'
  /** A text of several lines. */
  | 'area';

export interface Filter {
  name: string;
  label: string;
  kind: FilterKind;
  /** An example, shown in the empty field. */
  example?: string;
  /** The meaning, where the label is not enough. */
  hint?: string;
  choices?: readonly { value: string; label: string }[];
  /** Numbers only: phones show a numeric keyboard. */
  numeric?: boolean;
}

export interface FilterGroup {
  title: string;
  filters: readonly Filter[];
}

const speeds = ['ultraBullet', 'bullet', 'blitz', 'rapid', 'classical', 'correspondence'];

export const GROUPS: readonly FilterGroup[] = [
  {
    title: 'Players',
    filters: [
      {
        name: 'player',
        label: 'Player',
        kind: 'text',
        example: 'Carlsen*',
        hint: 'either side; * matches any text',
      },
      { name: 'white', label: 'White', kind: 'text', example: 'Carlsen*' },
      { name: 'black', label: 'Black', kind: 'text', example: 'Anand*' },
      { name: 'elo', label: 'Both ratings', kind: 'range', example: '2200', numeric: true },
      { name: 'white_elo', label: 'White’s rating', kind: 'range', example: '2200', numeric: true },
      { name: 'black_elo', label: 'Black’s rating', kind: 'range', example: '2200', numeric: true },
      {
        name: 'mean_elo',
        label: 'Mean rating',
        kind: 'range',
        example: '2200',
        hint: 'of both players',
        numeric: true,
      },
      { name: 'elo_diff', label: 'White’s rating minus Black’s', kind: 'range', example: '-200' },
    ],
  },
  {
    title: 'Games',
    filters: [
      {
        name: 'result',
        label: 'Result',
        kind: 'choices',
        choices: [
          { value: '1-0', label: '1–0' },
          { value: '1/2-1/2', label: '½–½' },
          { value: '0-1', label: '0–1' },
          { value: '*', label: 'unknown' },
        ],
      },
      {
        name: 'speed',
        label: 'Speed',
        kind: 'choices',
        choices: speeds.map((value) => ({ value, label: value })),
      },
      { name: 'date', label: 'Date', kind: 'range', example: '2013-01-05', hint: 'a year, a month or a day' },
      { name: 'time_control', label: 'Time control', kind: 'text', example: '300+3' },
      { name: 'plies', label: 'Plies (half-moves)', kind: 'range', example: '40', numeric: true },
      { name: 'termination', label: 'Termination', kind: 'text', example: 'Time forfeit' },
      { name: 'event', label: 'Event', kind: 'text', example: 'Rated Blitz*' },
      { name: 'site', label: 'Site', kind: 'text', example: 'London*' },
      {
        name: 'id',
        label: 'Id on the server',
        kind: 'text',
        example: 'j1dkb5dw',
        hint: 'or the address of the game',
      },
      {
        name: 'tag',
        label: 'Other tags',
        kind: 'lines',
        example: 'Round=^3',
        hint: 'NAME=REGULAR EXPRESSION, one a line',
      },
    ],
  },
  {
    title: 'Openings and moves',
    filters: [
      { name: 'eco', label: 'ECO code', kind: 'range', example: 'B20' },
      { name: 'opening_name', label: 'Opening tag', kind: 'text', example: 'Sicilian*' },
      {
        name: 'opening',
        label: 'First moves',
        kind: 'text',
        example: '1. e4 e5 2. f4',
        hint: 'SAN, UCI or an integer',
      },
      {
        name: 'signature',
        label: 'Signature',
        kind: 'text',
        example: 'A=d5g4g7 B=d2g1e4',
        hint: '?? matches any square',
      },
      {
        name: 'like',
        label: 'A score that may have mistakes',
        kind: 'area',
        example: '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7',
      },
    ],
  },
  {
    title: 'Positions',
    filters: [
      { name: 'position', label: 'Position (FEN)', kind: 'text', example: '8/8/4k3/8/8/4K3/4P3/8 w - -' },
      {
        name: 'board',
        label: 'Pieces on squares (FEN)',
        kind: 'text',
        example: '8/8/4k3/8/8/4K3/4P3/8',
        hint: 'whoever is to move',
      },
      {
        name: 'material',
        label: 'Material',
        kind: 'text',
        example: 'KRPKR',
        hint: 'KRP-KR gives White the pawn',
      },
      {
        name: 'pattern',
        label: 'Pattern',
        kind: 'text',
        example: 'Kg1,[Qq]d4,_e5',
        hint: 'squares, or eight ranks with *, ? and _',
      },
      { name: 'final', label: 'The position is the last of the game', kind: 'flag' },
    ],
  },
  {
    title: 'Draws and comments',
    filters: [
      { name: 'repetition', label: 'A position occurs for the third time', kind: 'flag' },
      { name: 'fifty_moves', label: '50 moves without pawn move or capture', kind: 'flag' },
      { name: 'has_clocks', label: 'With clock times', kind: 'flag' },
      { name: 'has_evals', label: 'With evaluations', kind: 'flag' },
      { name: 'commented', label: 'With comments', kind: 'flag' },
    ],
  },
];

export const FILTERS: readonly Filter[] = GROUPS.flatMap((group) => group.filters);

/** Values by the name of the filter. Absent means no condition; only `tag` has more than one. */
export type FilterValues = Readonly<Record<string, readonly string[]>>;

/** A condition in words, for the list of the conditions in force. */
export function describe(filter: Filter, values: readonly string[]): string {
  if (filter.kind === 'flag') return filter.label;
  const text = values.join(' ').replace(/\s+/g, ' ');
  const short = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  const shown = filter.kind === 'range' ? short.replace('..', ' – ').trim() : short.replaceAll(',', ', ');
  return `${filter.label}: ${shown}`;
}

/** The two ends of a range as text. */
export function splitRange(text: string): [string, string] {
  const at = text.indexOf('..');
  return at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 2)];
}

export function joinRange(from: string, to: string): string {
  const [low, high] = [from.trim(), to.trim()];
  if (low === '' && high === '') return '';
  return low === high ? low : `${low}..${high}`;
}
