import type { Server } from 'node:http';
import { runEvery } from '@servery/support/runner.ts';

/**
 * A closing listener of Node.js no longer times out slow senders and readers, so a stop would wait
 * forever for them.
 */
export function hangUpLate(server: Pick<Server, 'once' | 'closeAllConnections'>, ms: number): void {
  const hangUp = async () => server.closeAllConnections();
  const hangingUp = runEvery(ms, hangUp, () => {});
  server.once('close', () => void hangingUp.stop());
}
