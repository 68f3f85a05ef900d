import {
  type CardOutcome,
  type SimulatedCard,
  simulatedCards,
} from '@servery/card-simulator/simulated-cards.ts';
import { denialFor } from '../life/denials.ts';
import type { PaymentState, WireState } from '../life/lifecycle.ts';

/** Where a payment ends up when nobody acts on it. */
type SettledState = Extract<
  PaymentState,
  'AUTHORIZED' | 'DENIED' | 'ABORTED' | 'REVERSED' | 'REVIEW'
>;

export interface TestCard extends SimulatedCard {
  readonly guestText: string | null;
  readonly staffText: string | null;
  readonly status: 200 | 500;
  readonly paymentState: WireState | null;
  /** The state that the payment reaches by itself before its apply deadline. */
  readonly settles: SettledState;
  readonly whenVoided: 'VOIDED' | 'REVIEW' | null;
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

/** Used by the docs, `demo.json` and the tests (PAY-11). */
export const testCards: readonly TestCard[] = simulatedCards.map(testCardOf);
