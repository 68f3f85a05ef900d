import { machineTimer, within } from '@servery/support/timer.ts';
import { exchange, NothingSent } from './exchange.ts';
import { readHealth, type WireHealth, WrongShape } from './protocol.ts';

/** A run of the simulator: where it listens, and the name that it proves itself with. */
export interface Holder {
  readonly url: string;
  readonly instance: string;
  /** Its process, for people who want to look at it or end it. */
  readonly pid: number;
}

/** What is known of a run: `silent` is one that takes connections and does not answer. */
export type Liveness = WireHealth['status'] | 'silent' | 'gone';

const HEALTH_LIMIT_MS = 2_000;

/**
 * Asks whether this very run is alive. A run listens from before it touches its ledger until after
 * it has let go of it, so that an address where nobody listens, or somebody else, proves its end.
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
    const received = await within(
      machineTimer,
      HEALTH_LIMIT_MS,
      exchange(`${url}/health`, request, null),
    );
    if (!received.inTime) return 'silent';
    return readHealth(JSON.parse(received.value.text));
  } catch (error) {
    const isStranger = error instanceof WrongShape || error instanceof SyntaxError;
    return isStranger || error instanceof NothingSent ? 'gone' : 'silent';
  } finally {
    stop.abort();
  }
}
