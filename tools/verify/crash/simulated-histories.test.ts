import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation, OperationKind } from './history.ts';
import { judgeHistory } from './linearize.ts';
import { backgroundSteps, effectOf, explains, stepTo, untouched } from './model.ts';
import { movedClock } from './moved-clock.ts';
import { type Lots, lotsOf } from './random.ts';

const HISTORIES = 400;
const STEPS = 60;
const kinds: readonly OperationKind[] = [
  'put',
  'put',
  'apply',
  'fulfil',
  'void',
  'capture',
  'read',
];
const wire: Readonly<Record<string, Operation['state']>> = {
  ...{ PENDING: 'ACKNOWLEDGED', UNKNOWN: 'ACKNOWLEDGED', REVERSAL_PENDING: 'ACKNOWLEDGED' },
  ...{ AUTHORIZED: 'AUTHORIZED', APPLIED: 'AUTHORIZED', DENIED: 'DENIED', REVERSED: 'DENIED' },
};

/** A request under way: whether it may still have its effect, and its answer once it has one. */
interface UnderWay {
  operation: Operation;
  hadEffect: boolean;
  isAnswered: boolean;
}

/** Plays one payment with requests that overlap; gives what callers saw, and how it ended. */
function simulate(lots: Lots) {
  let payment = untouched;
  let nowUs = 1_000;
  const all: UnderWay[] = [];
  const open = () => all.filter(({ operation }) => operation.endUs === 0);
  const draw = (among: readonly UnderWay[]) => (among.length === 0 ? null : lots.pick(among));
  const begin = () => {
    const kind = lots.pick(kinds);
    const argument = kind === 'put' ? lots.pick(['a', 'a', 'b']) : '';
    const place = { client: 'c', server: 's', merchantGuid: 'm', paymentUuid: 'p' };
    const empty = { status: null, state: null, version: null, body: null };
    const operation = { ...place, kind, argument, startUs: nowUs, endUs: 0, ...empty };
    all.push({ operation, hadEffect: false, isAnswered: false });
  };
  const takeEffect = () => {
    const one = draw(all.filter(({ hadEffect, isAnswered }) => !hadEffect && !isAnswered));
    const next = one && effectOf(one.operation, payment);
    if (!next) return;
    payment = next;
    one.hadEffect = true;
  };
  const step = () => {
    const steps = backgroundSteps(payment).filter(({ afterMs }) => afterMs === 0);
    if (steps.length > 0) payment = stepTo(payment, lots.pick(steps).to, nowUs / 1000);
  };
  const answer = () => {
    const one = draw(open().filter(({ isAnswered }) => !isAnswered));
    if (!one) return;
    const { state, version } = payment;
    const isPut = one.operation.kind === 'put';
    const shown = isPut ? (wire[state] ?? null) : state === 'NEW' ? null : state;
    const facts = { status: 200, state: shown, version: isPut ? null : version };
    const answers: Partial<Operation>[] = [facts, { status: 409 }, { status: 404 }];
    const right = answers
      .map((rest): Operation => ({ ...one.operation, ...rest }))
      .filter((candidate) => one.operation.kind !== 'put' || candidate.status !== 404)
      .find((candidate) => explains(payment, candidate, nowUs / 1000));
    if (!right || (right.status === 404 && one.hadEffect)) return;
    if (right.status === 409 && one.hadEffect && !isPut) return;
    one.operation = right;
    one.isAnswered = true;
  };
  const end = () => {
    const one = draw(open());
    if (one) one.operation = { ...one.operation, endUs: nowUs };
  };
  for (let number = 0; number < STEPS; number += 1) {
    nowUs += lots.between(1, 50);
    const act = lots.pick([begin, takeEffect, takeEffect, step, answer, answer, end]);
    act();
  }
  const operations = all.map(({ operation, isAnswered }) => ({
    ...operation,
    ...(isAnswered ? {} : { status: null }),
    endUs: operation.endUs || nowUs + 1,
  }));
  return { operations, payment };
}

test(`crash: ${HISTORIES} simulated histories all have an order`, () => {
  let answered = 0;
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const { operations, payment } = simulate(lotsOf(seed));
    answered += operations.filter(({ status }) => status === 200).length;
    const judgement = judgeHistory(operations, movedClock([]), payment);
    const story = operations.map(({ kind, argument, startUs, endUs, status, state, version }) =>
      [startUs, endUs, kind, argument, status, state, version].join(' '),
    );
    assert.deepEqual(judgement, { isLinearizable: true }, `seed ${seed}\n${story.join('\n')}`);
  }
  assert.ok(answered > HISTORIES, 'most histories say something');
});
