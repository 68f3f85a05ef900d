import {
  findLastHolder,
  type Holder,
  type LastHolder,
  type Liveness,
  lockFile,
} from '@servery/support/file-lock.ts';
import { LATE, within } from '@servery/support/timer.ts';
import { exchange, NothingSent } from './exchange.ts';
import { readHealth, WrongShape } from './protocol.ts';

/** Exit code when another process has the ledger. */
export const EXIT_TAKEN = 3;

/** The run that took the ledger last. */
export function findLedgerHolder(ledgerFile: string): Promise<LastHolder | null> {
  return findLastHolder(ledgerFile, askHolder);
}

/** For a run that already listens. Returns the living run that has the ledger, or null on success. */
export function takeLedger(ledgerFile: string, own: Holder): Promise<LastHolder | null> {
  return lockFile(ledgerFile, own, askHolder);
}

const HEALTH_LIMIT_MS = 2_000;

/**
 * A run listens from before it touches its ledger until after it has released it. So an address
 * where nothing or something else listens proves its end.
 */
export async function askHolder({ url, instance }: Holder): Promise<Liveness> {
  const stop = new AbortController();
  const request = { method: 'GET', agent: false, signal: stop.signal } as const;
  try {
    const received = await within(exchange(`${url}/health`, request, null), HEALTH_LIMIT_MS);
    if (received === LATE) return 'silent';
    const health = readHealth(JSON.parse(received.text));
    return health.instance === instance ? health.status : 'gone';
  } catch (error) {
    const isStranger = error instanceof WrongShape || error instanceof SyntaxError;
    return isStranger || error instanceof NothingSent ? 'gone' : 'silent';
  } finally {
    stop.abort();
  }
}
