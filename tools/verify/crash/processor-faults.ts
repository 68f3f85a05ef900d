import type { FaultRule } from '@servery/card-simulator/faults.ts';
import type { Operation } from '@servery/card-simulator/messages.ts';
import { sleep } from '@servery/support/timer.ts';
import type { Lots } from './random.ts';

/** What goes wrong at the processor, each as often as it stands here. */
const drawFault: readonly ((lots: Lots) => FaultRule['fault'])[] = [
  (lots) => ({ kind: 'delay', delayMs: lots.between(50, 1_500) }),
  () => ({ kind: 'droppedConnectionBefore' }),
  () => ({ kind: 'droppedConnectionAfter' }),
  () => ({ kind: 'droppedConnectionAfter' }),
  () => ({ kind: 'brokenAnswer' }),
  () => ({ kind: 'duplicate' }),
  () => ({ kind: 'notProcessed' }),
  // Few questions, so that the last one is asked within the day that late approvals are awaited.
  (lots) => ({ kind: 'lateApproval', questions: lots.between(1, 3) }),
];
/** A call that hangs takes fifteen seconds, so that it is seldom ordered. */
const HANG_CHANCE = 0.03;
const calls: readonly Operation[] = ['authorize', 'authorize', 'inquire', 'capture', 'void'];
const SHORTEST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 1_200;

/**
 * Orders faults of the processor by lot, again and again, until `isStopping`, and then takes back
 * what has met no call yet. A processor that is away is let be.
 */
export async function keepOrderingFaults(
  processorUrl: string,
  lots: Lots,
  isStopping: () => boolean,
): Promise<void> {
  while (!isStopping()) {
    await ask(processorUrl, 'POST', drawRule(lots));
    await sleep(lots.between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
  }
  await ask(processorUrl, 'DELETE', null);
}

function drawRule(lots: Lots): FaultRule {
  const operation = lots.pick(calls);
  const count = lots.between(1, 3);
  if (lots.chance(HANG_CHANCE)) {
    const kind = lots.pick(['timeOutBefore', 'timeOutAfter'] as const);
    return { operation, count: 1, fault: { kind } };
  }
  const fault = lots.pick(drawFault)(lots);
  // Only an authorization can be approved late.
  return { operation: fault.kind === 'lateApproval' ? 'authorize' : operation, count, fault };
}

async function ask(url: string, method: 'POST' | 'DELETE', rule: FaultRule | null): Promise<void> {
  const body = rule && JSON.stringify(rule);
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/faults`, { method, headers, body }).catch(() => null);
  const text = await response?.text().catch(() => null);
  const { status = 503 } = response ?? {};
  if (status >= 400 && status < 500) throw new Error(`the fault is refused: ${status} ${text}`);
}
