import { ALREADY_CAPTURED } from './messages.ts';

/** What the simulator does with a card. */
export type CardOutcome =
  | 'approved'
  | 'declined'
  /** Holds the money and never answers. */
  | 'timeOutAfterHold'
  /** Never answers and holds nothing. */
  | 'timeOutBeforeHold'
  /** Holds the money, and the connection breaks before the answer. */
  | 'lostAnswerAfterHold'
  /** The connection breaks and nothing is held. */
  | 'lostAnswerBeforeHold'
  /** Approves another amount than it was asked for, which cannot be trusted. */
  | 'wrongAmount'
  /** Says that it did nothing. */
  | 'notProcessed'
  /** Says so to the first attempt and approves the next. */
  | 'notProcessedOnce'
  /** Holds the money and answers what nobody can read. */
  | 'brokenAnswerAfterHold'
  /** Declines, and the connection breaks before the answer. */
  | 'lostAnswerAfterDecline'
  /** Approves in another currency than it was asked for, which cannot be trusted. */
  | 'wrongCurrency'
  /** The connection breaks; the first question finds nothing, and then the hold turns up. */
  | 'lateApproval'
  /** The same, after two questions: nobody counts on it any more. */
  | 'veryLateApproval'
  /** Holds the money, the connection breaks, and no question for it is ever answered. */
  | 'inquiryUnanswered'
  /** The same, and the hold cannot be given up either. */
  | 'reversalFails'
  /** Approves, and declines to give the hold up. */
  | 'voidFails'
  /** Approves, gives the hold up, and never answers the first time. */
  | 'voidTimesOutOnce'
  /** Approves; the first void is not processed. */
  | 'voidNotProcessedOnce'
  /** Approves; when the hold is to be given up, it has been captured by somebody else. */
  | 'voidMeetsCapture'
  /** Approves, and declines the capture. */
  | 'captureFails'
  /** Approves, captures, and never answers the first time. */
  | 'captureTimesOutOnce'
  /** Approves; the first capture is not processed. */
  | 'captureNotProcessedOnce';

/** A card number that the simulator knows, and what it does with it. */
export interface SimulatedCard {
  readonly number: string;
  /** As the platform answers it in `cardBrand`. */
  readonly brand: string;
  /** Digits of the security code. */
  readonly cvvLength: 3 | 4;
  readonly outcome: CardOutcome;
  /** ISO 8583 response code of the call that is declined, which may be a later one. */
  readonly isoCode: string | null;
  /** How long the simulator takes to answer, in milliseconds. */
  readonly latencyMs: number;
  readonly description: string;
}

function card(
  number: string,
  brand: string,
  outcome: CardOutcome,
  description: string,
  { latencyMs = 0, isoCode = null }: { latencyMs?: number; isoCode?: string | null } = {},
): SimulatedCard {
  const cvvLength = brand === 'AMEX' ? 4 : 3;
  return { number, brand, cvvLength, outcome, isoCode, latencyMs, description };
}

function approved(
  number: string,
  brand: string,
  description: string,
  latencyMs = 0,
): SimulatedCard {
  return card(number, brand, 'approved', description, { latencyMs });
}

function declined(number: string, brand: string, isoCode: string, latencyMs = 0): SimulatedCard {
  return card(number, brand, 'declined', `Declined ${isoCode}`, { latencyMs, isoCode });
}

/**
 * The cards that the simulator knows. No issuer gives out these numbers. It approves every other
 * valid number.
 */
export const simulatedCards: readonly SimulatedCard[] = [
  approved('4111111111111111', 'VISA', 'Approved'),
  approved('4242424242424242', 'VISA', 'Approved'),
  approved('4012888888881881', 'VISA', 'Approved'),
  approved('4000056655665556', 'VISA', 'Approved, debit'),
  approved('5555555555554444', 'MASTERCARD', 'Approved'),
  approved('5105105105105100', 'MASTERCARD', 'Approved, prepaid'),
  approved('2223003122003222', 'MASTERCARD', 'Approved, number beginning with 2'),
  approved('378282246310005', 'AMEX', 'Approved, 15 digits, security code of 4'),
  approved('371449635398431', 'AMEX', 'Approved, number beginning with 37'),
  approved('341111111111111', 'AMEX', 'Approved, number beginning with 34'),
  approved('6011111111111117', 'DISCOVER', 'Approved'),
  approved('6011000990139424', 'DISCOVER', 'Approved'),
  approved('30569309025904', 'DINERS_CLUB', 'Approved, 14 digits'),
  approved('36227206271667', 'DINERS_CLUB', 'Approved, number beginning with 36'),
  approved('3056930009020004', 'DINERS_CLUB', 'Approved, 16 digits'),
  approved('3530111333300000', 'JCB', 'Approved'),
  approved('6200000000000005', 'UNIONPAY', 'Approved'),
  approved('6205500000000000004', 'UNIONPAY', 'Approved, 19 digits'),
  approved('6759649826438453', 'MAESTRO', 'Approved'),
  approved('6799990100000000019', 'MAESTRO', 'Approved, 19 digits'),
  declined('4000000000000002', 'VISA', '05'),
  declined('378734493671000', 'AMEX', '05'),
  declined('4000000000000010', 'VISA', '01'),
  declined('4000000000000028', 'VISA', '14'),
  declined('4000000000009987', 'VISA', '41'),
  declined('4000000000009979', 'VISA', '43'),
  declined('4000000000009995', 'VISA', '51'),
  declined('5200828282828210', 'MASTERCARD', '51'),
  declined('4000000000000069', 'VISA', '54'),
  declined('6011000000000004', 'DISCOVER', '54'),
  declined('3566002020360505', 'JCB', '57'),
  declined('4100000000000019', 'VISA', '59'),
  declined('4000000000006975', 'VISA', '61'),
  declined('6200000000000047', 'UNIONPAY', '62'),
  declined('4000000000000101', 'VISA', '63'),
  declined('4000000000000036', 'VISA', '65'),
  declined('4000000000000093', 'VISA', '78'),
  declined('4000000000000127', 'VISA', '82'),
  declined('4000000000000044', 'VISA', '91'),
  declined('4000000000000119', 'VISA', '96'),
  approved('4000000000000077', 'VISA', 'Approved after three seconds', 3_000),
  declined('5431111111111111', 'MASTERCARD', '05', 2_000),
  card('4000000000000259', 'VISA', 'timeOutAfterHold', 'Money held, no answer in time'),
  card('4000000000005423', 'VISA', 'timeOutBeforeHold', 'Nothing held, no answer in time'),
  card('4000000000000341', 'VISA', 'lostAnswerAfterHold', 'Money held, answer lost at once'),
  card('4000000000003055', 'VISA', 'lostAnswerBeforeHold', 'Nothing held, answer lost at once'),
  card('5577000055770004', 'MASTERCARD', 'wrongAmount', 'Approved for another amount'),
  card('4000000000003063', 'VISA', 'notProcessed', 'Never processed; may be repeated'),
  card('4000000000003220', 'VISA', 'notProcessedOnce', 'Not processed, but approved when repeated'),
  card('4000000000002008', 'VISA', 'brokenAnswerAfterHold', 'Money held, answer not readable'),
  card('4000000000002107', 'VISA', 'lostAnswerAfterDecline', 'Declined 05, answer lost at once', {
    isoCode: '05',
  }),
  card('4000000000002206', 'VISA', 'wrongCurrency', 'Approved in another currency'),
  card('4000000000002305', 'VISA', 'lateApproval', 'Answer lost, the hold turns up late'),
  card('4000000000003303', 'VISA', 'veryLateApproval', 'The hold turns up when nobody expects it'),
  card('4000000000002404', 'VISA', 'inquiryUnanswered', 'Money held, but no question is answered'),
  card('4000000000002503', 'VISA', 'reversalFails', 'The same, and the reversal is declined 12', {
    isoCode: '12',
  }),
  card('4000000000002602', 'VISA', 'voidFails', 'Approved; a void is declined 12', {
    isoCode: '12',
  }),
  card('4000000000002701', 'VISA', 'voidTimesOutOnce', 'Approved; the first void is not answered'),
  card(
    '4000000000002800',
    'VISA',
    'voidNotProcessedOnce',
    'Approved; the first void is not processed',
  ),
  card(
    '4000000000002909',
    'VISA',
    'voidMeetsCapture',
    'Approved; a void finds it captured already',
    {
      isoCode: ALREADY_CAPTURED,
    },
  ),
  card('4000000000003006', 'VISA', 'captureFails', 'Approved; the capture is declined 51', {
    isoCode: '51',
  }),
  card(
    '4000000000003105',
    'VISA',
    'captureTimesOutOnce',
    'Approved; the first capture is not answered',
  ),
  card(
    '4000000000003204',
    'VISA',
    'captureNotProcessedOnce',
    'Approved; the first capture is not processed',
  ),
];
