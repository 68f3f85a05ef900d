import type { Cause, PaymentState } from './lifecycle.ts';

/** What each state says of the money, in words for docs/payments.md. */
export const stateTexts: Readonly<Record<PaymentState, string>> = {
  PENDING: 'The intent is recorded and the processor is being asked.',
  AUTHORIZED: 'The money is on hold, for five minutes unless a check takes the payment.',
  DENIED: 'Refused by the issuer or by a risk rule. Nothing is held.',
  ABORTED: 'The processor surely did nothing. The same `paymentUuid` may be sent again.',
  UNKNOWN: 'The processor was asked and nobody knows what it did: it is being inquired.',
  REVERSAL_PENDING: 'Whatever the attempt may hold is being given up.',
  REVERSED: 'The outcome could not be learnt in time; nothing is held any more.',
  APPLIED: 'A check took the payment. The money is on hold for seven days at most.',
  CAPTURE_SCHEDULED: 'The order is fulfilled; the money is taken at the close-out.',
  CAPTURE_PENDING: 'The money is being taken.',
  CAPTURED: 'The money was taken.',
  VOID_PENDING: 'The hold is being given back.',
  VOIDED: 'The hold was given back.',
  REVIEW:
    'The processor refused what has to be, did something else, or forgot: a person decides, and ' +
    'there is an alarm.',
};

/** What each cause means, in words for docs/payments.md; without one the types do not fit. */
export const causeTexts: Readonly<Record<Cause, string>> = {
  submitted: 'A valid PUT with a `paymentUuid` that was free.',
  riskRefused: 'A risk rule or a velocity limit refused; the processor is not asked.',
  approved: 'The processor approved this attempt, amount and currency.',
  declined: 'The issuer refused.',
  notProcessed: 'The processor surely did nothing, for example because it could not be reached.',
  outcomeLost:
    'A time-out, an answer that makes no sense or is about other money, or a process that died ' +
    'while it asked.',
  submittedAgain: 'The same PUT came again: the next attempt, under a key of its own.',
  inquiryApproved: 'An inquiry found an approval, within five minutes of the attempt.',
  inquiryApprovedLate: 'An inquiry found an approval later than that: nobody waits for it.',
  inquiryDeclined: 'An inquiry found a refusal.',
  inquiryNotFound: 'The processor knows of no such call, 20 seconds after it was sent or later.',
  inquiryGivenUp:
    'The outcome could not be learnt within 60 seconds, or another amount or currency was ' +
    'approved.',
  reversalAcknowledged: 'The processor gave the hold up, or knows of none.',
  reversalDeclined: 'The processor refused to give the hold up.',
  lateApproval: 'An attempt that was not known holds money after all.',
  appliedToCheck: 'The orders side applied the payment to a check.',
  applyDeadlinePassed: 'No check took the payment within five minutes.',
  voidedOnPointOfSale: 'The orders side voided the payment.',
  orderFulfilled: 'The orders side says that the order is fulfilled.',
  captureDeadlinePassed:
    'Seven days have passed and no capture was sent, or the processor never heard of the one ' +
    'that was.',
  captureTimeReached: 'The close-out of the business day has come.',
  captureRequested: 'The orders side wants the money now.',
  captureAcknowledged: 'The processor took the money.',
  captureDeclined: 'The processor refused to take the money, or does not know the hold.',
  captureMismatch: 'The processor took another amount or currency than it was asked for.',
  voidAcknowledged: 'The processor gave the hold back, or knows of none, and no capture was begun.',
  foundCaptured: 'The processor says that the money was taken.',
  voidDeclined: 'The processor refused to give the hold back.',
  holdNotFound:
    'The processor knows neither the hold nor the capture that was begun before: that may still ' +
    'take effect.',
};
