import { type Examples, exampleGuid } from './example.ts';
import { orderExamples } from './orders.ts';

const orderGuid = exampleGuid(80);
const BackOfficeOrder = {
  version: 2,
  ownerGuid: exampleGuid(85),
  clientId: exampleGuid(70),
  currencyCode: 'USD',
  fireAt: '2026-01-31T18:30:00.000Z',
  fulfilledAt: null,
  nextDueAt: '2026-02-01T09:00:00.000Z',
  legalMoves: ['ready', 'fulfil', 'voidSelection', 'void'],
  order: { ...orderExamples.Order, guid: orderGuid },
} satisfies Examples<'BackOfficeOrder'>['BackOfficeOrder'];

export const orderAdminExamples = {
  BackOfficeOrder,
  BackOfficeOrderPage: { results: [BackOfficeOrder], nextPageToken: null },
  OrderEvent: {
    version: 2,
    cause: 'sent',
    details: null,
    occurredAt: '2026-01-31T18:30:00.250Z',
    by: 'system:clock',
    byName: null,
    requestId: null,
  },
  OrderReason: { reason: 'The kitchen is closing.' },
  OrderSelections: { selectionGuids: [exampleGuid(86)] },
  CounterPayment: {
    guid: exampleGuid(87),
    type: 'CASH',
    amount: 25.5,
    tipAmount: 4,
    amountTendered: 30,
    otherPaymentGuid: null,
  },
  VoidSelection: { voidReasonGuid: null },
  VoidBackOfficeOrder: { reason: 'The guest left.', voidReasonGuid: null },
} satisfies Examples<
  | 'BackOfficeOrder'
  | 'BackOfficeOrderPage'
  | 'OrderEvent'
  | 'OrderReason'
  | 'OrderSelections'
  | 'CounterPayment'
  | 'VoidSelection'
  | 'VoidBackOfficeOrder'
>;
