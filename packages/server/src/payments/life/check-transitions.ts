import type { Database } from '../../database/database.ts';
import { moves } from './lifecycle.ts';
import { listTransitions, type TransitionRow } from './store.ts';

/** Throws an Error unless the database allows exactly our moves (PAY-I5): somebody may add some. */
export async function checkTransitions(database: Database): Promise<void> {
  const allowed = (await listTransitions(database.sql)).map(describe);
  const known = moves.map(describe);
  const missing = known.filter((move) => !allowed.includes(move)).sort();
  const tooMany = allowed.filter((move) => !known.includes(move)).sort();
  if (missing.length + tooMany.length === 0) return;
  throw new Error(
    [
      'The table payment_transition of this database differs from the migrations, so payments ' +
        'could change state as they must not, or not change as they must. Nothing was started.',
      ...missing.map((move) => `- missing: ${move}`),
      ...tooMany.map((move) => `- too many: ${move}`),
      'Correct its rows, find out who changed them, and start again.',
    ].join('\n'),
  );
}

function describe({ from, cause, to }: TransitionRow): string {
  return `${from} –${cause}→ ${to}`;
}
