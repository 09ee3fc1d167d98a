/** Numbers, dates and results as text. Unknown values are a dash. */

import type { Evaluation, Player } from './types.ts';

export const DASH = '–';
const whole = new Intl.NumberFormat('en');

export const count = (n: number | null | undefined): string =>
  n === null || n === undefined ? DASH : whole.format(n);

export const games = (n: number): string => `${count(n)} ${n === 1 ? 'game' : 'games'}`;

/** A share of a total, with a decimal below ten percent. */
export function percent(part: number, total: number): string {
  if (total === 0) return DASH;
  const share = (100 * part) / total;
  return `${share.toFixed(share > 0 && share < 9.95 ? 1 : 0)}%`;
}

export function bytes(n: number | null): string {
  if (n === null) return DASH;
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = n;
  let unit = 0;
  while (value >= 1000 && unit + 1 < units.length) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export const decimal = (n: number | null | undefined, digits = 1): string =>
  n === null || n === undefined ? DASH : n.toFixed(digits);

export const rating = (n: number | null | undefined): string =>
  n === null || n === undefined ? DASH : String(Math.round(n));

export const name = (player: Player): string => player.name || '?';

export function result(value: string | null): string {
  if (value === '1/2-1/2') return '½–½';
  if (value === null || value === '*') return '*';
  return value.replace('-', '–');
}

/** Hours, minutes and seconds: 1:02:03, 2:03, and tenths below ten seconds. */
export function clock(seconds: number): string {
  const s = Math.max(0, seconds);
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor(s / 60) % 60;
  const rest = s % 60;
  const tail = s < 10 && !Number.isInteger(s) ? rest.toFixed(1).padStart(4, '0') : pad(Math.floor(rest));
  return hours > 0 ? `${hours}:${pad(minutes)}:${tail}` : `${minutes}:${tail}`;
}

const pad = (n: number): string => String(n).padStart(2, '0');

export function evaluation(value: Evaluation): string {
  if (value.mate !== undefined) return `#${value.mate}`;
  const pawns = (value.cp ?? 0) / 100;
  return `${pawns > 0 ? '+' : ''}${pawns.toFixed(Math.abs(pawns) < 10 ? 2 : 1)}`;
}

const SYMBOLS: Record<number, string> = {
  1: '!',
  2: '?',
  3: '!!',
  4: '??',
  5: '!?',
  6: '?!',
  7: '□',
  10: '=',
  13: '∞',
  14: '⩲',
  15: '⩱',
  16: '±',
  17: '∓',
  18: '+−',
  19: '−+',
  22: '⨀',
  23: '⨀',
  32: '⟳',
  36: '→',
  40: '→',
  132: '⇆',
  146: 'N',
};

/** A numeric annotation glyph as the symbol that annotators write. */
export const symbol = (nag: number): string => SYMBOLS[nag] ?? `$${nag}`;

/** "300+3" as "5+3", "300" as "5+0"; other texts as they are. */
export function timeControl(text: string | null): string {
  const match = /^(\d+)(?:\+(\d+))?$/.exec(text ?? '');
  if (!match) return text && text !== '-' ? text : DASH;
  const base = Number(match[1]) / 60;
  const minutes = base === 0.25 ? '¼' : base === 0.5 ? '½' : base === 0.75 ? '¾' : String(+base.toFixed(1));
  return `${minutes}+${match[2] ?? 0}`;
}
