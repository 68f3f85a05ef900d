import type { PaymentEvent } from '@servery/contract';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { type EventRow, listEvents } from '../life/list-store.ts';
import { noSuchPayment } from '../life/orders.ts';

interface PaymentEventsDeps {
  readonly database: Pick<Database, 'sql'>;
}

export const paymentEventsHandler =
  ({ database: { sql } }: PaymentEventsDeps): HandlerOf<'backOffice.payments.events'> =>
  async ({ restaurant, params: { paymentUuid } }) => {
    const events = await listEvents(sql, { merchantGuid: restaurant.guid, paymentUuid });
    if (events.length === 0) throw noSuchPayment();
    return { json: events.map(eventOnWire) };
  };

function eventOnWire({ fromState, occurredAt, ...event }: EventRow): PaymentEvent {
  return {
    ...event,
    fromState: fromState === 'NEW' ? null : fromState,
    occurredAt: isoTimestamp(occurredAt),
  };
}
