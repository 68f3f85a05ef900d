import { runEvery } from '@servery/support/runner.ts';
import { within } from '@servery/support/timer.ts';
import type { Log } from '../support/log.ts';
import { ClientUses, type ClientUsesDeps } from './client-uses.ts';

export interface CountUsesDeps extends Pick<ClientUsesDeps, 'database' | 'clock'> {
  readonly log: Pick<Log, 'warn'>;
  readonly onError: (error: unknown) => void;
}

/** `stop` writes the last counts. */
export interface CountedUses extends Pick<ClientUses, 'finished' | 'noteSecret'> {
  stop(): Promise<void>;
}

/** A killed process loses the counts of this time. */
const USES_MS = 5_000;

export function countClientUses({ log, onError, ...deps }: CountUsesDeps): CountedUses {
  const onDropped = (requests: number) =>
    log.warn({ requests }, 'not all requests of API accounts could be counted');
  const uses = new ClientUses({ ...deps, onDropped });
  const flushing = runEvery(USES_MS, () => uses.flush(), onError);
  return {
    finished: (request) => uses.finished(request),
    noteSecret: (clientId, digest, nowMs) => uses.noteSecret(clientId, digest, nowMs),
    async stop() {
      await flushing.stop();
      // A database that is down must not delay the shutdown.
      await within(uses.flush().catch(onError), USES_MS);
    },
  };
}
