import { sleep, type Timer } from '@servery/support/timer.ts';
import { type Call, type Delivery, type Effect, performCall } from './effects.ts';
import { type CallFacts, type Fault, FaultRules } from './faults.ts';
import type { Journal } from './journal-file.ts';
import type { Hold, Ledger } from './ledger.ts';
import type { WireAuthorization } from './messages.ts';
import { type SimulatedCard, simulatedCards } from './simulated-cards.ts';

export interface SimulatorDeps {
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly timer: Timer;
}

export interface Simulator {
  readonly faults: FaultRules;
  /**
   * Its effect is durable when it resolves. Aborted while it waits, it throws without effect. A fault
   * that was ordered with the call stands in for the rules.
   */
  call(call: Call, signal: AbortSignal, ordered?: Fault): Promise<Delivery>;
  /** Every durable authorization that had an effect, oldest first. */
  holds(): Promise<Hold[]>;
}

const cardByNumber = new Map(simulatedCards.map((row) => [row.number, row]));

/**
 * Does what the table of test cards and the ordered faults say. Calls are idempotent by key. It
 * keeps only the brand and the last four digits of a card.
 */
export function createSimulator(deps: SimulatorDeps, faults = new FaultRules()): Simulator {
  return {
    faults,
    call: (call, signal, ordered) =>
      carryOut(deps, call, ordered ?? faults.take(factsOf(deps.ledger, call)), signal),
    holds: async () => {
      await deps.journal.settled();
      return deps.ledger.holds();
    },
  };
}

function factsOf(ledger: Ledger, { operation, order }: Call): CallFacts {
  const { key } = order;
  const holdKey = 'authorizationKey' in order ? order.authorizationKey : key;
  const known = ledger.findHold(holdKey)?.hold ?? ledger.findLate(holdKey)?.hold;
  return {
    operation,
    key,
    paymentId: 'paymentId' in order ? order.paymentId : (known?.paymentId ?? null),
    last4: 'card' in order ? order.card.number.slice(-4) : (known?.last4 ?? null),
    isRepeat: operation !== 'inquire' && ledger.findAnswer(key) !== null,
  };
}

async function carryOut(
  deps: SimulatorDeps,
  call: Call,
  fault: Fault | null,
  signal: AbortSignal,
): Promise<Delivery> {
  const { ledger, timer } = deps;
  if (fault?.kind === 'delay') await sleep(fault.delayMs, signal, timer);
  if (fault?.kind === 'timeOutBefore') return { kind: 'silence' };
  if (fault?.kind === 'droppedConnectionBefore') return { kind: 'dropped' };
  const row = call.operation === 'authorize' ? rowOf(call.order) : null;
  const isNew = ledger.findAnswer(call.order.key) === null;
  if (row && isNew && row.latencyMs > 0) await sleep(row.latencyMs, signal, timer);
  // No await until the journal: of two calls with one key, only one is the first.
  let effect = keep(deps, performCall(ledger, call, row, fault));
  if (fault?.kind === 'duplicate') effect = keep(deps, performCall(ledger, call, row, fault));
  await deps.journal.settled();
  return spoilt(effect.delivery, fault);
}

function rowOf(order: WireAuthorization): SimulatedCard | null {
  return cardByNumber.get(order.card.number) ?? null;
}

function keep({ ledger, journal }: SimulatorDeps, effect: Effect): Effect {
  for (const entry of effect.entries) {
    ledger.apply(entry);
    journal.append(entry);
  }
  return effect;
}

function spoilt(delivery: Delivery, fault: Fault | null): Delivery {
  switch (fault?.kind) {
    case 'timeOutAfter':
      return { kind: 'silence' };
    case 'droppedConnectionAfter':
      return { kind: 'dropped' };
    case 'brokenAnswer':
      return { kind: 'broken' };
    default:
      return delivery;
  }
}
