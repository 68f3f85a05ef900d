import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operationById } from '@servery/contract';
import { type ClockMove, cardNamed, moveClock, payFor, readPayment, until } from './back-office.ts';
import type { DemoCallers } from './client.ts';
import type { ExpectedOperation } from './operations.ts';
import type { StatusRequests } from './status-requests.ts';
import { nth } from './values.ts';

/** How many moves of the clock may be over before all that is asked during one was asked. */
const ROUNDS = 10;

/** Begins a move of the clock whose work takes the processor seconds; gives the end of the move. */
async function holdClock(callers: DemoCallers): Promise<{ readonly end: Promise<ClockMove> }> {
  const card = cardNamed(callers, /the first void is not answered/);
  const payment = await payFor(callers, { card });
  const end = moveClock(await callers.as('operator'), { advance: 'PT6M' });
  const state = async () => (await readPayment(callers, payment)).paymentState;
  await until('the move', state, (each) => each.startsWith('VOID'));
  return { end };
}

/** A test that each move of the clock is refused while another one is under way. */
export function testClockConflicts(
  operations: readonly ExpectedOperation[],
  requests: StatusRequests,
): void {
  const moves = operations.filter(
    ({ id }) =>
      id.startsWith('backOffice.clock.') && operationById(id as OperationId).statuses.includes(409),
  );
  test('backOffice.clock.advance 409: while one move is under way there is no other', async () => {
    assert.equal(moves.length, 5);
    let left = moves;
    // A busy machine may take longer to ask than the move to be done: then another one is begun.
    for (let round = 0; left.length > 0; round += 1) {
      assert.ok(round < ROUNDS, `${left.map(({ id }) => id)} are done during a move`);
      const held = await askDuringMove(left, requests);
      left = left.filter((operation) => !held.includes(operation));
    }
    await moveClock(await requests.callers.as('operator'), 'run');
  });
}

/** Those of the operations that were refused because the clock was being moved. */
async function askDuringMove(
  operations: readonly ExpectedOperation[],
  requests: StatusRequests,
): Promise<ExpectedOperation[]> {
  const operator = await requests.callers.as('operator');
  const samples = await Promise.all(operations.map((each) => requests.sample(each)));
  const { end } = await holdClock(requests.callers);
  const held: ExpectedOperation[] = [];
  for (const [index, operation] of operations.entries()) {
    const { status } = await operator.send(operation, nth(samples, index, 'sample').options);
    assert.ok([200, 409].includes(status), `${operation.id} answered ${status}`);
    if (status === 409) held.push(operation);
  }
  const { done } = await end;
  assert.ok(done.some(({ toState }) => toState === 'VOID_PENDING'));
  return held;
}
