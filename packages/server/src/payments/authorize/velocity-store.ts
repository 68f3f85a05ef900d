import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';
import type { PaymentKey } from '../life/store.ts';

export interface VelocityCount {
  /** A keyed digest, so that the counted value isn't readable. */
  readonly keyDigest: Buffer;
  readonly limit: number;
  readonly windowIndex: number;
  readonly windowMs: number;
  readonly remainingMs: number;
  readonly expiresAt: Date;
}

/**
 * Counts a payment under each key in turn, up to the first key without room, and gives how many had
 * room; null if the payment is recorded already. That key and later ones aren't charged. A key's use
 * is its count in the present window plus the part of the previous window that still overlaps. Each
 * step needs the answer of the previous one, so all callers lock rows in the same order and no
 * deadlock occurs. A row that another caller holds is waited for, so no limit is exceeded; nothing
 * is written to the disk meanwhile, so the wait is short.
 *
 * A payment is counted once: later tries get the same answer. Of two at once, one fails with 23505
 * after it has changed nothing.
 */
export async function insertVelocityCounts(
  sql: Sql,
  { merchantGuid, paymentUuid }: PaymentKey,
  counts: readonly VelocityCount[],
  verdictExpiresAt: Date,
): Promise<number | null> {
  const isNew = sql`not exists (select from known) and not exists (select from said)`;
  const names = [sql`step_1`, sql`step_2`, sql`step_3`, sql`step_4`, sql`step_5`, sql`step_6`];
  const steps: Statement<readonly unknown[]>[] = [];
  let answers = sql`select true as passed where false`;
  let condition = isNew;
  for (const [position, count] of counts.entries()) {
    const name = names[position];
    if (!name) throw new Error(`${counts.length} keys are counted, at most ${names.length} can be`);
    steps.push(sql`${name} as (${countStep(sql, count, condition)}),`);
    answers = sql`${answers} union all select passed from ${name}`;
    condition = sql`exists (select from ${name})`;
  }
  const [row] = await sql<[{ passed: number | null }]>`
    with known as (
      select 1 from payment where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid}
    ), said as (
      select passed from velocity_verdict
      where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid}
    ), ${steps.reduce((all, step) => sql`${all} ${step}`)}
    verdict as (select count(*)::integer as passed from (${answers}) as answer),
    kept as (
      insert into velocity_verdict (merchant_guid, payment_uuid, passed, expires_at)
      select ${merchantGuid}::uuid, ${paymentUuid}::uuid, passed, ${verdictExpiresAt}::timestamptz
      from verdict where ${isNew}
      returning passed)
    select coalesce((select passed from said), (select passed from kept)) as passed
    where not exists (select from known)`;
  return row?.passed ?? null;
}

/** Returns a row when the key has room. Follows a clock that runs one window ahead. */
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

/** Skips rows that a payment is using: it waits for no lock, so it can't deadlock. */
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

export async function deletePassedVelocityVerdicts(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<number> {
  const result = await sql`
    delete from velocity_verdict where (merchant_guid, payment_uuid) in (
      select merchant_guid, payment_uuid from velocity_verdict where expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked)`;
  return result.count;
}
