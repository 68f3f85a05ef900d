import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../src/database/database.ts';
import type { PaymentKey, TransitionRow } from '../../src/payments/life/store.ts';

/** Inserts a partner and its API account; gives the client id. */
export async function insertClient(sql: Sql, now: Date): Promise<string> {
  const [clientId, partnerGuid] = [newGuid(), newGuid()];
  await sql`insert into partner (guid, name, created_at) values (${partnerGuid}, 'P', ${now})`;
  await sql`
    insert into api_client (client_id, name, type, partner_guid, scopes, holds_legacy_card_key,
      created_at)
    values (${clientId}, 'Client', 'PARTNER', ${partnerGuid},
      ${['credit_cards.authorization:write']}, false, ${now})`;
  return clientId;
}

/** Inserts another API account of the same partner; gives the client id. */
export async function insertColleague(sql: Sql, clientId: string, now: Date): Promise<string> {
  const colleague = newGuid();
  await sql`
    insert into api_client (client_id, name, type, partner_guid, scopes, holds_legacy_card_key,
      created_at)
    select ${colleague}::text, 'Colleague', type, partner_guid, scopes, false, ${now}::timestamptz
    from api_client where client_id = ${clientId}`;
  return colleague;
}

/** An event as a test looks at it. */
export interface EventRow {
  readonly version: number;
  readonly from: string;
  readonly cause: string;
  readonly to: string;
  readonly attempt: number;
}

/** The history of a payment, oldest first. */
export async function listEvents(
  sql: Sql,
  merchantGuid: string,
  paymentUuid: string,
): Promise<EventRow[]> {
  const rows = await sql<EventRow[]>`
    select version, from_state as "from", cause, to_state as "to", attempt from payment_event
    where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid} order by version`;
  return [...rows];
}

/** An attempt as a test looks at it. */
export interface AttemptRow {
  readonly attempt: number;
  readonly processorKey: string;
  readonly outcome: string | null;
}

/** The attempts of a payment, oldest first. */
export async function listAttempts(
  sql: Sql,
  merchantGuid: string,
  paymentUuid: string,
): Promise<AttemptRow[]> {
  const rows = await sql<AttemptRow[]>`
    select attempt, processor_key as "processorKey", outcome from payment_attempt
    where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid} order by attempt`;
  return [...rows];
}

/** Allows a move, as somebody with write access could. */
export async function insertTransition(sql: Sql, move: TransitionRow): Promise<void> {
  await sql`
    insert into payment_transition (from_state, cause, to_state)
    values (${move.from}, ${move.cause}, ${move.to})`;
}

/** Forbids a move, as somebody with write access could. */
export async function deleteTransition(sql: Sql, move: TransitionRow): Promise<void> {
  await sql`
    delete from payment_transition
    where from_state = ${move.from} and cause = ${move.cause} and to_state = ${move.to}`;
}

/** How many payments there are. */
export async function countPaymentRows(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from payment`;
  return row?.count ?? 0;
}

/** Removes the guest's data of a payment, as retention does. */
export async function deleteGuest(sql: Sql, paymentUuid: string): Promise<void> {
  await sql`delete from payment_guest where payment_uuid = ${paymentUuid}`;
}

/** The columns of the guest data of a payment. */
export async function findGuest(
  sql: Sql,
  merchantGuid: string,
  paymentUuid: string,
): Promise<Record<string, unknown> | null> {
  const [row] = await sql<Record<string, unknown>[]>`
    select * from payment_guest
    where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid}`;
  return row ?? null;
}

/** The deadlines of a payment. */
export async function findDeadlines(
  sql: Sql,
  merchantGuid: string,
  paymentUuid: string,
): Promise<{
  applyDeadline: Date | null;
  captureDeadline: Date | null;
  dueAt: Date | null;
} | null> {
  const [row] = await sql<
    { applyDeadline: Date | null; captureDeadline: Date | null; dueAt: Date | null }[]
  >`
    select apply_deadline as "applyDeadline", capture_deadline as "captureDeadline",
      due_at as "dueAt"
    from payment where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid}`;
  return row ?? null;
}

/** Every row of every table as text, for the hunt for what must not be stored. */
export async function readAllText(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select t::text as text from "${name}" t`);
    parts.push(...rows.map((row) => `${name} ${row.text}`));
  }
  return parts.join('\n');
}

/** Hands a card key's row to another client, as somebody with write access could. */
export async function updateCardKeyClient(
  sql: Sql,
  keyId: string,
  clientId: string,
): Promise<void> {
  await sql`update card_key set client_id = ${clientId} where key_id = ${keyId}`;
}

/** Writes a state into a payment without an event. */
export async function updateStateAlone(sql: Sql, merchantGuid: string, state: string) {
  await sql`update payment set state = ${state} where merchant_guid = ${merchantGuid}`;
}

/** Writes money into a payment without an event. */
export async function updateMoneyAlone(
  sql: Sql,
  key: { readonly merchantGuid: string; readonly paymentUuid: string },
  { capturedMinor, changedTipMinor }: { capturedMinor?: number; changedTipMinor?: number },
) {
  await sql`
    update payment set captured_minor = coalesce(${capturedMinor ?? null}, captured_minor),
      changed_tip_minor = coalesce(${changedTipMinor ?? null}, changed_tip_minor)
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}`;
}

/** Writes a version into a payment without an event. */
export async function updateVersionAlone(sql: Sql, merchantGuid: string) {
  await sql`update payment set version = version + 1 where merchant_guid = ${merchantGuid}`;
}

/** The events of a payment as text, all columns of them, in order. */
export async function readEventRows(sql: Sql, key: PaymentKey): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select e::text as text from payment_event e
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
    order by version`;
  return rows.map(({ text }) => text);
}

/** The columns of an event, but for what the database itself makes of them. */
export async function listEventColumns(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = 'payment_event' and is_generated = 'NEVER' order by ordinal_position`;
  return rows.map(({ name }) => name);
}

/**
 * Writes into a column of an event what `value`, an SQL expression, gives, where that is another
 * value than is there; tells whether it was.
 */
export async function updateEventColumn(
  sql: Sql,
  key: PaymentKey & { readonly version: number },
  column: string,
  value: string,
): Promise<boolean> {
  const { count } = await sql.unsafe(`
    update payment_event set ${column} = ${value}
    where merchant_guid = '${key.merchantGuid}' and payment_uuid = '${key.paymentUuid}'
      and version = ${key.version} and ${column}::text is distinct from (${value})::text`);
  return count > 0;
}

/** Inserts a copy of an event of a payment as one of another, so many milliseconds later. */
export async function insertEventCopy(
  sql: Sql,
  { merchantGuid, paymentUuid, version }: PaymentKey & { readonly version: number },
  otherUuid: string,
  laterMs: number,
): Promise<void> {
  await sql`
    insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
      cause, to_state, attempt, details, occurred_at, guid, previous_digest)
    select merchant_guid, ${otherUuid}, version, previous_version, from_state, cause, to_state,
      attempt, details, occurred_at + ${laterMs} * interval '1 millisecond', guid,
      (select o.digest from payment_event o where o.merchant_guid = e.merchant_guid
        and o.payment_uuid = ${otherUuid} and o.version = e.previous_version)
    from payment_event e
    where merchant_guid = ${merchantGuid} and payment_uuid = ${paymentUuid}
      and version = ${version}`;
}

/** Writes what the events of another payment say into those of a payment, digests and all. */
export async function updateEventsLike(
  sql: Sql,
  { merchantGuid, paymentUuid }: PaymentKey,
  otherUuid: string,
): Promise<void> {
  await sql`
    update payment_event e
    set occurred_at = o.occurred_at, previous_digest = o.previous_digest
    from payment_event o
    where e.merchant_guid = ${merchantGuid} and e.payment_uuid = ${paymentUuid}
      and o.merchant_guid = e.merchant_guid and o.payment_uuid = ${otherUuid}
      and o.version = e.version`;
}

/** Removes the events of a payment from a version on, up to another. */
export async function deleteEvents(
  sql: Sql,
  key: PaymentKey,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  await sql`
    delete from payment_event
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
      and version between ${range.from} and ${range.to}`;
}

/** Empties the table of events, with `cascade` together with all that refers to it. */
export async function truncateEvents(sql: Sql, cascade: 'cascade' | '' = ''): Promise<void> {
  await sql.unsafe(`truncate payment_event ${cascade}`);
}

/** Inserts an event as it is given. */
export async function insertRawEvent(
  sql: Sql,
  key: { readonly merchantGuid: string; readonly paymentUuid: string },
  event: EventRow & { readonly previous: number | null },
) {
  await sql`
    insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
      cause, to_state, attempt, occurred_at, guid, previous_digest)
    values (${key.merchantGuid}, ${key.paymentUuid}, ${event.version}, ${event.previous},
      ${event.from}, ${event.cause}, ${event.to}, ${event.attempt}, ${new Date(0)},
      gen_random_uuid(),
      -- Any digest will do where there is no such event: the reference is what is refused.
      (select coalesce(max(digest), case when ${event.previous}::int > 0 then sha256('') end)
        from payment_event where merchant_guid = ${key.merchantGuid}
          and payment_uuid = ${key.paymentUuid} and version = ${event.previous}))`;
}

/** Has the server end the session that it runs on, as when it is stopped: FATAL 57P01. */
export async function endOwnSession(sql: Sql): Promise<void> {
  await sql`select pg_terminate_backend(pg_backend_pid())`;
}

/** Sends a statement that the server refuses. */
export async function sendRefusedStatement(sql: Sql): Promise<void> {
  await sql`select 1 / 0`;
}

/** The alarms of a payment, oldest first. */
export async function listAlarms(
  sql: Sql,
  key: { readonly merchantGuid: string; readonly paymentUuid: string },
): Promise<{ kind: string; explanation: string }[]> {
  const rows = await sql<{ kind: string; explanation: string }[]>`
    select kind, explanation from payment_alarm
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
    order by raised_at, guid`;
  return [...rows];
}

/** Takes note of all alarms of a payment, at the instant at which they were raised. */
export async function updateAlarmsSeen(
  sql: Sql,
  key: { readonly merchantGuid: string; readonly paymentUuid: string },
  clientId: string,
): Promise<void> {
  await sql`
    update payment_alarm set acknowledged_at = raised_at, acknowledged_by = ${clientId}
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}`;
}

/** Gives the lease of a payment to another holder, which leaves its version as it is. */
export async function updatePaymentLease(
  sql: Sql,
  key: PaymentKey,
  holder: string,
  expiresAt: Date,
): Promise<void> {
  await sql`
    update payment set lease_holder = ${holder}, lease_expires_at = ${expiresAt}
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}`;
}

/** Our own identifier of each payment of a merchant, by its paymentUuid. */
export async function listPaymentIds(
  sql: Sql,
  merchantGuid: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ paymentUuid: string; paymentId: string }[]>`
    select payment_uuid as "paymentUuid", payment_id as "paymentId"
    from payment where merchant_guid = ${merchantGuid}`;
  return new Map(rows.map(({ paymentUuid, paymentId }) => [paymentUuid, paymentId]));
}
