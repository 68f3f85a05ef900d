import { parseGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { originOf } from '../../../audit/origin.ts';
import type {
  BackOfficeRequest,
  BackOfficeRestaurantRequest,
  OperationHandlers,
} from '../../../http/operation.ts';
import { pageTokens } from '../../../http/paging.ts';
import { listEvents, listPayments } from '../../life/list-store.ts';
import {
  applyToCheck,
  captureNow,
  fulfil,
  noSuchPayment,
  type OrdersDeps,
  voidPayment,
} from '../../life/orders.ts';
import { findPayment, type PaymentKey, type PaymentRow } from '../../life/store.ts';
import { eventOnWire, paymentOnWire } from './present.ts';
import { readCheckGuid, readReason } from './read-body.ts';
import { type PaymentListPosition, readListRequest } from './read-list.ts';

/** What the orders side and the operators’ view of payments lean on. */
export interface BackOfficePaymentDeps extends OrdersDeps {
  /** Authenticates page tokens. */
  readonly vault: Vault;
}

type PaymentOperationId =
  `backOffice.payments.${'list' | 'get' | 'events' | 'apply' | 'fulfil' | 'void' | 'capture'}`;

/** The operations of the back office on payments (PAY-12, design/payments.md, orders side). */
export function backOfficePaymentHandlers(
  deps: BackOfficePaymentDeps,
): Pick<OperationHandlers, PaymentOperationId> {
  const { sql } = deps.database;
  const tokens = pageTokens<PaymentListPosition>(deps.vault, 'backOffice.payments');
  const origin = (request: BackOfficeRequest) => originOf(request, deps.realClock);
  const answer = (payment: PaymentRow) => ({ json: paymentOnWire(payment, deps.clock.nowMs()) });
  return {
    'backOffice.payments.list': async (request) => {
      const { query, filter, pageSize, after } = readListRequest(request, tokens);
      // One more than the page holds tells whether there is a next page.
      const payments = await listPayments(sql, filter, after, pageSize + 1);
      const shown = payments.slice(0, pageSize);
      const last = payments.length > pageSize ? shown.at(-1) : undefined;
      const nowMs = deps.clock.nowMs();
      return {
        json: {
          results: shown.map((payment) => paymentOnWire(payment, nowMs)),
          nextPageToken: last ? tokens.seal({ query, after: placeOf(last) }) : null,
        },
      };
    },
    'backOffice.payments.get': async (request) => {
      const payment = await findPayment(sql, keyOf(request));
      if (!payment) throw noSuchPayment();
      return answer(payment);
    },
    'backOffice.payments.events': async (request) => {
      const events = await listEvents(sql, keyOf(request));
      if (events.length === 0) throw noSuchPayment();
      return { json: events.map(eventOnWire) };
    },
    'backOffice.payments.apply': async (request) =>
      answer(
        await applyToCheck(deps, keyOf(request), readCheckGuid(request.body), origin(request)),
      ),
    'backOffice.payments.fulfil': async (request) =>
      answer(await fulfil(deps, keyOf(request), origin(request))),
    'backOffice.payments.void': async (request) =>
      answer(await voidPayment(deps, keyOf(request), readReason(request.body), origin(request))),
    'backOffice.payments.capture': async (request) =>
      answer(await captureNow(deps, keyOf(request), origin(request))),
  };
}

function placeOf({ merchantGuid, paymentUuid, createdAt }: PaymentRow) {
  return { merchantGuid, paymentUuid, createdAt: createdAt.toISOString() };
}

function keyOf({ restaurant, params }: BackOfficeRestaurantRequest): PaymentKey {
  const paymentUuid = parseGuid(params.paymentUuid ?? '');
  if (paymentUuid === null) throw noSuchPayment();
  return { merchantGuid: restaurant.guid, paymentUuid };
}
