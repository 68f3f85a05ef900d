import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newRandomId } from '@servery/support/ids.ts';
import { PROCESSOR_DEADLINE_MS } from '../../src/payments/authorize/authorize.ts';
import { type TestCard, testCards } from '../../src/payments/cards/test-cards.ts';
import { openPaymentFixture, type PaymentFixture, TestTimer } from './fixture.ts';
import { listAttempts } from './fixture-store.ts';

let fixture: PaymentFixture;
let isSilent = false;
before(async () => {
  // A slow card answers at once; the deadline passes only where the processor never answers.
  const timer = new TestTimer((durationMs) =>
    durationMs === PROCESSOR_DEADLINE_MS ? isSilent : durationMs < PROCESSOR_DEADLINE_MS,
  );
  fixture = await openPaymentFixture({ timer });
});
after(() => fixture.close());

const attemptOutcomes: Record<TestCard['outcome'], string> = {
  approved: 'APPROVED',
  declined: 'DECLINED',
  notProcessed: 'NOT_PROCESSED',
  notProcessedOnce: 'NOT_PROCESSED',
  timeOutAfterHold: 'UNKNOWN',
  timeOutBeforeHold: 'UNKNOWN',
  lostAnswerAfterHold: 'UNKNOWN',
  lostAnswerBeforeHold: 'UNKNOWN',
  wrongAmount: 'UNKNOWN',
  wrongCurrency: 'UNKNOWN',
  brokenAnswerAfterHold: 'UNKNOWN',
  lostAnswerAfterDecline: 'UNKNOWN',
  lateApproval: 'UNKNOWN',
  veryLateApproval: 'UNKNOWN',
  inquiryUnanswered: 'UNKNOWN',
  reversalFails: 'UNKNOWN',
  voidFails: 'APPROVED',
  voidTimesOutOnce: 'APPROVED',
  voidNotProcessedOnce: 'APPROVED',
  voidMeetsCapture: 'APPROVED',
  captureFails: 'APPROVED',
  captureTimesOutOnce: 'APPROVED',
  captureNotProcessedOnce: 'APPROVED',
};

/** Outcomes that leave nothing held at the first call. */
const withoutHold: readonly TestCard['outcome'][] = [
  'declined',
  'lostAnswerAfterDecline',
  'timeOutBeforeHold',
  'lostAnswerBeforeHold',
  'lateApproval',
  'veryLateApproval',
  'notProcessed',
  'notProcessedOnce',
];

function holds({ outcome }: TestCard): boolean {
  return !withoutHold.includes(outcome);
}

function heldCount(): number {
  return fixture.processor.ledger().filter((hold) => hold.state === 'HELD').length;
}

for (const row of testCards) {
  const title = `${row.number} ${row.brand}: ${row.description}`;
  test(`creditCards.authorize ${row.status} test card ${title}`, async () => {
    const paymentUuid = newRandomId();
    const held = heldCount();
    isSilent = row.outcome.startsWith('timeOut');
    const cvv = '1234'.slice(0, row.cvvLength);
    const body = await fixture.body({ cardNumber: row.number, clearText: { cvv } });
    const answer = await fixture.put({ paymentUuid, body });
    assert.equal(answer.status, row.status);
    assert.equal(answer.body.paymentState ?? null, row.paymentState);
    assert.equal(answer.body.denialReason ?? null, row.guestText);
    const brand = row.paymentState === 'AUTHORIZED' ? row.brand : undefined;
    assert.equal(answer.body.authorizationMetadata?.cardBrand, brand);
    assert.equal(heldCount() - held, holds(row) ? 1 : 0);
    const attempts = await listAttempts(fixture.database.sql, fixture.merchant.guid, paymentUuid);
    assert.deepEqual(
      attempts.map((attempt) => attempt.outcome),
      [attemptOutcomes[row.outcome]],
    );
  });
}
