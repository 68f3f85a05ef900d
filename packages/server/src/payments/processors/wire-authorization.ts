import type { WireAuthorization } from '@servery/card-simulator/messages.ts';
import type { AuthorizationOrder } from './processor.ts';

/** Reveals the card: only for the call to the processor. */
export function wireAuthorizationOf(order: AuthorizationOrder): WireAuthorization {
  const { key, paymentId, merchantGuid, amountMinor, currencyCode } = order;
  const { cardNumberOrigin, willSaveCard } = order;
  const { cardNumber, zipCode, cvv, expMonth, expYear, country } = order.card.reveal();
  const securityCode = cvv ?? null;
  const card = {
    number: cardNumber,
    securityCode,
    expMonth,
    expYear,
    postalCode: zipCode,
    country,
  };
  const money = { amountMinor, currencyCode };
  return { key, paymentId, merchantGuid, ...money, card, cardNumberOrigin, willSaveCard };
}
