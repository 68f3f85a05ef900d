import type { Timer } from '@servery/support/timer.ts';
import { createSimulator } from './core.ts';
import type { Call } from './effects.ts';
import type { FaultRule, PutRule } from './faults.ts';
import { noJournal } from './journal-file.ts';
import { type Hold, Ledger } from './ledger.ts';
import type { Operation, Orders, ProcessorAnswer } from './messages.ts';

type Ask<Name extends Operation> = (
  order: Orders[Name],
  signal: AbortSignal,
) => Promise<ProcessorAnswer>;

/** For tests and the setting `in-process`. */
export type InMemorySimulator = { readonly [Name in Operation]: Ask<Name> } & {
  /** Every authorization that had an effect, oldest first. */
  ledger(): readonly Hold[];
  /** Like `POST /faults`. */
  addFault(rule: FaultRule): PutRule;
  listFaults(): readonly PutRule[];
  /** Returns how many rules it removed. */
  clearFaults(): number;
};

/** A dropped call throws; one that gets silence ends when its signal is aborted. */
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

function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
