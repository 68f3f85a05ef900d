/** Neutral, so that card testers learn nothing. */
const neutralText = 'The card was declined. Please use another card.';

const askIssuerText = 'The card was declined. Please contact your bank or use another card.';
const laterText = 'The card could not be checked at this time. Please try again later.';

/** By response code. */
export const staffTexts: Readonly<Record<string, string>> = {
  '01': 'Refer to the card issuer',
  '03': 'Invalid merchant',
  '04': 'Pick up the card',
  '05': 'Do not honour',
  '12': 'Invalid transaction',
  '13': 'Invalid amount',
  '14': 'Invalid card number',
  '15': 'No such issuer',
  '41': 'Lost card',
  '43': 'Stolen card',
  '51': 'Insufficient funds',
  '54': 'Expired card',
  '57': 'Transaction not permitted to the cardholder',
  '58': 'Transaction not permitted to the terminal',
  '59': 'Suspected fraud',
  '61': 'Exceeds the withdrawal limit',
  '62': 'Restricted card',
  '63': 'Security violation',
  '65': 'Exceeds the count of transactions',
  '78': 'Card not active',
  '82': 'Security code not correct',
  '91': 'Issuer or switch not available',
  '96': 'System malfunction at the issuer',
};

/** Sent as `denialReason`. The guest sees it: no hint about fraud or security codes. */
const guestTexts: Readonly<Record<string, string>> = {
  '01': askIssuerText,
  '14': 'The card number is not valid. Please check it or use another card.',
  '51': 'The card was declined for insufficient funds. Please use another card.',
  '54': 'The card has expired. Please use another card.',
  '61': 'The amount is over the limit of the card. Please use another card.',
  '78': askIssuerText,
  '91': laterText,
  '96': laterText,
};

export interface Denial {
  readonly guestText: string;
  readonly staffText: string;
}

/** Unknown codes get the neutral text, so no new code reveals too much. */
export function denialFor(responseCode: string): Denial {
  return {
    guestText: guestTexts[responseCode] ?? neutralText,
    staffText: staffTexts[responseCode] ?? `Declined with the response code ${responseCode}`,
  };
}

/** For alarms: what the processor refused, and what its code means. */
export function refusalText(call: 'capture' | 'reversal' | 'void', responseCode: string): string {
  const meaning = staffTexts[responseCode];
  const known = meaning === undefined ? '' : ` (${meaning})`;
  return `The processor refused the ${call} with the response code ${responseCode}${known}.`;
}

export const riskDenialText = neutralText;

export const reversalDenialText =
  'The payment could not be completed and no money is held. Please try again.';

export const reversalErrorText =
  'The outcome of the authorization could not be learnt from the processor, so it was reversed. ' +
  'For a new try generate a new paymentUuid.';
