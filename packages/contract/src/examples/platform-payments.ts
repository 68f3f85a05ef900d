import { type Examples, exampleGuid, serials } from './example.ts';
import { stockAndCardExamples } from './stock-and-cards.ts';

const authorizedAt = '2026-01-31T18:30:01.000Z';

const PaymentAnswer = { status: 200, body: stockAndCardExamples.PaymentStatus };

const PaymentChange = {
  state: 'AUTHORIZED',
  cause: 'approved',
  attempt: 1,
  at: authorizedAt,
} satisfies Examples<'PaymentChange'>['PaymentChange'];

export const platformPaymentsExamples: Examples<
  'PartnerPayment' | 'PaymentAnswer' | 'PaymentChange'
> = {
  PaymentAnswer,
  PaymentChange,
  PartnerPayment: {
    merchantGuid: exampleGuid(serials.restaurant),
    paymentUuid: exampleGuid(51),
    state: 'AUTHORIZED',
    attempt: 1,
    answer: PaymentAnswer,
    currencyCode: 'USD',
    amount: 24.5,
    tipAmount: 4,
    authorizedAmount: 28.5,
    capturedAmount: null,
    createdAt: '2026-01-31T18:30:00.000Z',
    modifiedAt: authorizedAt,
    authorizedAt,
    applyDeadline: '2026-01-31T18:35:01.000Z',
    captureDeadline: '2026-02-07T18:30:01.000Z',
    captureAt: null,
    isVoidable: true,
    changes: [PaymentChange],
  },
};
