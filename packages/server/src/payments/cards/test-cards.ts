import {
  type CardOutcome,
  type SimulatedCard,
  simulatedCards,
} from '@servery/card-simulator/simulated-cards.ts';
import { denialFor } from '../life/denials.ts';
import type { PaymentState, WireState } from '../life/lifecycle.ts';

/** Where a payment's outcome settles while nobody does anything with it. */
export type SettledState = Extract<
  PaymentState,
  'AUTHORIZED' | 'DENIED' | 'ABORTED' | 'REVERSED' | 'REVIEW'
>;

/** A simulated card, and what the platform makes of a payment with it. */
export interface TestCard extends SimulatedCard {
  /** `denialReason` of a decline. */
  readonly guestText: string | null;
  readonly staffText: string | null;
  /** HTTP status of the first PUT with this card. */
  readonly status: 200 | 500;
  /** `paymentState` of the first PUT with this card, null when the answer is an error. */
  readonly paymentState: WireState | null;
  /** The state that the payment comes to by itself, before its apply deadline passes. */
  readonly settles: SettledState;
  /** What giving the hold up ends as; null when the payment is not authorized. */
  readonly whenVoided: 'VOIDED' | 'REVIEW' | null;
  /** What the capture ends as; null when the payment is not authorized. */
  readonly whenCaptured: 'CAPTURED' | 'REVIEW' | null;
}

function firstAnswer(outcome: CardOutcome): Pick<TestCard, 'status' | 'paymentState'> {
  if (outcome === 'declined') return { status: 200, paymentState: 'DENIED' };
  if (outcome === 'notProcessed' || outcome === 'notProcessedOnce') {
    return { status: 500, paymentState: null };
  }
  const isAtOnce = outcome === 'approved' || /^(void|capture)/.test(outcome);
  return { status: 200, paymentState: isAtOnce ? 'AUTHORIZED' : 'ACKNOWLEDGED' };
}

/** Where the outcomes settle that do not settle as an authorization. */
const settledOtherwise: { readonly [Outcome in CardOutcome]?: SettledState } = {
  declined: 'DENIED',
  lostAnswerAfterDecline: 'DENIED',
  timeOutBeforeHold: 'ABORTED',
  lostAnswerBeforeHold: 'ABORTED',
  notProcessed: 'ABORTED',
  notProcessedOnce: 'ABORTED',
  wrongAmount: 'REVERSED',
  wrongCurrency: 'REVERSED',
  veryLateApproval: 'REVERSED',
  inquiryUnanswered: 'REVERSED',
  reversalFails: 'REVIEW',
};

function laterLife(
  outcome: CardOutcome,
): Pick<TestCard, 'settles' | 'whenVoided' | 'whenCaptured'> {
  const settles = settledOtherwise[outcome] ?? 'AUTHORIZED';
  if (settles !== 'AUTHORIZED') return { settles, whenVoided: null, whenCaptured: null };
  const isVoidRefused = outcome === 'voidFails' || outcome === 'voidMeetsCapture';
  return {
    settles,
    whenVoided: isVoidRefused ? 'REVIEW' : 'VOIDED',
    whenCaptured: outcome === 'captureFails' ? 'REVIEW' : 'CAPTURED',
  };
}

function testCardOf(card: SimulatedCard): TestCard {
  const { outcome, isoCode, description } = card;
  const denial = outcome === 'declined' && isoCode !== null ? denialFor(isoCode) : null;
  return {
    ...card,
    description: denial ? `${description}: ${denial.staffText}` : description,
    guestText: denial?.guestText ?? null,
    staffText: denial?.staffText ?? null,
    ...firstAnswer(outcome),
    ...laterLife(outcome),
  };
}

/** The test cards of the documentation, of `demo.json` and of the tests (PAY-11). */
export const testCards: readonly TestCard[] = simulatedCards.map(testCardOf);
