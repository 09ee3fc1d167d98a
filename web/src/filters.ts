/**
 * The conditions on games, as the server lists them: `white_elo` here is `--white-elo` of `ign find`. The names are
 * those of the server's parameters and of the page's address.
 */

import { get } from './api.ts';
import { endgameName } from './endgames.ts';

export type FilterKind =
  /** One text. */
  | 'text'
  /** From and to, both included: `2000..2200`, `2000..`, `..2200`; a single value is both. */
  | 'range'
  /** Some of a list, with commas. */
  | 'choices'
  /** True, false, or absent. */
  | 'flag'
  /** One value a line; the parameter is repeated. */
  | 'lines'
  /** A text of several lines. */
  | 'area';

/** A condition, as `/api/conditions` has it. */
export interface Filter {
  name: string;
  form: string;
  choices: readonly string[];
  heading: string;
  /** Some words. */
  label: string;
  /** A sentence. */
  help: string;
  /** A value. */
  example: string;
}

const KINDS: Readonly<Record<string, FilterKind>> = {
  numbers: 'range',
  ranges: 'range',
  dates: 'range',
  codes: 'range',
  choices: 'choices',
  flag: 'flag',
  expression: 'lines',
  condition: 'lines',
  score: 'area',
};

export const kindOf = (filter: Filter): FilterKind => KINDS[filter.form] ?? 'text';

/** All conditions. Empty until they have been loaded. */
export const FILTERS: Filter[] = [];

/** Loads the conditions from the server. */
export async function loadFilters(): Promise<void> {
  const { conditions } = await get<{ conditions: Filter[] }>('api/conditions', new AbortController().signal);
  FILTERS.splice(0, FILTERS.length, ...conditions);
}

/** Values by the name of the filter. Absent means no condition; only the kind `lines` has more than one. */
export type FilterValues = Readonly<Record<string, readonly string[]>>;

/** A condition in words, for the list of the conditions in force. */
export function describe(filter: Filter, values: readonly string[]): string {
  const kind = kindOf(filter);
  const text = values.join(' ').replace(/\s+/g, ' ');
  const endgame = filter.name === 'material' && endgameName(text);
  if (endgame) return `Endgame: ${endgame}`;
  if (kind === 'flag' && text.toLowerCase() === 'true') return filter.label;
  if (kind === 'flag' && text.toLowerCase() === 'false') return `${filter.label}: no`;
  const short = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  const list = short.replaceAll(',', ', ');
  const shown = kind === 'range' ? list.replaceAll('..', ' – ').trim() : list;
  return `${filter.label}: ${shown}`;
}

/** The two ends of a range as text. Several ranges with commas are in the first. */
export function splitRange(text: string): [string, string] {
  if (text.includes(',')) return [text, ''];
  const at = text.indexOf('..');
  return at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 2)];
}

export function joinRange(from: string, to: string): string {
  const [low, high] = [from.trim(), to.trim()];
  if (high === '' && (low === '' || /,|\.\./.test(low))) return low;
  return low === high ? low : `${low}..${high}`;
}
