import type { WireAuthorization } from '../src/messages.ts';

/** The security code of every order: found nowhere but in the call itself. */
export const SECURITY_CODE = '7391';

/** An order to hold 12.50 on a card; the payment is the middle part of the key. */
export function authorizationOf(key: string, number = '4111111111111111'): WireAuthorization {
  const card = { number, securityCode: SECURITY_CODE, expMonth: '12', expYear: '39' };
  return {
    ...{ key, paymentId: key.split(':')[1] ?? key, merchantGuid: 'm' },
    ...{ amountMinor: 1250, currencyCode: 'USD' },
    card: { ...card, postalCode: '02110', country: 'USA' },
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
  };
}

/** The signal of a call that nobody gives up. */
export const noDeadline = new AbortController().signal;
