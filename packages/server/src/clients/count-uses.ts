import { runEvery } from '@servery/support/runner.ts';
import { within } from '@servery/support/timer.ts';
import type { Log } from '../support/log.ts';
import { ClientUses, type ClientUsesDeps } from './client-uses.ts';

/** What counting the uses of API accounts needs while a process runs. */
export interface CountUsesDeps extends Pick<ClientUsesDeps, 'database' | 'clock'> {
  readonly log: Pick<Log, 'warn'>;
  readonly onError: (error: unknown) => void;
}

/** Counts that are written down again and again until `stop`, which writes the last ones. */
export interface CountedUses extends Pick<ClientUses, 'finished' | 'noteSecret'> {
  stop(): Promise<void>;
}

/** How often they are written down; a process that is killed loses so much of them. */
const USES_MS = 5_000;

/** Counts what API accounts do, and writes it down every five seconds and at the end. */
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
      // A database that is away must not hold up the end.
      await within(uses.flush().catch(onError), USES_MS);
    },
  };
}
