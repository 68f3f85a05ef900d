import {
  findLastHolder,
  type Holder,
  type LastHolder,
  type Liveness,
  lockFile,
} from '@servery/support/file-lock.ts';
import { LATE, within } from '@servery/support/timer.ts';
import { exchange, NothingSent } from './exchange.ts';
import { readHealth, type WireHealth, WrongShape } from './protocol.ts';

/** Exit code of a simulator whose ledger another process has. */
export const EXIT_TAKEN = 3;

/** Finds the run that took the ledger last; null when none ever did. */
export function findLedgerHolder(ledgerFile: string): Promise<LastHolder | null> {
  return findLastHolder(ledgerFile, askHolder);
}

/**
 * Takes a ledger for a run that listens already, so that one process at a time writes it. Gives
 * null when it is taken, or the living run that has it.
 */
export function takeLedger(ledgerFile: string, own: Holder): Promise<LastHolder | null> {
  return lockFile(ledgerFile, own, askHolder);
}

const HEALTH_LIMIT_MS = 2_000;

/**
 * Asks whether this very run is alive. A run listens from before it touches its ledger until after
 * it has released it: an address where nothing, or something else, listens proves its end.
 */
export async function askHolder({ url, instance }: Holder): Promise<Liveness> {
  const health = await askHealth(url);
  if (typeof health === 'string') return health;
  return health.instance === instance ? health.status : 'gone';
}

/** What listens at an address says of itself; `gone` where nobody of this protocol does. */
async function askHealth(url: string): Promise<WireHealth | 'silent' | 'gone'> {
  const stop = new AbortController();
  const request = { method: 'GET', agent: false, signal: stop.signal } as const;
  try {
    const received = await within(exchange(`${url}/health`, request, null), HEALTH_LIMIT_MS);
    if (received === LATE) return 'silent';
    return readHealth(JSON.parse(received.text));
  } catch (error) {
    const isStranger = error instanceof WrongShape || error instanceof SyntaxError;
    return isStranger || error instanceof NothingSent ? 'gone' : 'silent';
  } finally {
    stop.abort();
  }
}
