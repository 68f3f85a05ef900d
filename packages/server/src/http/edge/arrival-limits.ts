import type { Server } from 'node:http';
import { runEvery } from '@servery/support/runner.ts';

/** Limits how long a slow sender holds a socket. */
export const REQUEST_TIMEOUT_MS = 60_000;

export const HEAD_TIMEOUT_MS = 20_000;

const CHECKING_MS = 5_000;

export const arrivalLimits = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEAD_TIMEOUT_MS,
  connectionsCheckingInterval: CHECKING_MS,
} as const;

/**
 * A closing listener of Node.js no longer times out slow senders and readers, so a stop would wait
 * forever for them.
 */
export function hangUpLate(server: Pick<Server, 'once' | 'closeAllConnections'>): void {
  const hangUp = async () => server.closeAllConnections();
  const hangingUp = runEvery(REQUEST_TIMEOUT_MS, hangUp, () => {});
  server.once('close', () => void hangingUp.stop());
}
