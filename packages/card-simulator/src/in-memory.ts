import type { Timer } from '@servery/support/timer.ts';
import { createSimulator } from './core.ts';
import type { Call } from './effects.ts';
import type { Fault, FaultRule, PutRule } from './faults.ts';
import { noJournal } from './journal-file.ts';
import { type Hold, Ledger } from './ledger.ts';
import type { Operation, Orders, ProcessorAnswer } from './messages.ts';

type Ask<Name extends Operation> = (
  order: Orders[Name],
  signal: AbortSignal,
  ordered?: Fault,
) => Promise<ProcessorAnswer>;

/** For tests and the setting `in-process`. */
export type InMemorySimulator = { readonly [Name in Operation]: Ask<Name> } & {
  /** Every authorization that had an effect, oldest first. */
  ledger(): readonly Hold[];
  /** With a copy of the ledger, and without faults. */
  copy(): InMemorySimulator;
  /** Like `POST /faults`. */
  addFault(rule: FaultRule): PutRule;
  listFaults(): readonly PutRule[];
  /** Returns how many rules it removed. */
  clearFaults(): number;
};

/** A dropped call throws; one that gets silence ends when its signal is aborted. */
export function inMemorySimulator(timer: Timer, ledger = new Ledger()): InMemorySimulator {
  const simulator = createSimulator({ ledger, journal: noJournal, timer });
  const ask = async (
    call: Call,
    signal: AbortSignal,
    ordered?: Fault,
  ): Promise<ProcessorAnswer> => {
    const delivery = await simulator.call(call, signal, ordered);
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
    authorize: (order, ...how) => ask({ operation: 'authorize', order }, ...how),
    inquire: (order, ...how) => ask({ operation: 'inquire', order }, ...how),
    capture: (order, ...how) => ask({ operation: 'capture', order }, ...how),
    void: (order, ...how) => ask({ operation: 'void', order }, ...how),
    ledger: () => ledger.holds(),
    copy: () => inMemorySimulator(timer, ledger.copy()),
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
