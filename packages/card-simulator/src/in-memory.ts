import type { Timer } from '@servery/support/timer.ts';
import type { Call } from './call.ts';
import { createSimulator } from './core.ts';
import type { FaultRule, PutRule } from './faults.ts';
import { noJournal } from './journal.ts';
import { type Hold, Ledger } from './ledger.ts';
import type { Operation, Orders, ProcessorAnswer } from './messages.ts';

type Ask<Name extends Operation> = (
  order: Orders[Name],
  signal: AbortSignal,
) => Promise<ProcessorAnswer>;

/** A simulator inside this process, with its ledger open to tests. */
export interface InMemorySimulator {
  readonly authorize: Ask<'authorize'>;
  readonly inquire: Ask<'inquire'>;
  readonly capture: Ask<'capture'>;
  readonly void: Ask<'void'>;
  /** Every authorization that had an effect, oldest first. */
  ledger(): readonly Hold[];
  /** Orders a fault, as `POST /faults` does for a simulator in a process of its own. */
  addFault(rule: FaultRule): PutRule;
  /** The rules that will still meet a call, oldest first. */
  listFaults(): readonly PutRule[];
  /** Takes all rules back; gives how many. */
  clearFaults(): number;
}

/**
 * Makes a simulator whose ledger is in memory. A call that is dropped throws; one that is met with
 * silence ends when its signal is aborted.
 */
export function inMemorySimulator(timer: Timer): InMemorySimulator {
  const ledger = new Ledger();
  const simulator = createSimulator({ ledger, journal: noJournal, timer });
  const ask = async (call: Call, signal: AbortSignal): Promise<ProcessorAnswer> => {
    const delivery = await simulator.call(call, signal);
    switch (delivery.kind) {
      case 'answer':
        return delivery.answer;
      case 'silence':
        return await silence(signal);
      case 'dropped':
        throw new Error('the simulated connection broke');
      case 'broken':
        return { outcome: 'unknown', explanation: 'the answer cannot be read' };
    }
  };
  return {
    authorize: (order, signal) => ask({ operation: 'authorize', order }, signal),
    inquire: (order, signal) => ask({ operation: 'inquire', order }, signal),
    capture: (order, signal) => ask({ operation: 'capture', order }, signal),
    void: (order, signal) => ask({ operation: 'void', order }, signal),
    ledger: () => ledger.holds(),
    addFault: (rule) => simulator.faults.add(rule),
    listFaults: () => simulator.faults.list(),
    clearFaults: () => simulator.faults.clear(),
  };
}

/** Never answers; ends with an error when the caller's deadline aborts the call. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
