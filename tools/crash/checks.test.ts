import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerEntry } from '@servery/card-simulator/ledger.ts';
import { checkAnswers } from './check-answers.ts';
import { checkEvents } from './check-events.ts';
import { checkLedgers } from './check-ledgers.ts';
import type { Operation } from './history.ts';
import { movedClock } from './moved-clock.ts';
import type { StoredEvent, StoredPayment } from './payment-store.ts';
import { countLedger, isHeld } from './processor-ledger.ts';
import type { Violation } from './violation.ts';

const key = { merchantGuid: 'm', paymentUuid: 'p' };
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));

/** A payment that was authorized, applied, fulfilled and captured, with changes. */
function captured(changes: Partial<StoredPayment> = {}): StoredPayment {
  return {
    ...key,
    ...{ paymentId: 'id', state: 'CAPTURED', version: 6, attempt: 1, currencyCode: 'USD' },
    ...{ totalMinor: 1200, capturedMinor: 1200, authorizationCode: '123456', checkGuid: 'c' },
    ...{ applyDeadline: at(5), captureDeadline: at(50), captureAt: at(10) },
    ...changes,
  };
}

const steps: readonly (readonly [StoredEvent['fromState'], string, StoredEvent['toState']])[] = [
  ['NEW', 'submitted', 'PENDING'],
  ['PENDING', 'approved', 'AUTHORIZED'],
  ['AUTHORIZED', 'appliedToCheck', 'APPLIED'],
  ['APPLIED', 'orderFulfilled', 'CAPTURE_SCHEDULED'],
  ['CAPTURE_SCHEDULED', 'captureTimeReached', 'CAPTURE_PENDING'],
  ['CAPTURE_PENDING', 'captureAcknowledged', 'CAPTURED'],
];

/** The events of that payment, one every three minutes. */
function events(change: (event: StoredEvent) => StoredEvent = (event) => event): StoredEvent[] {
  return steps.map(([fromState, cause, toState], index) =>
    change({
      ...key,
      ...{ version: index + 1, fromState, cause, toState, attempt: 1, occurredAt: at(3 * index) },
    }),
  );
}

const authorized: LedgerEntry = {
  type: 'authorized',
  hold: {
    ...{ key: 'auth:id:1', paymentId: 'id', merchantGuid: 'm', amountMinor: 1200 },
    ...{ currencyCode: 'USD', brand: 'VISA', last4: '1111' },
  },
  answer: {
    ...{ outcome: 'approved', authorizationCode: '123456', amountMinor: 1200 },
    ...{ currencyCode: 'USD', reference: 'r' },
  },
  conduct: null,
};

function moved(type: 'captured' | 'voided', amountMinor = 0): LedgerEntry {
  const { answer } = authorized as Extract<LedgerEntry, { type: 'authorized' }>;
  return { type, key: `${type}:id`, authorizationKey: 'auth:id:1', amountMinor, answer };
}

const takenOnce = [authorized, moved('captured', 1200)];
const named = (violations: readonly Violation[]) =>
  violations.map(({ rule, text }) => `${rule}: ${text}`);

test('crash PAY-I8: a payment and its capture on both sides agree', () => {
  assert.deepEqual(checkLedgers([captured()], countLedger(takenOnce)), []);
});

test('crash PAY-I1 PAY-I4 PAY-I8: every disagreement of the two ledgers is a violation', () => {
  const find = (payment: StoredPayment[], entries: LedgerEntry[]) =>
    named(checkLedgers(payment, countLedger(entries))).join('\n');
  assert.match(find([], takenOnce), /I8: the processor has auth:id:1 of a payment that we do not/);
  assert.match(find([captured()], [authorized]), /I8: CAPTURED, but the processor holds auth/);
  assert.match(find([captured()], [authorized]), /I8: CAPTURED 1200, the processor took 0/);
  assert.match(find([captured()], []), /I8: has the code 123456, the processor gave null/);
  const twice = [...takenOnce, moved('captured', 1200)];
  assert.match(find([captured()], twice), /I1: 2 captures/);
  assert.match(find([captured()], [...takenOnce, moved('voided')]), /I4: .* captured and voided/);
  assert.match(find([captured()], [authorized, moved('captured', 1201)]), /I4: .* more was/);
  assert.match(find([captured({ totalMinor: 1300 })], takenOnce), /I8: auth:id:1 is of 1200/);
  const voided = captured({ state: 'VOIDED', capturedMinor: null });
  assert.match(find([voided], [authorized]), /I8: VOIDED, but the processor voided nothing/);
  assert.deepEqual(find([voided], [authorized, moved('voided')]), '');
  const denied = captured({ state: 'DENIED', capturedMinor: null });
  assert.match(find([denied], [authorized, moved('voided')]), /I8: DENIED what the processor/);
  const applied = captured({ state: 'APPLIED', capturedMinor: null });
  assert.match(find([applied], [authorized]), /I3: is still APPLIED when all is quiet/);
});

test('crash: a late hold counts from the question at which it turns up', () => {
  const entry = authorized as Extract<LedgerEntry, { type: 'authorized' }>;
  const late: LedgerEntry = { type: 'late', entry, questions: 2 };
  const missed: LedgerEntry = { type: 'missed', key: 'auth:id:1' };
  assert.deepEqual(countLedger([late, missed]), []);
  assert.equal(countLedger([late, missed, missed]).filter(isHeld).length, 1);
});

test('crash PAY-I5: a whole chain of legal events is none', () => {
  assert.deepEqual(checkEvents([captured()], events()), []);
});

test('crash PAY-I3 PAY-I5: gaps, illegal changes and early deadlines are violations', () => {
  const find = (change: (event: StoredEvent) => StoredEvent, payment = captured()) =>
    named(checkEvents([payment], events(change))).join('\n');
  const all = (event: StoredEvent) => event;
  const gap = (event: StoredEvent) =>
    event.version > 3 ? { ...event, version: event.version + 1 } : event;
  assert.match(find(gap), /I5: version 5 follows 3/);
  const jump = (event: StoredEvent): StoredEvent =>
    event.version === 4 ? { ...event, fromState: 'AUTHORIZED' } : event;
  assert.match(find(jump), /I5: AUTHORIZED → CAPTURE_SCHEDULED follows the state APPLIED/);
  assert.match(find(jump), /I5: AUTHORIZED → CAPTURE_SCHEDULED is not legal/);
  assert.match(find(all, captured({ version: 7 })), /I5: the row says CAPTURED in version 7/);
  assert.match(find(all, captured({ captureAt: at(30) })), /I3: captureTimeReached at .* due/);
  assert.match(named(checkEvents([], events())).join(), /I5: has events but no row/);
});

/** An answer of the server to one operation on the payment. */
function answer(kind: Operation['kind'], rest: Partial<Operation>): Operation {
  return {
    ...{ client: 'c', server: 's', kind, ...key, argument: '', startUs: 0, endUs: 1 },
    ...{ status: 200, state: null, version: null, body: null },
    ...rest,
  };
}

test('crash PAY-I2: what was answered is in the events', () => {
  const body = '{"authorizationCode":"123456"}';
  const operations = [
    answer('put', { state: 'AUTHORIZED', body }),
    answer('apply', { state: 'APPLIED', version: 3 }),
    answer('capture', { state: 'CAPTURED', version: 6 }),
    answer('void', { status: 409 }),
    answer('put', { status: null }),
  ];
  assert.deepEqual(checkAnswers(operations, [captured()], events()), []);
});

test('crash PAY-I2 PAY-I6: answers that nothing bears out, or that differ, are violations', () => {
  const find = (operations: Operation[], payments = [captured()], history = events()) =>
    named(checkAnswers(operations, payments, history)).join('\n');
  const put = answer('put', { state: 'AUTHORIZED', body: '{"authorizationCode":"123456"}' });
  assert.match(find([put], []), /I2: put was answered AUTHORIZED, but there is no such payment/);
  assert.match(find([put], [captured()], []), /I2: was answered AUTHORIZED, but never was/);
  const other = { ...put, body: '{"authorizationCode":"654321"}' };
  assert.match(find([other]), /I2: was answered the code 654321, not 123456/);
  assert.match(find([put, other]), /I6: 2 different answers say AUTHORIZED/);
  const early = answer('apply', { state: 'APPLIED', version: 2 });
  assert.match(find([early]), /I2: apply was answered APPLIED in version 2, which was AUTHORIZED/);
  const lost = answer('void', { state: 'CAPTURED', version: 6 });
  assert.match(find([lost]), /I2: void was acknowledged, but it never became VOID_PENDING/);
  assert.match(find([answer('put', { status: 422, body: 'no' })]), /answer: .* answered 422: no/);
});

test('crash: the moved clock is bounded by its moves, known and lost', () => {
  const second = 1_000_000;
  const known = { startUs: 10 * second, endUs: 12 * second, byMs: 60_000, isKnown: true };
  const lost = { startUs: 20 * second, endUs: 21 * second, byMs: 30_000, isKnown: false };
  const clock = movedClock([known, lost]);
  assert.ok(clock.atMostMs(5 * second) < 6_000);
  assert.ok(clock.atMostMs(11 * second) > 70_000, 'it may have moved already');
  assert.ok(clock.atLeastMs(11 * second) < 12_000, 'it may not have moved yet');
  assert.ok(clock.atLeastMs(13 * second) > 70_000);
  assert.ok(clock.atMostMs(22 * second) > 110_000, 'what was lost may have happened');
  assert.ok(clock.atLeastMs(22 * second) < 83_000, 'or not');
  const from = clock.mayShowFromUs(100_000, 13 * second);
  assert.equal(from, 20 * second, 'only the second move can bring it there');
  assert.ok(clock.mayShowFromUs(1_000, 5 * second) === 5 * second);
});
