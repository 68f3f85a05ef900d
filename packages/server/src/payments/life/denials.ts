type DenialClass =
  | 'declined'
  | 'contactIssuer'
  | 'cardNumber'
  | 'expired'
  | 'funds'
  | 'limit'
  | 'notPermitted'
  | 'lostOrStolen'
  | 'fraud'
  | 'securityCode'
  | 'issuerUnreachable';

export interface Denial {
  readonly isoCode: string;
  readonly class: DenialClass;
  /** Sent as `denialReason`. The guest sees it: no hint about fraud or security codes. */
  readonly guestText: string;
  readonly staffText: string;
}

/** Neutral, so that card testers learn nothing. */
const neutralText = 'The card was declined. Please use another card.';

const askIssuerText = 'The card was declined. Please contact your bank or use another card.';
const laterText = 'The card could not be checked at this time. Please try again later.';

const denial = (
  isoCode: string,
  denialClass: DenialClass,
  guestText: string,
  staffText: string,
): Denial => ({ isoCode, class: denialClass, guestText, staffText });

const denials: readonly Denial[] = [
  denial('01', 'contactIssuer', askIssuerText, 'Refer to the card issuer'),
  denial('03', 'notPermitted', neutralText, 'Invalid merchant'),
  denial('04', 'lostOrStolen', neutralText, 'Pick up the card'),
  denial('05', 'declined', neutralText, 'Do not honour'),
  denial('12', 'notPermitted', neutralText, 'Invalid transaction'),
  denial('13', 'notPermitted', neutralText, 'Invalid amount'),
  denial(
    '14',
    'cardNumber',
    'The card number is not valid. Please check it or use another card.',
    'Invalid card number',
  ),
  denial('15', 'cardNumber', neutralText, 'No such issuer'),
  denial('41', 'lostOrStolen', neutralText, 'Lost card'),
  denial('43', 'lostOrStolen', neutralText, 'Stolen card'),
  denial(
    '51',
    'funds',
    'The card was declined for insufficient funds. Please use another card.',
    'Insufficient funds',
  ),
  denial('54', 'expired', 'The card has expired. Please use another card.', 'Expired card'),
  denial('57', 'notPermitted', neutralText, 'Transaction not permitted to the cardholder'),
  denial('58', 'notPermitted', neutralText, 'Transaction not permitted to the terminal'),
  denial('59', 'fraud', neutralText, 'Suspected fraud'),
  denial(
    '61',
    'limit',
    'The amount is over the limit of the card. Please use another card.',
    'Exceeds the withdrawal limit',
  ),
  denial('62', 'notPermitted', neutralText, 'Restricted card'),
  denial('63', 'fraud', neutralText, 'Security violation'),
  denial('65', 'limit', neutralText, 'Exceeds the count of transactions'),
  denial('78', 'notPermitted', askIssuerText, 'Card not active'),
  denial('82', 'securityCode', neutralText, 'Security code not correct'),
  denial('91', 'issuerUnreachable', laterText, 'Issuer or switch not available'),
  denial('96', 'issuerUnreachable', laterText, 'System malfunction at the issuer'),
];

const denialByCode = new Map(denials.map((entry) => [entry.isoCode, entry]));

/** Unknown codes get the neutral text, so no new code reveals too much. */
export function denialFor(isoCode: string): Denial {
  return (
    denialByCode.get(isoCode) ?? {
      isoCode,
      class: 'declined',
      guestText: neutralText,
      staffText: `Declined with the response code ${isoCode}`,
    }
  );
}

export function listDenials(): readonly Denial[] {
  return denials;
}

export const riskDenialText = neutralText;

export const reversalDenialText =
  'The payment could not be completed and no money is held. Please try again.';

export const reversalErrorText =
  'The outcome of the authorization could not be learnt from the processor, so it was reversed. ' +
  'For a new try generate a new paymentUuid.';
