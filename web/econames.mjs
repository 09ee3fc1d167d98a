// Writes src/econames.ts, the names of the ECO codes, of the opening book of the format: econames.mjs
//
// The name of a code is that of its shortest line, with its variation if most lines of the code are in it. A code whose
// shortest lines are of several openings has none. The book never changes, so this is run only if the rule does.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const BOOK = join(root, '../crates/ign-format/src/columns/openings/lichess.tsv');

/** Values of a column: a new one is written out, an earlier one as `=` and its number. */
function reader() {
  const known = [];
  return (text) => {
    if (text.startsWith('=')) return known[Number(text.slice(1))];
    known.push(text);
    return text;
  };
}

const [eco, opening] = [reader(), reader()];
/** The lines of each code: their length, and their names. */
const codes = new Map();
for (const line of readFileSync(BOOK, 'utf8').split('\n').slice(1)) {
  const [shared, moves = '', code, name] = line.split('\t');
  if (code === undefined || name === undefined) continue;
  const plies = Number(shared) + moves.split(' ').filter(Boolean).length;
  const key = eco(code);
  codes.set(key, [...(codes.get(key) ?? []), { plies, name: opening(name) }]);
}
const familyOf = (name) => name.split(':')[0];
/** The name of the lines of a code; null if they have none in common. */
function nameOf(lines) {
  const least = Math.min(...lines.map(({ plies }) => plies));
  const [first, ...others] = lines.filter(({ plies }) => plies === least).map(({ name }) => name);
  const family = familyOf(first);
  if (others.some((name) => familyOf(name) !== family)) return null;
  const within = lines.filter(({ name }) => name.startsWith(first)).length;
  return within >= lines.length / 2 ? first : family;
}

const lines = [...codes]
  .filter(([code]) => /^[A-E]\d\d$/.test(code))
  .map(([code, lines]) => [code, nameOf(lines)])
  .filter(([, name]) => name !== null)
  .map(([code, name]) => `${code} ${name}`)
  .sort();
writeFileSync(
  join(root, 'src/econames.ts'),
  `/** Names of the ECO codes, written by econames.mjs. */

const NAMES = \`
${lines.join('\n')}
\`;

let names: Map<string, string> | null = null;

/** The name of a code; undefined for a code of several openings. */
export function ecoName(code: string): string | undefined {
  names ??= new Map(NAMES.trim().split('\\n').map((line) => [line.slice(0, 3), line.slice(4)]));
  return names.get(code);
}
`,
);
