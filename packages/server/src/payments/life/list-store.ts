import type { RequestOf } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import { isAtReachedRestaurant } from '../../reach/reach-store.ts';
import type { Cause, PaymentState } from './lifecycle.ts';
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
  const { merchantUuid = null, clientId = null, cardLast4 = null } = filters;
  const { createdFrom = null, createdTo = null, dueBefore = null } = filters;
  const stateList = filters.state?.join(' ') ?? null;
  return await sql<PaymentRow[]>`
    select ${paymentColumns(sql)} from payment
    where (${merchantUuid}::uuid is null or merchant_guid = ${merchantUuid})
      and ${isAtReachedRestaurant(sql, sql`merchant_guid`, reach)}
      and (${stateList}::text is null or state = any(string_to_array(${stateList}, ' ')))
      and (${clientId}::text is null or client_id = ${clientId})
      and (${cardLast4}::text is null or card_last4 = ${cardLast4})
      and (${createdFrom}::timestamptz is null or created_at >= ${createdFrom})
      and (${createdTo}::timestamptz is null or created_at < ${createdTo})
      and (${dueBefore}::timestamptz is null or due_at < ${dueBefore})
      and (${after?.createdAt ?? null}::timestamptz is null
        or (created_at, payment_uuid, merchant_guid) < (${after?.createdAt ?? null}::timestamptz,
          ${after?.paymentUuid ?? null}::uuid, ${after?.merchantGuid ?? null}::uuid))
    order by created_at desc, payment_uuid desc, merchant_guid desc
    limit ${limit}`;
}

export async function listEvents(sql: Sql, key: PaymentKey): Promise<EventRow[]> {
  return await sql<EventRow[]>`
    select version, from_state as "fromState", cause, to_state as "toState", attempt, details,
      occurred_at as "occurredAt"
    from payment_event
    where merchant_guid = ${key.merchantGuid} and payment_uuid = ${key.paymentUuid}
    order by version`;
}
