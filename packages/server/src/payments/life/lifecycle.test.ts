import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cause, moves, nextState, type PaymentState, wireState } from './lifecycle.ts';

const states = [
  ...new Set(moves.flatMap((move) => [move.from, move.to] as (PaymentState | 'NEW')[])),
];
const causes = [...new Set(moves.map((move) => move.cause))];

test('creditCards.authorize PAY-I5: a state and a cause lead to exactly one state', () => {
  const keys = moves.map((move) => `${move.from} ${move.cause}`);
  assert.equal(new Set(keys).size, keys.length);
});

test('creditCards.authorize PAY-I5: moves of the table are made, all others refused', () => {
  const legal = new Map<string, string>(
    moves.map((move) => [`${move.from} ${move.cause}`, move.to]),
  );
  for (const from of states) {
    for (const cause of causes) {
      const to = legal.get(`${from} ${cause}`);
      if (to) assert.equal(nextState(from, cause), to);
      else assert.throws(() => nextState(from, cause), /no legal move/, `${from} ${cause}`);
    }
  }
});

test('creditCards.authorize PAY-I4: no path leads from CAPTURED to VOIDED or back', () => {
  const reachable = (from: PaymentState): Set<PaymentState> => {
    const seen = new Set<PaymentState>([from]);
    for (const state of seen) {
      for (const move of moves) if (move.from === state) seen.add(move.to);
    }
    return seen;
  };
  assert.ok(!reachable('CAPTURED').has('VOIDED'));
  assert.ok(!reachable('VOIDED').has('CAPTURED'));
  assert.ok(!reachable('VOID_PENDING').has('CAPTURED'));
});

test('creditCards.authorize PAY-I1: only an aborted payment can be submitted again', () => {
  const again: Cause = 'submittedAgain';
  const from = moves.filter((move) => move.cause === again).map((move) => move.from);
  assert.deepEqual(from, ['ABORTED']);
});

test('creditCards.authorize 200 PAY-7: each internal state has the wire state of the design', () => {
  const shown = (wire: string | null) =>
    states
      .filter((state) => state !== 'NEW' && wireState({ state, denialReason: null }) === wire)
      .sort();
  assert.deepEqual(shown('ACKNOWLEDGED'), ['PENDING', 'REVERSAL_PENDING', 'UNKNOWN']);
  assert.deepEqual(shown('AUTHORIZED'), ['APPLIED', 'AUTHORIZED']);
  assert.deepEqual(shown('DENIED'), ['DENIED', 'REVERSED']);
  assert.equal(shown(null).length, 7);
});
