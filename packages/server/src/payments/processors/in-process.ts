import { type InMemorySimulator, inMemorySimulator } from '@servery/card-simulator/in-memory.ts';
import { machineTimer, type Timer } from '@servery/support/timer.ts';
import { type Processor, wireAuthorizationOf } from './processor.ts';

export interface InProcessProcessor
  extends Processor,
    Omit<InMemorySimulator, keyof Processor | 'copy'> {
  /** With a copy of the ledger, and without faults. */
  copy(): InProcessProcessor;
}

export function inProcessProcessor(timer: Timer = machineTimer): InProcessProcessor {
  return through(inMemorySimulator(timer));
}

function through(simulator: InMemorySimulator): InProcessProcessor {
  return {
    ...simulator,
    authorize: (order, ...how) => simulator.authorize(wireAuthorizationOf(order), ...how),
    copy: () => through(simulator.copy()),
  };
}
