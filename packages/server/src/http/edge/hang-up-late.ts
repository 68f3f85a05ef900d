import type { Server } from 'node:http';
import { runEvery } from '@servery/support/runner.ts';

/**
 * Hangs up on whoever still has a connection to a listener that has been closing for so many
 * milliseconds: Node.js looks no more then for requests that never arrive whole and for readers
 * that take nothing, and a stop would wait for them for ever.
 */
export function hangUpLate(server: Pick<Server, 'once' | 'closeAllConnections'>, ms: number): void {
  const hangUp = async () => server.closeAllConnections();
  const hangingUp = runEvery(ms, hangUp, () => {});
  server.once('close', () => void hangingUp.stop());
}
