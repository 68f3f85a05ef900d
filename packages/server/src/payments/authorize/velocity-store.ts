import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';

/** A payment that is to be counted under a key, and how many fit. */
export interface VelocityCount {
  /** A keyed digest of 32 bytes: what is counted must not be readable. */
  readonly keyDigest: Buffer;
  /** How many payments fit into the length of a window. */
  readonly limit: number;
  /** The present window: counts windows of this length since the epoch. */
  readonly windowIndex: number;
  readonly windowMs: number;
  /** What is left of the present window, in milliseconds. */
  readonly remainingMs: number;
  /** The end of the window after the present one. */
  readonly expiresAt: Date;
}

/**
 * Counts a payment under each key in turn, up to the first one whose limit is reached, when
 * `isWanted` holds: steps of a `with`, and the select that gives how many keys had room, as
 * `passed`. A key without room, and those after it, are not charged. What a key has used is its
 * count in the present window, and of the window before as much as still reaches back.
 *
 * Each step needs the answer of the one before, so all callers lock rows in the order of their
 * keys' kinds, of which each has one: nobody waits in a circle. A row that another caller holds is
 * waited for and seen as that one leaves it, so no limit is ever exceeded.
 */
export function velocitySteps(
  sql: Sql,
  counts: readonly VelocityCount[],
  isWanted: Statement<readonly unknown[]>,
) {
  const names = [sql`step_1`, sql`step_2`, sql`step_3`, sql`step_4`, sql`step_5`, sql`step_6`];
  let steps: Statement<readonly unknown[]> | null = null;
  let answers: Statement<readonly unknown[]> | null = null;
  let condition = isWanted;
  for (const [position, count] of counts.entries()) {
    const name = names[position];
    if (!name) throw new Error(`${counts.length} keys are counted, at most ${names.length} can be`);
    const step = sql`${name} as (${countStep(sql, count, condition)})`;
    steps = steps ? sql`${steps}, ${step}` : step;
    answers = answers
      ? sql`${answers} union all select passed from ${name}`
      : sql`select passed from ${name}`;
    condition = sql`exists (select from ${name})`;
  }
  if (!steps || !answers) throw new Error('nothing is counted: there are no steps');
  return { steps, passed: sql`select count(*)::integer as passed from (${answers}) as answer` };
}

/** Gives a row when the key had room. A clock that runs ahead by a window is followed. */
function countStep(sql: Sql, count: VelocityCount, condition: Statement<readonly unknown[]>) {
  const { keyDigest, limit, windowIndex, windowMs, remainingMs, expiresAt } = count;
  const used = sql`case
    when v.window_index in (excluded.window_index, excluded.window_index + 1) then v.used
    else 0 end`;
  const usedBefore = sql`case
    when v.window_index in (excluded.window_index, excluded.window_index + 1) then v.used_before
    when v.window_index = excluded.window_index - 1 then v.used
    else 0 end`;
  const isAhead = sql`v.window_index = excluded.window_index + 1`;
  return sql`
    insert into velocity_count as v (key_digest, window_index, used, used_before, expires_at)
    select ${keyDigest}::bytea, ${windowIndex}::bigint, 1, 0, ${expiresAt}::timestamptz
    where ${condition}
    on conflict (key_digest) do update set
      window_index = case when ${isAhead} then v.window_index else excluded.window_index end,
      used = ${used} + 1,
      used_before = ${usedBefore},
      expires_at = case when ${isAhead} then v.expires_at else excluded.expires_at end
    where (${used} + 1) * ${windowMs}::bigint + ${usedBefore} * ${remainingMs}::bigint
      <= ${limit}::bigint * ${windowMs}::bigint
    returning true as passed`;
}

/**
 * Removes at most `limit` counts of windows that have passed at `now`; gives how many. Rows that a
 * payment is being counted in are left: it waits for nobody, so it can be in no circle.
 */
export async function deletePassedVelocityCounts(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<number> {
  const result = await sql`
    delete from velocity_count where key_digest in (
      select key_digest from velocity_count where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked)`;
  return result.count;
}
