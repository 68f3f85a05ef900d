import { sleep } from '@servery/support/timer.ts';
import { isSqlState } from './postgres-error.ts';
import type { Sql } from './sql.ts';

/**
 * What PostgreSQL answers when somebody else has just made a thing of that name. Which of these
 * depends on how far the other one had come, and "if not exists" prevents none of them.
 */
const ALREADY_MADE = ['23505', '42710', '42P04', '42P07'];

const MOST_LOOKS = 40;
const LOOK_PAUSE_MS = 50;

/**
 * Sends `statement` unless `condition` holds: for what several processes may make at once. Throws
 * the error of the statement when the condition does not hold afterwards either.
 */
export async function makeOnce(sql: Sql, condition: string, statement: string): Promise<void> {
  const isMade = async () => {
    const [row] = await sql.unsafe(`select ${condition} as is_made`);
    return row?.is_made === true;
  };
  if (await isMade()) return;
  try {
    await sql.unsafe(statement);
  } catch (error) {
    if (!ALREADY_MADE.some((state) => isSqlState(error, state))) throw error;
    // A commit is visible a moment before it tells other sessions to forget that there was no such
    // name; a busy machine may make that moment long.
    for (let looks = 1; !(await isMade()); looks += 1) {
      if (looks === MOST_LOOKS) throw error;
      await sleep(LOOK_PAUSE_MS);
    }
  }
}
