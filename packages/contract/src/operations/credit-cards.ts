import { operation } from './operation.ts';
import { guid } from './parameters.ts';

export const creditCardOperations = [
  operation({
    id: 'creditCards.authorize',
    interface: 'creditCards',
    method: 'PUT',
    path: '/ccpartner/v1/merchants/{merchantUuid}/payments/{paymentUuid}',
    tag: 'Credit cards',
    summary: 'Authorize a card payment',
    description:
      'Holds the money of a card payment for an order. A 200 says that the request was ' +
      'processed: paymentState tells the outcome. The same request may be repeated: while ' +
      'nothing else changed the payment it answers what became of it, without a second hold. ' +
      'Make a new paymentUuid for every payment.',
    scope: 'credit_cards.authorization:write',
    restaurant: 'merchant',
    params: {
      merchantUuid: guid(
        'The restaurant that receives the payment; the same as in the restaurant header.',
      ),
      paymentUuid: guid('Identifier that the client made for this payment, a UUID.'),
    },
    requestBody: {
      schema: 'PaymentAuthorization',
      array: false,
      contentTypes: ['application/json'],
      required: true,
    },
    response: { schema: 'PaymentStatus', array: false },
    also: [404, 409, 422],
  }),
] as const;
