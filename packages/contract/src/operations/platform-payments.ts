import { single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { guid } from './parameters.ts';

const payment = {
  interface: 'platform',
  tag: 'Payments',
  // Who may authorize may look at what came of it, so no account needs another scope.
  scope: 'credit_cards.authorization:write',
  restaurant: 'merchant',
  params: {
    merchantUuid: guid(
      'The restaurant that receives the payment. Must be the same as in the restaurant header.',
    ),
    paymentUuid: guid('The payment, as in the PUT that authorized it.'),
  },
  response: single('PartnerPayment'),
} as const;
const path = '/platform/v1/merchants/{merchantUuid}/payments/{paymentUuid}';
const whose =
  'A PARTNER account can use it for payments that an account of its partner authorized, and a ' +
  'CUSTOMER account for those of its management group. Any other payment is a 404.';

export const platformPaymentsOperations = [
  operation({
    ...payment,
    id: 'platform.payments.get',
    method: 'GET',
    path,
    summary: 'Get one of your payments',
    description:
      'Returns the payment as it is now: its state, its deadlines, the response to the PUT, and ' +
      `its changes. To follow a payment, poll this instead of repeating the PUT. ${whose}`,
    also: [404],
  }),
  operation({
    ...payment,
    id: 'platform.payments.void',
    method: 'POST',
    path: `${path}/void`,
    summary: 'Void one of your payments',
    description:
      'Voids an authorized payment that is not on a check, which releases the hold on the card at ' +
      'once. VOIDED means that the processor acknowledged the void. Until then, the payment is ' +
      'in the state VOID_PENDING and the platform keeps retrying. A repeated void changes ' +
      `nothing. In any other state, a void is a 409. Takes no body. ${whose}`,
    also: [404, 409],
  }),
] as const;
