import type { RequestOf } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import { only } from '../../database/filter-store.ts';
import type { Reach } from '../../reach/reach.ts';
import { isAtReachedRestaurant } from '../../reach/reach-store.ts';
import type { Cause, PaymentState } from './lifecycle.ts';
import { minorAmounts } from './money.ts';
import { type PaymentKey, type PaymentRow, paymentColumns } from './store.ts';

export interface PaymentPlace extends PaymentKey {
  readonly createdAt: string;
}

export interface EventRow {
  readonly version: number;
  readonly fromState: PaymentState | 'NEW';
  readonly cause: Cause;
  readonly toState: PaymentState;
  readonly attempt: number;
  readonly details: Record<string, unknown> | null;
  readonly occurredAt: Date;
}

export async function listPayments(
  sql: Sql,
  reach: Reach,
  filters: RequestOf<'backOffice.payments.list'>['query'],
  after: PaymentPlace | null,
  limit: number,
): Promise<PaymentRow[]> {
  const { merchantUuid, clientId, cardLast4, amount, createdFrom, createdTo, dueBefore } = filters;
  const matching = sql`payment
    where ${isAtReachedRestaurant(sql, sql`merchant_guid`, reach)}
      ${only(sql, merchantUuid, (guid) => sql`merchant_guid = ${guid}`)}
      ${only(sql, filters.state, (states) => isInState(sql, states))}
      ${only(sql, clientId, (id) => sql`client_id = ${id}`)}
      ${only(sql, cardLast4, (digits) => sql`card_last4 = ${digits}`)}
      ${only(sql, amount, (wanted) => isOfAmount(sql, wanted))}
      ${only(sql, createdFrom, (from) => sql`created_at >= ${from}::timestamptz`)}
      ${only(sql, createdTo, (to) => sql`created_at < ${to}::timestamptz`)}
      ${only(sql, dueBefore, (before) => isDueBefore(sql, before, reach))}
      ${only(
        sql,
        after,
        ({ createdAt, paymentUuid, merchantGuid }) => sql`
          (created_at, payment_uuid, merchant_guid) <
            (${createdAt}::timestamptz, ${paymentUuid}::uuid, ${merchantGuid}::uuid)`,
      )}`;
  // Otherwise, a plan for any amount reads the newest payments first, expecting many to match.
  const found =
    amount === undefined ? matching : sql`(select * from ${matching} offset 0) as payment`;
  return await sql<PaymentRow[]>`
    select ${paymentColumns(sql)} from ${found}
    order by created_at desc, payment_uuid desc, merchant_guid desc
    limit ${limit}`;
}

/** One state by itself, because only then does an index have its payments in their order. */
function isInState(sql: Sql, states: readonly PaymentState[]) {
  const [first, ...others] = states;
  if (first !== undefined && others.length === 0) return sql`state = ${first}`;
  return sql`state = any(string_to_array(${states.join(' ')}, ' '))`;
}

/**
 * In a plan for any instant, PostgreSQL assumes that one bound matches a third of all payments, and
 * that two match few. For a caller who reaches only some, the plan should begin with restaurants.
 */
function isDueBefore(sql: Sql, instant: string, { isPlatform }: Reach) {
  const lower = isPlatform ? sql`due_at >= '-infinity' and` : sql``;
  return sql`${lower} due_at < ${instant}::timestamptz`;
}

/** What a guest may have been charged: the price, or the total with the first or the changed tip. */
function isOfAmount(sql: Sql, amount: number) {
  const alternatives = minorAmounts(amount).map(
    ({ amountMinor, currencies, isOneOf }) => sql`
      (currency_code = any(string_to_array(${currencies.join(' ')}, ' '))) = ${isOneOf}
      and ${amountMinor}::bigint
        in (amount_minor, amount_minor + tip_minor, amount_minor + changed_tip_minor)`,
  );
  return sql`(${alternatives.reduce((all, one) => sql`${all} or ${one}`, sql`false`)})`;
}

export async function listEvents(sql: Sql, key: PaymentKey): Promise<EventRow[]> {
  return await sql<EventRow[]>`
    select version, from_state as "fromState", cause, to_state as "toState", attempt, details,
      occurred_at as "occurredAt"
    from payment_event
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
    order by version`;
}
