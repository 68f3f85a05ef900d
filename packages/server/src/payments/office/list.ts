import type { RequestOf } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { isClientId } from '../../text/client-id.ts';
import { listPayments, type PaymentPlace } from '../life/list-store.ts';
import { paymentOnWire } from './payment-on-wire.ts';

type Query = RequestOf<'backOffice.payments.list'>['query'];

export interface ListPaymentsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
  readonly vault: Vault;
}

export function listPaymentsHandler({
  database: { sql },
  clock,
  vault,
}: ListPaymentsDeps): HandlerOf<'backOffice.payments.list'> {
  const tokens = pageTokens<ListPosition<Query, PaymentPlace>>(vault, 'backOffice.payments');
  return async ({ query: sent, reach, faults }) => {
    if (sent.clientId !== undefined && !isClientId(sent.clientId)) {
      faults.add(['clientId'], 'is not one that the platform issues');
      faults.refuse();
    }
    const nowMs = clock.nowMs();
    return await answerPage(sent, {
      tokens,
      list: (query, after, limit) => listPayments(sql, reach, query, after, limit),
      placeOf: ({ merchantGuid, paymentUuid, createdAt }) => ({
        ...{ merchantGuid, paymentUuid },
        createdAt: createdAt.toISOString(),
      }),
      onWire: (payment) => paymentOnWire(payment, nowMs),
    });
  };
}
