// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/payments';
const OFFICE = 'packages/server/src/backoffice';
const TESTS = 'packages/server/test/payments';
const SETTLE = `${TESTS}/settle.test.ts`;
const ORDERS = `${TESTS}/orders.test.ts`;
const DUE_WORK = `${TESTS}/due-work.test.ts`;
const BACK_OFFICE = 'packages/server/test/backoffice/payments.test.ts';

/** Defects of who may move a payment, of what is recorded of it, and of who sees it. */
export const paymentMoveDefects: readonly Defect[] = [
  {
    name: 'life-lease-ignored',
    file: `${SOURCE}/due-store.ts`,
    find: ' and (lease_expires_at is null or lease_expires_at <= ${lease.realNow})\n      order',
    replace: '\n      order',
    why: 'Two processes would ask the processor about one payment at once.',
    caughtBy: { file: DUE_WORK, name: /createPaymentSweep I1: what one sweep works on/ },
  },
  {
    name: 'life-lease-over-at-once',
    file: `${SOURCE}/due-store.ts`,
    find: 'lease_expires_at = ${lease.expiresAt}',
    replace: 'lease_expires_at = ${lease.realNow}',
    why: 'Two processes would ask the processor about one payment at once.',
    caughtBy: { file: DUE_WORK, name: /createPaymentSweep I1: what one sweep works on/ },
  },
  {
    name: 'life-intent-without-lease',
    file: `${SOURCE}/intent.ts`,
    find: 'leaseExpiresAt: refusal ? null : lease.expiresAt,',
    replace: 'leaseExpiresAt: refusal ? null : now,',
    why: 'A payment would be inquired while its own call is still under way.',
    caughtBy: { file: SETTLE, name: /I8: whoever dies with a call under way/ },
  },
  {
    name: 'life-intent-never-due',
    file: `${SOURCE}/intent.ts`,
    find: 'dueAt: refusal ? null : now,',
    replace: 'dueAt: null,',
    why: 'What a process that died had begun would never be looked after.',
    caughtBy: { file: SETTLE, name: /I8: whoever dies with a call under way/ },
  },
  {
    name: 'life-ten-at-a-time',
    file: `${SOURCE}/sweep.ts`,
    find: 'if (rows.length < BATCH || batch === BATCHES_AT_MOST) return done;',
    replace: 'return done;',
    why: 'After an outage only ten payments would be settled four times a second.',
    caughtBy: { file: SETTLE, name: /I1: two sweeps at once do each piece of work/ },
  },
  {
    name: 'life-put-off-newer',
    file: `${SOURCE}/due-store.ts`,
    find: '\n      and version = ${expected.version}`;',
    replace: '`;',
    why: 'A slow process would set work going on a payment that is over.',
    caughtBy: { file: DUE_WORK, name: /settle I5: whoever comes too late/ },
  },
  {
    name: 'life-both-moves-count',
    file: `${SOURCE}/record.ts`,
    find: '  if (!inserted) return null;\n  const',
    replace: '  const',
    why: 'Whoever loses a race would get a failure instead of what is true now.',
    caughtBy: { file: DUE_WORK, name: /recordMove I5: of two moves of one version/ },
  },
  {
    name: 'life-lost-race-is-success',
    file: `${SOURCE}/orders.ts`,
    find: 'if (!recorded.isOurs) continue;',
    replace: '',
    why: 'The orders side would be told that its void was done although it was not.',
    caughtBy: { file: ORDERS, name: /409 I4: of a void and a fulfilment at once/ },
  },
  {
    name: 'life-alarm-with-move-lost',
    file: `${SOURCE}/record.ts`,
    find: 'alarm && insertAlarm(sql,',
    replace: 'false && insertAlarm(sql,',
    why: 'A payment would wait in REVIEW for a person whom nobody called.',
    caughtBy: { file: SETTLE, name: /I3: a void that is refused is for a person/ },
  },
  {
    name: 'life-alarm-not-raised',
    file: `${SOURCE}/settle.ts`,
    find: 'return isOurs && tries >= TRIES_BEFORE_ALARM &&',
    replace: 'return isOurs && tries < 0 &&',
    why: 'A processor that is away for days would be no alarm.',
    caughtBy: { file: SETTLE, name: /I3: what is not settled for minutes raises one/ },
  },
  {
    name: 'life-alarm-each-time',
    file: `${SOURCE}/settle.ts`,
    find: 'if (isRaised) tellAlarm',
    replace: 'if (tries >= TRIES_BEFORE_ALARM) tellAlarm',
    why: 'One payment would wake somebody every five minutes.',
    caughtBy: { file: DUE_WORK, name: /settle I3: a person is told once/ },
  },
  {
    name: 'life-other-check-accepted',
    file: `${SOURCE}/orders.ts`,
    find: 'payment.checkGuid === checkGuid && afterApplied',
    replace: 'afterApplied',
    why: 'Two checks would both count on the money of one payment.',
    caughtBy: { file: ORDERS, name: /409: another check is refused/ },
  },
  {
    name: 'life-void-reason-lost',
    file: `${SOURCE}/orders.ts`,
    find: '({ voidReason: reason, dueAt: new Date(nowMs) })',
    replace: '({ dueAt: new Date(nowMs) })',
    why: 'Nobody could tell later why a payment was voided.',
    caughtBy: { file: ORDERS, name: /200: the hold is given up at once/ },
  },
  {
    name: 'life-moves-past-deadline',
    file: `${SOURCE}/orders.ts`,
    find: 'return expired(payment, nowMs) ? [] : legalOrdersMoves(payment.state);',
    replace: 'return legalOrdersMoves(payment.state);',
    why: 'A check would take a payment that is about to be voided.',
    caughtBy: { file: ORDERS, name: /409 I3: nothing is legal past the deadline/ },
  },
  {
    name: 'life-moves-shown-past-deadline',
    file: `${OFFICE}/payments/present.ts`,
    find: 'legalMoves: legalMovesNow(payment, nowMs),',
    replace: 'legalMoves: legalMovesNow(payment, 0),',
    why: 'An orders system would be offered what is refused.',
    caughtBy: { file: BACK_OFFICE, name: /get 200 I3: it tells what may be done now/ },
  },
  {
    name: 'life-event-without-details',
    file: `${SOURCE}/record.ts`,
    find: 'details: move.details,',
    replace: 'details: null,',
    why: 'Nobody could tell later why the processor refused.',
    caughtBy: { file: BACK_OFFICE, name: /events 200 I5: each move of a payment/ },
  },
  {
    name: 'life-list-of-all-groups',
    file: `${SOURCE}/list-store.ts`,
    find: 'and (${managementGroupGuid}::uuid is null or merchant_guid in (',
    replace: 'and (${managementGroupGuid}::uuid is null or true or merchant_guid in (',
    why: 'A restaurant group would see what others take in.',
    caughtBy: { file: BACK_OFFICE, name: /list 200: a group sees the payments of its/ },
  },
  {
    name: 'life-page-by-instant-alone',
    file: `${SOURCE}/list-store.ts`,
    find: '(created_at, payment_uuid, merchant_guid) <',
    replace: '(created_at, null::uuid, null::uuid) <',
    why: 'Of payments of one instant those on the next page would be on none.',
    caughtBy: { file: BACK_OFFICE, name: /list 200: pages hold what the filter lets/ },
  },
  {
    name: 'life-page-without-filter',
    file: `${OFFICE}/list-query.ts`,
    find: '  return position;',
    replace: '  return { ...position, query: given };',
    why: 'From the second page on a list would hold what nobody asked for.',
    caughtBy: { file: BACK_OFFICE, name: /list 200: pages hold what the filter lets/ },
  },
  {
    name: 'life-page-of-other-query',
    file: `${OFFICE}/list-query.ts`,
    find: 'if (given[name] !== undefined && given[name] !== position.query[name]) {',
    replace: "if (given[name] === '') {",
    why: 'A client that mixes up two lists would not notice.',
    caughtBy: { file: BACK_OFFICE, name: /list 400: a page token goes with its own/ },
  },
];
