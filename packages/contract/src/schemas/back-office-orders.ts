import type { Static } from 'typebox';
import { orderMoves } from './back-office-terms.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  limits,
  list,
  money,
  openRequest,
  orNull,
  text,
  uuid,
  whole,
  words,
} from './field.ts';
import { Order } from './orders.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

export const BackOfficeOrder = answer('An order as the restaurant sees it.', {
  version: whole('Increases by one with each change.', { minimum: 1 }),
  ownerGuid: uuid('The partner or management group whose account placed the order.'),
  clientId: text('The account that placed the order.'),
  currencyCode: text('ISO 4217 code of the currency of all its amounts.'),
  fireAt: dateTime('When the order is sent to the kitchen automatically, if it is approved.'),
  fulfilledAt: orNull(dateTime('When it was fulfilled; null until then.')),
  nextDueAt: orNull(dateTime('When the platform does something with it next; null for never.')),
  legalMoves: list(choice('A decision.', orderMoves), 'The decisions that its state allows now.'),
  order: Order,
});
export type BackOfficeOrder = Static<typeof BackOfficeOrder>;

export const BackOfficeOrderPage = answer(
  'One page of the orders of a restaurant.',
  pageOf(BackOfficeOrder, 'The orders, newest first.'),
);
export type BackOfficeOrderPage = Static<typeof BackOfficeOrderPage>;

export const OrderEvent = answer('One change of an order.', {
  version: whole('The version of the order after the change.', { minimum: 1 }),
  cause: text('What happened.'),
  details: orNull(
    Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
    'Details, for example which selections changed. They never include guest data.',
  ),
  occurredAt: dateTime('When it happened, by the clock of the environment.'),
  by: text('Who made the change: a client ID, `person:` and a GUID, or `system:` and a name.'),
  byName: orNull(text('The name of that client or person; null for the system.')),
  requestId: orNull(uuid('The request that made the change; null for the platform itself.')),
});
export type OrderEvent = Static<typeof OrderEvent>;

const reason = words('The reason, for people who look at the order later.', {
  minLength: 1,
  maxLength: 200,
});
const voidReasonGuid = Type.Optional(
  orNull(uuid('One of the published void reasons of the restaurant.')),
);

export const OrderReason = openRequest('Why an order is rejected or a payment is voided.', {
  reason,
});
export type OrderReason = Static<typeof OrderReason>;

export const OrderSelections = openRequest('The selections that the decision applies to.', {
  selectionGuids: Type.Optional(
    orNull(
      list(
        uuid('A top-level selection of the order.'),
        'Leave it out to apply the decision to all selections.',
        {
          minItems: 1,
          ...limits.parts,
        },
      ),
    ),
  ),
});
export type OrderSelections = Static<typeof OrderSelections>;

export const CounterPayment = openRequest('A payment that the restaurant took.', {
  guid: Type.Optional(
    orNull(
      uuid(
        'Identifier of the payment. Send your own, so that a repeated request records it only once.',
      ),
    ),
  ),
  type: choice('CASH, or OTHER for an alternate payment type.', ['CASH', 'OTHER']),
  amount: money('What was paid, without the tip'),
  tipAmount: Type.Optional(
    orNull(decimal('The tip in currency units; 0 if you leave it out.', { minimum: 0 })),
  ),
  amountTendered: Type.Optional(
    orNull(
      decimal(
        'What the guest handed over, in currency units; the same as amount if you leave it out.',
        { minimum: 0 },
      ),
    ),
  ),
  otherPaymentGuid: Type.Optional(
    orNull(uuid('For OTHER: a published alternate payment type of the restaurant.')),
  ),
});
export type CounterPayment = Static<typeof CounterPayment>;

export const VoidSelection = openRequest('Why a selection is voided.', { voidReasonGuid });
export type VoidSelection = Static<typeof VoidSelection>;

export const VoidBackOfficeOrder = openRequest('Why an order is voided.', {
  reason,
  voidReasonGuid,
});
export type VoidBackOfficeOrder = Static<typeof VoidBackOfficeOrder>;
