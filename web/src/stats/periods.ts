/** Games of months as a row without gaps: of months, or where these are too many, of years. */

export type Period = 'month' | 'year';

/** More bars than this cannot be distinguished. */
const MOST_BARS = 400;

export interface Counted {
  label: string;
  games: number;
}

/** Months are `2013-01`, in order; one that is not known is `2013`. */
export function periods(months: readonly { month: string; games: number }[]): {
  unit: Period;
  list: Counted[];
} {
  const [first, last] = [months[0]?.month, months[months.length - 1]?.month];
  if (first === undefined || last === undefined) return { unit: 'month', list: [] };
  const units: { unit: Period; length: number; labels: string[] }[] = [
    {
      unit: 'month',
      length: 7,
      labels: months.every(({ month }) => month.length === 7) ? monthLabels(first, last) : [],
    },
    { unit: 'year', length: 4, labels: yearLabels(first, last) },
  ];
  const fitting = units.find(({ labels }) => labels.length > 0 && labels.length <= MOST_BARS);
  const { unit, length, labels } = fitting ?? (units[1] as (typeof units)[number]);
  const games = new Map(labels.map((label) => [label, 0]));
  for (const { month, games: n } of months) {
    const label = month.slice(0, length);
    games.set(label, (games.get(label) ?? 0) + n);
  }
  return { unit, list: [...games].map(([label, n]) => ({ label, games: n })) };
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
