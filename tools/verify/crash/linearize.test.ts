import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClockMove, Operation } from './history.ts';
import { judgeHistory, type PaymentEnd } from './linearize.ts';
import { movedClock } from './moved-clock.ts';

/** What an operation of a test has beside its kind and its times, which are in milliseconds. */
type Rest = Partial<Pick<Operation, 'argument' | 'status' | 'state' | 'version'>>;

function operation(
  kind: Operation['kind'],
  [startMs, endMs]: readonly [number, number],
  rest: Rest = {},
): Operation {
  return {
    ...{ client: 'c', server: 's', kind, merchantGuid: 'm', paymentUuid: 'p', argument: '' },
    startUs: startMs * 1000,
    endUs: endMs * 1000,
    ...{ status: 200, state: null, version: null, body: null },
    ...rest,
  };
}

const put = (times: readonly [number, number], state: Operation['state'], content = 'a') =>
  operation('put', times, { state, argument: content });
const lostPut = (times: readonly [number, number], content = 'a') =>
  operation('put', times, { status: null, argument: content });
const read = (
  times: readonly [number, number],
  state: Operation['state'],
  version: number | null = null,
) => operation('read', times, { state, version });
const refused = (kind: Operation['kind'], times: readonly [number, number], argument = '') =>
  operation(kind, times, { status: 409, argument });

function judge(
  operations: readonly Operation[],
  state: PaymentEnd['state'],
  version: number,
  moves: readonly ClockMove[] = [],
) {
  return judgeHistory(operations, movedClock(moves), { state, version });
}

const leap = (startMs: number, endMs: number, byMs: number): ClockMove => ({
  startUs: startMs * 1000,
  endUs: endMs * 1000,
  byMs,
  isKnown: true,
});
const MINUTES_5 = 5 * 60_000;
const DAYS_7 = 7 * 24 * 3_600_000;

const sound: Record<string, ReturnType<typeof judge>> = {
  'one PUT': judge([put([0, 5], 'AUTHORIZED')], 'AUTHORIZED', 2),
  'nothing at all': judge([], 'NEW', 0),
  'a PUT that was lost and never arrived': judge([lostPut([0, 5])], 'NEW', 0),
  'a PUT that was lost and arrived': judge([lostPut([0, 5])], 'DENIED', 2),
  'a repeat that is shown what is under way': judge(
    [put([0, 9], 'AUTHORIZED'), put([1, 3], 'ACKNOWLEDGED')],
    'AUTHORIZED',
    2,
  ),
  'a lost PUT that takes effect after a read that knew nothing': judge(
    [lostPut([0, 5]), operation('read', [6, 7], { status: 404 }), put([8, 9], 'AUTHORIZED')],
    'AUTHORIZED',
    2,
  ),
  'of two different PUTs the later one wins': judge(
    [refused('put', [0, 9], 'a'), put([1, 8], 'AUTHORIZED', 'b')],
    'AUTHORIZED',
    2,
  ),
  'a second attempt after one that was not processed': judge(
    [operation('put', [0, 5], { status: 500, argument: 'a' }), put([6, 9], 'AUTHORIZED')],
    'AUTHORIZED',
    4,
  ),
  'a whole life': judge(
    [
      put([0, 5], 'AUTHORIZED'),
      operation('apply', [6, 7], { argument: 'check', state: 'APPLIED', version: 3 }),
      operation('fulfil', [8, 9], { state: 'CAPTURE_SCHEDULED', version: 4 }),
      operation('capture', [10, 11], { state: 'CAPTURED', version: 6 }),
      refused('put', [12, 13], 'a'),
    ],
    'CAPTURED',
    6,
  ),
  'a void whose answer was lost, and its repeat': judge(
    [
      put([0, 5], 'AUTHORIZED'),
      operation('void', [6, 7], { argument: 'r', status: 503 }),
      operation('void', [8, 9], { argument: 'r', state: 'VOIDED', version: 4 }),
    ],
    'VOIDED',
    4,
  ),
  'a deadline that passed because the clock was moved': judge(
    [put([0, 5], 'AUTHORIZED'), read([12, 13], 'VOIDED', 4)],
    'VOIDED',
    4,
    [leap(6, 10, MINUTES_5)],
  ),
  'a deadline that may have passed with a move under way': judge(
    [put([0, 5], 'AUTHORIZED'), refused('apply', [8, 9], 'check')],
    'VOIDED',
    4,
    [leap(6, 20, MINUTES_5)],
  ),
  'a void that came before an apply that is refused': judge(
    [
      put([0, 5], 'AUTHORIZED'),
      refused('apply', [6, 20], 'check'),
      operation('void', [6, 20], { argument: 'r', state: 'VOID_PENDING', version: 3 }),
    ],
    'VOIDED',
    4,
  ),
  'a read that begins after the void that it comes before': judge(
    [
      put([0, 5], 'AUTHORIZED'),
      operation('apply', [6, 7], { argument: 'check', state: 'APPLIED', version: 3 }),
      operation('fulfil', [8, 20], { status: null }),
      operation('void', [8, 30], { argument: 'r', state: 'VOIDED', version: 5 }),
      read([9, 15], 'APPLIED', 3),
    ],
    'VOIDED',
    5,
  ),
  '64 identical PUTs at once': judge(
    Array.from({ length: 64 }, (_, index) =>
      put([0, 100 + index], index % 2 ? 'ACKNOWLEDGED' : 'AUTHORIZED'),
    ),
    'AUTHORIZED',
    2,
  ),
  '64 different PUTs at once': judge(
    Array.from({ length: 64 }, (_, index) =>
      index === 40 ? put([0, 100], 'AUTHORIZED', `${index}`) : refused('put', [0, 99], `${index}`),
    ),
    'AUTHORIZED',
    2,
  ),
};

const broken: Record<string, ReturnType<typeof judge>> = {
  'an answer that the next one does not know': judge(
    [put([0, 5], 'AUTHORIZED'), put([6, 7], 'ACKNOWLEDGED')],
    'AUTHORIZED',
    2,
  ),
  'an authorization that ended as never asked for': judge([put([0, 5], 'AUTHORIZED')], 'NEW', 0),
  'an authorization that ended as aborted': judge([put([0, 5], 'AUTHORIZED')], 'ABORTED', 2),
  'two contents that both won': judge(
    [put([0, 5], 'AUTHORIZED', 'a'), put([0, 5], 'AUTHORIZED', 'b')],
    'AUTHORIZED',
    2,
  ),
  'a repeat of the same content that is refused': judge(
    [put([0, 5], 'AUTHORIZED'), refused('put', [6, 7], 'a')],
    'AUTHORIZED',
    2,
  ),
  'a void and a fulfilment that were both acknowledged': judge(
    [
      put([0, 5], 'AUTHORIZED'),
      operation('apply', [6, 7], { argument: 'check', state: 'APPLIED', version: 3 }),
      operation('fulfil', [8, 20], { state: 'CAPTURE_SCHEDULED', version: 4 }),
      operation('void', [8, 20], { argument: 'r', state: 'VOID_PENDING', version: 4 }),
    ],
    'VOIDED',
    5,
  ),
  'an apply that took two checks': judge(
    [
      put([0, 5], 'AUTHORIZED'),
      operation('apply', [6, 7], { argument: 'one', state: 'APPLIED', version: 3 }),
      operation('apply', [8, 9], { argument: 'other', state: 'APPLIED', version: 3 }),
    ],
    'APPLIED',
    3,
  ),
  'an apply that is forgotten': judge(
    [
      put([0, 5], 'AUTHORIZED'),
      operation('apply', [6, 7], { argument: 'check', state: 'APPLIED', version: 3 }),
      read([8, 9], 'AUTHORIZED', 2),
    ],
    'APPLIED',
    3,
  ),
  'a deadline that acts before its time': judge(
    [put([0, 5], 'AUTHORIZED'), read([12, 13], 'VOIDED', 4)],
    'VOIDED',
    4,
    [leap(6, 10, MINUTES_5 - 10_000)],
  ),
  'an applied payment that is voided before seven days': judge(
    [
      put([0, 5], 'AUTHORIZED'),
      operation('apply', [6, 7], { argument: 'check', state: 'APPLIED', version: 3 }),
      read([12, 13], 'VOIDED', 5),
    ],
    'VOIDED',
    5,
    [leap(8, 10, DAYS_7 - 10_000)],
  ),
  'an apply that is refused before the deadline': judge(
    [put([0, 5], 'AUTHORIZED'), refused('apply', [6, 7], 'check'), read([8, 9], 'AUTHORIZED', 2)],
    'AUTHORIZED',
    2,
  ),
  'a void of what is captured already': judge(
    [
      put([0, 5], 'AUTHORIZED'),
      operation('apply', [6, 7], { argument: 'check', state: 'APPLIED', version: 3 }),
      operation('fulfil', [8, 9], { state: 'CAPTURE_SCHEDULED', version: 4 }),
      operation('capture', [10, 11], { state: 'CAPTURED', version: 6 }),
      operation('void', [12, 13], { argument: 'r', state: 'VOIDED', version: 8 }),
    ],
    'CAPTURED',
    6,
  ),
  'a request that has its effect twice': judge(
    [operation('put', [0, 5], { status: 500, argument: 'a' })],
    'AUTHORIZED',
    4,
  ),
  'an end of which no step leads to': judge([put([0, 5], 'DENIED')], 'CAPTURED', 6),
};

for (const [name, judgement] of Object.entries(sound)) {
  test(`crash: a history has an order: ${name}`, () => {
    assert.deepEqual(judgement, { isLinearizable: true });
  });
}

for (const [name, judgement] of Object.entries(broken)) {
  test(`crash: a history has no order: ${name}`, () => {
    assert.equal(judgement.isLinearizable, false);
    assert.match('complaint' in judgement ? judgement.complaint : '', /^no order/);
  });
}
