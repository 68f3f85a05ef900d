import { type InMemorySimulator, inMemorySimulator } from '@servery/card-simulator/in-memory.ts';
import { machineTimer, type Timer } from '@servery/support/timer.ts';
import { type Processor, wireAuthorizationOf } from './processor.ts';

export type InProcessProcessor = Processor & Omit<InMemorySimulator, 'authorize'>;

export function inProcessProcessor(timer: Timer = machineTimer): InProcessProcessor {
  const simulator = inMemorySimulator(timer);
  return {
    ...simulator,
    authorize: (order, signal) => simulator.authorize(wireAuthorizationOf(order), signal),
  };
}
