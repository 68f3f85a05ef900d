import { monotonicMs } from '@servery/support/clock.ts';
import type { Log } from '../../support/log.ts';
import type { Metrics } from '../../support/metrics.ts';
import { Connections, type TurnedAway } from './connections.ts';
import { readOpenFilesLimit, usualConnections } from './open-files.ts';

export async function openConnections({
  databasePool,
  maxConnections,
  log,
  metrics,
}: {
  readonly databasePool: number;
  readonly maxConnections: number | null;
  readonly log: Log;
  readonly metrics: Metrics;
}): Promise<Connections> {
  const files = await readOpenFilesLimit();
  const limit = maxConnections ?? usualConnections({ files, databasePool });
  const onTurnedAway = metrics.counter<TurnedAway>({
    name: 'connections_turned_away_total',
    help:
      'Connections refused with a 503, or closed to make room for another one, because the ' +
      'limit was reached.',
    label: 'how',
    values: ['refused', 'ended'],
  });
  const connections = new Connections({ limit, log, monotonicMs, onTurnedAway });
  metrics.gauge({
    name: 'connections',
    help: 'Open client connections of this process, and its limit.',
    label: 'state',
    values: ['open', 'limit'],
    isOfProcess: true,
    read: async () =>
      [
        ['open', connections.open],
        ['limit', limit],
      ] as const,
  });
  return connections;
}
