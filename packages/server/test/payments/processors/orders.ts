import { sleep } from '@servery/support/timer.ts';
import { CardData } from '../../../src/payments/cards/card-data.ts';
import type { AuthorizationOrder } from '../../../src/payments/processors/processor.ts';

/** The security code of every order: found nowhere but in the call itself. */
const SECURITY_CODE = '7391';

/** An order to hold 12.50 on a card; the payment is the middle part of the key. */
export function authorizationOf(key: string, cardNumber = '4111111111111111'): AuthorizationOrder {
  const paymentId = key.split(':')[1] ?? key;
  return {
    ...{ key, paymentId, merchantGuid: 'm', amountMinor: 1250, currencyCode: 'USD' },
    card: new CardData({
      ...{ cardNumber, cvv: SECURITY_CODE, expMonth: '12', expYear: '39' },
      ...{ zipCode: '02110', country: 'USA' },
    }),
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
  };
}

/** The signal of a call that nobody gives up. */
export const noDeadline = new AbortController().signal;

const WAIT_LIMIT_MS = 120_000;
const POLL_MS = 50;

/** Waits for something that another process does; fails when it does not come about. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + WAIT_LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`in vain: ${what}`);
    await sleep(POLL_MS);
  }
}
