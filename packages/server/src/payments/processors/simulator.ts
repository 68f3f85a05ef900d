import { createHash } from 'node:crypto';
import {
  ALREADY_CAPTURED,
  type Approved,
  type AuthorizationOrder,
  type CaptureOrder,
  type InquiryOrder,
  type Processor,
  type ProcessorAnswer,
  type VoidOrder,
} from '../processor.ts';
import { type TestCard, testCards } from '../test-cards.ts';
import { machineTimer, type Timer } from './deadline.ts';

/** What the simulated processor remembers of one authorization that had an effect. */
export interface Hold {
  readonly key: string;
  readonly paymentId: string;
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly state: 'HELD' | 'DECLINED' | 'CAPTURED' | 'VOIDED';
  /** In minor units; 0 until captured. */
  readonly capturedMinor: number;
}

/** A processor that is made of the table of test cards, with its ledger open to tests. */
export interface SimulatedProcessor extends Processor {
  /** Every authorization that had an effect, oldest first. */
  ledger(): readonly Hold[];
}

interface Entry {
  hold: Hold;
  readonly answer: ProcessorAnswer;
}

interface Ledger {
  readonly entries: Map<string, Entry>;
  /** Answers to captures and voids, by their keys. */
  readonly answers: Map<string, ProcessorAnswer>;
  /** Payments that were told once already that nothing was processed. */
  readonly refusedOnce: Set<string>;
}

const cardByNumber = new Map(testCards.map((row) => [row.number, row]));

/**
 * A processor in this process that does what the table of test cards says. It is idempotent by key
 * and keeps its ledger in memory; of a card it keeps nothing.
 */
export function simulatedProcessor(timer: Timer = machineTimer): SimulatedProcessor {
  const ledger: Ledger = { entries: new Map(), answers: new Map(), refusedOnce: new Set() };
  return {
    authorize: (order, signal) => authorize(ledger, timer, order, signal),
    inquire: async (order) => inquire(ledger, order),
    capture: async (order) => once(ledger, order.key, () => capture(ledger, order)),
    void: async (order) => once(ledger, order.key, () => giveUp(ledger, order)),
    ledger: () => [...ledger.entries.values()].map((entry) => entry.hold),
  };
}

async function authorize(
  ledger: Ledger,
  timer: Timer,
  order: AuthorizationOrder,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const known = ledger.entries.get(order.key);
  if (known) return known.answer;
  const row = cardByNumber.get(order.card.reveal().cardNumber);
  if (row && row.latencyMs > 0) await timer.wait(row.latencyMs, signal);
  switch (row?.outcome) {
    case 'declined':
      return record(ledger, order, 'DECLINED', declineOf(row));
    case 'timeOutAfterHold':
      record(ledger, order, 'HELD', approvalOf(order));
      return silence(signal);
    case 'timeOutBeforeHold':
      return silence(signal);
    case 'lostAnswerAfterHold':
      record(ledger, order, 'HELD', approvalOf(order));
      throw new Error('the simulated connection broke');
    case 'lostAnswerBeforeHold':
      throw new Error('the simulated connection broke');
    case 'wrongAmount':
      return record(ledger, order, 'HELD', {
        ...approvalOf(order),
        amountMinor: order.amountMinor + 1,
      });
    case 'notProcessed':
      return { outcome: 'notProcessed', explanation: 'the test card is never processed' };
    case 'notProcessedOnce':
      return ledger.refusedOnce.has(order.paymentId)
        ? record(ledger, order, 'HELD', approvalOf(order))
        : refuseOnce(ledger, order);
    default:
      return record(ledger, order, 'HELD', approvalOf(order));
  }
}

function record(
  ledger: Ledger,
  order: AuthorizationOrder,
  state: Hold['state'],
  answer: ProcessorAnswer,
): ProcessorAnswer {
  const { key, paymentId, amountMinor, currencyCode } = order;
  const hold = { key, paymentId, amountMinor, currencyCode, state, capturedMinor: 0 };
  ledger.entries.set(key, { hold, answer });
  return answer;
}

function approvalOf(order: AuthorizationOrder): Approved {
  const digest = createHash('sha256').update(order.key).digest();
  return {
    outcome: 'approved',
    authorizationCode: String(digest.readUInt32BE(0) % 1_000_000).padStart(6, '0'),
    amountMinor: order.amountMinor,
    currencyCode: order.currencyCode,
    reference: `sim-${digest.toString('hex', 4, 12)}`,
  };
}

function declineOf(row: TestCard): ProcessorAnswer {
  return { outcome: 'declined', responseCode: row.isoCode ?? '05' };
}

function refuseOnce(ledger: Ledger, order: AuthorizationOrder): ProcessorAnswer {
  ledger.refusedOnce.add(order.paymentId);
  return { outcome: 'notProcessed', explanation: 'the test card is processed when repeated' };
}

/** Never answers; ends with an error when the caller's deadline aborts the call. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function inquire(ledger: Ledger, order: InquiryOrder): ProcessorAnswer {
  const known = ledger.entries.get(order.key)?.answer ?? ledger.answers.get(order.key);
  return known ?? { outcome: 'notProcessed', explanation: `no call has the key ${order.key}` };
}

/** Answers a key that was seen before as before, and does nothing again. */
function once(ledger: Ledger, key: string, act: () => ProcessorAnswer): ProcessorAnswer {
  const known = ledger.answers.get(key);
  if (known) return known;
  const answer = act();
  // What was not processed left no trace and may be tried again under the same key.
  if (answer.outcome !== 'notProcessed') ledger.answers.set(key, answer);
  return answer;
}

function capture(ledger: Ledger, order: CaptureOrder): ProcessorAnswer {
  const entry = ledger.entries.get(order.authorizationKey);
  if (!entry) return noHold(order.authorizationKey);
  const { hold } = entry;
  const fits =
    hold.state === 'HELD' &&
    order.amountMinor <= hold.amountMinor &&
    order.currencyCode === hold.currencyCode;
  if (!fits) return { outcome: 'declined', responseCode: '12' };
  entry.hold = { ...hold, state: 'CAPTURED', capturedMinor: order.amountMinor };
  return { ...(entry.answer as Approved), amountMinor: order.amountMinor };
}

function giveUp(ledger: Ledger, order: VoidOrder): ProcessorAnswer {
  const entry = ledger.entries.get(order.authorizationKey);
  if (!entry) return noHold(order.authorizationKey);
  const { hold, answer } = entry;
  if (hold.state === 'CAPTURED') return { outcome: 'declined', responseCode: ALREADY_CAPTURED };
  if (hold.state === 'DECLINED') return { outcome: 'declined', responseCode: '12' };
  entry.hold = { ...hold, state: 'VOIDED' };
  return { ...(answer as Approved), amountMinor: hold.amountMinor };
}

function noHold(key: string): ProcessorAnswer {
  return { outcome: 'notProcessed', explanation: `no hold has the key ${key}` };
}
