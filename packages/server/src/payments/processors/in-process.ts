import { type InMemorySimulator, inMemorySimulator } from '@servery/card-simulator/in-memory.ts';
import { machineTimer, type Timer } from '@servery/support/timer.ts';
import type { Processor } from './processor.ts';
import { wireAuthorizationOf } from './wire-authorization.ts';

/** The simulator inside this process, with its ledger open to tests. */
export type InProcessProcessor = Processor & Omit<InMemorySimulator, 'authorize'>;

/** Runs the simulator in this process, for tests and benchmarks. Its ledger is in memory. */
export function inProcessProcessor(timer: Timer = machineTimer): InProcessProcessor {
  const simulator = inMemorySimulator(timer);
  return {
    ...simulator,
    authorize: (order, signal) => simulator.authorize(wireAuthorizationOf(order), signal),
  };
}
