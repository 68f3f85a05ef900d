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
      'Authorizes a card payment for an order. A 200 means that the request was processed; ' +
      'paymentState holds the outcome. You can repeat the same request: as long as nothing ' +
      'else changed the payment, it returns the outcome without a second hold. Use a new ' +
      'paymentUuid for every payment.',
    scope: 'credit_cards.authorization:write',
    restaurant: 'merchant',
    params: {
      merchantUuid: guid(
        'The restaurant that receives the payment. Must be the same as in the restaurant ' +
          'header.',
      ),
      paymentUuid: guid('A UUID that the client creates for this payment.'),
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
