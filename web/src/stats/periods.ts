/** Games of days as a row without gaps: of days, or where these are too many, of months or of years. */

export type Period = 'day' | 'month' | 'year';

/** More bars than this cannot be distinguished. */
const MOST_BARS = 400;
const DAY_MS = 86_400_000;

export interface Counted {
  label: string;
  games: number;
}

/** Days are `2013-01-05`, in order. */
export function periods(days: readonly { date: string; games: number }[]): { unit: Period; list: Counted[] } {
  const [first, last] = [days[0]?.date, days[days.length - 1]?.date];
  if (first === undefined || last === undefined) return { unit: 'day', list: [] };
  const units: { unit: Period; length: number; labels: string[] }[] = [
    { unit: 'day', length: 10, labels: dayLabels(first, last) },
    { unit: 'month', length: 7, labels: monthLabels(first, last) },
    { unit: 'year', length: 4, labels: yearLabels(first, last) },
  ];
  const fitting = units.find(({ labels }) => labels.length > 0 && labels.length <= MOST_BARS);
  const { unit, length, labels } = fitting ?? (units[2] as (typeof units)[number]);
  const games = new Map(labels.map((label) => [label, 0]));
  for (const day of days) {
    const label = day.date.slice(0, length);
    games.set(label, (games.get(label) ?? 0) + day.games);
  }
  return { unit, list: [...games].map(([label, n]) => ({ label, games: n })) };
}

/** None if a day is partly unknown, or if there are far too many. */
function dayLabels(first: string, last: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)];
  if (!((to - from) / DAY_MS < MOST_BARS)) return [];
  const labels: string[] = [];
  for (let day = from; day <= to; day += DAY_MS) labels.push(new Date(day).toISOString().slice(0, 10));
  return labels;
}

function monthLabels(first: string, last: string): string[] {
  const number = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  return count(number(first), number(last)).map((n) => {
    const month = String((n % 12) + 1).padStart(2, '0');
    return `${String(Math.floor(n / 12)).padStart(4, '0')}-${month}`;
  });
}

const yearLabels = (first: string, last: string): string[] =>
  count(Number(first.slice(0, 4)), Number(last.slice(0, 4))).map((year) => String(year).padStart(4, '0'));

/** The numbers of a range; none if it is not one, or if there are far too many. */
function count(from: number, to: number): number[] {
  if (!(to - from <= MOST_BARS * 12)) return [];
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
