import { brandOf, cardTypeOf } from '@servery/support/card-types.ts';
import { ALREADY_CAPTURED } from './messages.ts';

/** A card number that the simulator knows. */
export interface SimulatedCard {
  readonly number: string;
  readonly brand: string;
  /** Digits of the security code. */
  readonly cvvLength: number;
  readonly outcome: CardOutcome;
  /** ISO 8583 response code of the call that is declined, which may be a later one. */
  readonly isoCode: string | null;
  /** How long the simulator takes to answer. */
  readonly latencyMs: number;
  readonly description: string;
}

interface Given {
  readonly isoCode?: string | null;
  readonly latencyMs?: number;
}

function card(
  number: string,
  outcome: CardOutcome,
  description: string,
  { isoCode = null, latencyMs = 0 }: Given = {},
): SimulatedCard {
  const cvvLength = cardTypeOf(number)?.codeLength ?? 3;
  return { number, brand: brandOf(number), cvvLength, outcome, isoCode, latencyMs, description };
}

function approved(number: string, description = 'Approved', given: Given = {}): SimulatedCard {
  return card(number, 'approved', description, given);
}

function declined(number: string, isoCode: string, latencyMs = 0): SimulatedCard {
  return card(number, 'declined', `Declined ${isoCode}`, { isoCode, latencyMs });
}

/** One card for each other outcome: its number, what happens, and the code of a later decline. */
const special = {
  timeOutAfterHold: ['4000000000000259', 'Money held, no response in time'],
  timeOutBeforeHold: ['4000000000005423', 'Nothing held, no response in time'],
  lostAnswerAfterHold: ['4000000000000341', 'Money held, response lost at once'],
  lostAnswerBeforeHold: ['4000000000003055', 'Nothing held, response lost at once'],
  wrongAmount: ['5577000055770004', 'Approved for another amount'],
  notProcessed: ['4000000000003063', 'Never processed; can be repeated'],
  notProcessedOnce: ['4000000000003220', 'Not processed, but approved when repeated'],
  brokenAnswerAfterHold: ['4000000000002008', 'Money held, response not readable'],
  lostAnswerAfterDecline: ['4000000000002107', 'Declined 05, response lost at once', '05'],
  wrongCurrency: ['4000000000002206', 'Approved in another currency'],
  lateApproval: ['4000000000002305', 'Response lost, and the hold turns up late'],
  veryLateApproval: ['4000000000003303', 'The hold turns up when nobody expects it'],
  inquiryUnanswered: ['4000000000002404', 'Money held, but no inquiry is answered'],
  reversalFails: ['4000000000002503', 'The same, and the reversal is declined 12', '12'],
  voidFails: ['4000000000002602', 'Approved; a void is declined 12', '12'],
  voidTimesOutOnce: ['4000000000002701', 'Approved; the first void is not answered'],
  voidNotProcessedOnce: ['4000000000002800', 'Approved; the first void is not processed'],
  voidMeetsCapture: [
    '4000000000002909',
    'Approved; a void finds it captured already',
    ALREADY_CAPTURED,
  ],
  captureFails: ['4000000000003006', 'Approved; the capture is declined 51', '51'],
  captureTimesOutOnce: ['4000000000003105', 'Approved; the first capture is not answered'],
  captureNotProcessedOnce: ['4000000000003204', 'Approved; the first capture is not processed'],
} as const;

/** What the simulator does with a card. */
export type CardOutcome = 'approved' | 'declined' | keyof typeof special;

/**
 * The cards that the simulator knows. No issuer gives out these numbers. It approves every other
 * valid number.
 */
export const simulatedCards: readonly SimulatedCard[] = [
  approved('4111111111111111'),
  approved('4242424242424242'),
  approved('4012888888881881'),
  approved('4000056655665556', 'Approved, debit'),
  approved('5555555555554444'),
  approved('5105105105105100', 'Approved, prepaid'),
  approved('2223003122003222', 'Approved, number beginning with 2'),
  approved('378282246310005', 'Approved, 15 digits, security code of 4'),
  approved('371449635398431', 'Approved, number beginning with 37'),
  approved('341111111111111', 'Approved, number beginning with 34'),
  approved('6011111111111117'),
  approved('6011000990139424'),
  approved('30569309025904', 'Approved, 14 digits'),
  approved('36227206271667', 'Approved, number beginning with 36'),
  approved('3056930009020004', 'Approved, 16 digits'),
  approved('3530111333300000'),
  approved('6200000000000005'),
  approved('6205500000000000004', 'Approved, 19 digits'),
  approved('6759649826438453'),
  approved('6799990100000000019', 'Approved, 19 digits'),
  declined('4000000000000002', '05'),
  declined('378734493671000', '05'),
  declined('4000000000000010', '01'),
  declined('4000000000000028', '14'),
  declined('4000000000009987', '41'),
  declined('4000000000009979', '43'),
  declined('4000000000009995', '51'),
  declined('5200828282828210', '51'),
  declined('4000000000000069', '54'),
  declined('6011000000000004', '54'),
  declined('3566002020360505', '57'),
  declined('4100000000000019', '59'),
  declined('4000000000006975', '61'),
  declined('6200000000000047', '62'),
  declined('4000000000000101', '63'),
  declined('4000000000000036', '65'),
  declined('4000000000000093', '78'),
  declined('4000000000000127', '82'),
  declined('4000000000000044', '91'),
  declined('4000000000000119', '96'),
  approved('4000000000000077', 'Approved after three seconds', { latencyMs: 3_000 }),
  declined('5431111111111111', '05', 2_000),
  ...Object.entries(special).map(([outcome, [number, description, isoCode = null]]) =>
    card(number, outcome as CardOutcome, description, { isoCode }),
  ),
];
