import type { Cause, PaymentState } from './lifecycle.ts';

export const stateTexts: Readonly<Record<PaymentState, string>> = {
  PENDING: 'The payment is recorded, and the processor is being called.',
  AUTHORIZED: 'The money is on hold, for five minutes unless the payment is applied to a check.',
  DENIED: 'Refused by the issuer or a risk rule. Nothing is on hold.',
  ABORTED: 'The processor did nothing. You can send the same `paymentUuid` again.',
  UNKNOWN: 'The outcome is unknown, and the platform is asking the processor.',
  REVERSAL_PENDING: 'Any hold that the attempt may have left is being reversed.',
  REVERSED: 'The outcome could not be determined in time. Nothing is on hold.',
  APPLIED: 'Applied to a check. The money is on hold for at most seven days.',
  CAPTURE_SCHEDULED: 'The order is fulfilled. The money is captured at the closeout.',
  CAPTURE_PENDING: 'The money is being captured.',
  CAPTURED: 'The money was captured.',
  VOID_PENDING: 'The hold is being voided.',
  VOIDED: 'The hold was voided.',
  REVIEW: 'The processor refused, did something else, or lost the hold. A person must decide.',
};

export const causeTexts: Readonly<Record<Cause, string>> = {
  submitted: 'A valid PUT with a new `paymentUuid`.',
  riskRefused: 'A risk rule or velocity limit refused the payment.',
  approved: 'The processor approved this attempt, amount, and currency.',
  declined: 'The issuer declined.',
  notProcessed: 'The processor did nothing, for example because it could not be reached.',
  outcomeLost:
    'A timeout, an invalid response, approval of another amount or currency, or a crash.',
  submittedAgain: 'The same PUT was sent again. This is the next attempt.',
  inquiryApproved: 'An inquiry found an approval within five minutes of the attempt.',
  inquiryApprovedLate: 'An inquiry found an approval more than five minutes after the attempt.',
  inquiryDeclined: 'An inquiry found a decline.',
  inquiryNotFound: 'The processor does not know the call 20 seconds after it was sent.',
  inquiryGivenUp: 'No outcome within 60 seconds, or another amount or currency was approved.',
  reversalAcknowledged: 'The processor released the hold, or knows of none.',
  reversalDeclined: 'The processor refused the reversal.',
  lateApproval: 'An attempt that the processor did not know holds money after all.',
  appliedToCheck: 'An order or an outside order system applied the payment to a check.',
  applyDeadlinePassed: 'The payment was not applied to a check within five minutes.',
  voidedOnPointOfSale: 'The payment or its order was voided at the restaurant.',
  voidedByPartner: 'The partner voided its payment before it was applied to a check.',
  orderFulfilled: 'The order was fulfilled.',
  tipChanged: 'The tip changed, so another sum will be captured.',
  captureDeadlinePassed:
    'Seven days passed without a capture, or the processor does not know the capture.',
  captureTimeReached: 'The business day closed out.',
  captureRequested: 'The restaurant requested the capture now.',
  captureAcknowledged: 'The processor captured the money.',
  captureDeclined: 'The processor refused the capture, or does not know the hold.',
  captureMismatch: 'The processor captured another amount or currency.',
  voidAcknowledged:
    'The processor released the hold, or knows of none, and no capture was started.',
  foundCaptured: 'The processor reports that the money was captured.',
  voidDeclined: 'The processor refused the void.',
  holdNotFound:
    'The processor knows neither the hold nor a capture that was started, which may still happen.',
};
