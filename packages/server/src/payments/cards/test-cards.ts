import {
  type CardOutcome,
  type SimulatedCard,
  simulatedCards,
} from '@servery/card-simulator/simulated-cards.ts';
import { denialFor } from '../life/denials.ts';
import type { PaymentState } from '../life/lifecycle.ts';
import type { CardData } from './card-data.ts';

/** The state that the payment reaches by itself before its apply deadline, if not AUTHORIZED. */
const settledOtherwise: { readonly [Outcome in CardOutcome]?: PaymentState } = {
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

function firstState(outcome: CardOutcome) {
  if (outcome === 'declined') return 'DENIED';
  if (outcome === 'notProcessed' || outcome === 'notProcessedOnce') return null;
  return outcome === 'approved' || /^(void|capture)/.test(outcome) ? 'AUTHORIZED' : 'ACKNOWLEDGED';
}

function testCardOf(card: SimulatedCard) {
  const { outcome, isoCode, description } = card;
  const denial = outcome === 'declined' && isoCode !== null ? denialFor(isoCode) : null;
  const paymentState = firstState(outcome);
  const settles = settledOtherwise[outcome] ?? 'AUTHORIZED';
  const isHeld = settles === 'AUTHORIZED';
  const isVoidRefused = outcome === 'voidFails' || outcome === 'voidMeetsCapture';
  const whenVoided = isVoidRefused ? 'REVIEW' : 'VOIDED';
  const whenCaptured = outcome === 'captureFails' ? 'REVIEW' : 'CAPTURED';
  return {
    ...card,
    description: denial ? `${description}: ${denial.staffText}` : description,
    guestText: denial?.guestText ?? null,
    staffText: denial?.staffText ?? null,
    status: paymentState === null ? 500 : 200,
    paymentState,
    settles,
    whenVoided: isHeld ? whenVoided : null,
    whenCaptured: isHeld ? whenCaptured : null,
  } as const;
}

export type TestCard = ReturnType<typeof testCardOf>;

/** Used by the docs, `demo.json` and the tests (PAY-11). */
export const testCards: readonly TestCard[] = simulatedCards.map(testCardOf);

const byNumber = new Map(testCards.map((card) => [card.number, card]));

/** Null for a card that is none of them. */
export function describeTestCard(card: CardData): string | null {
  return byNumber.get(card.reveal().cardNumber)?.description ?? null;
}
