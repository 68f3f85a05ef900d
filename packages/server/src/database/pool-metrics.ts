import type { Metrics } from '../support/metrics.ts';
import type { Database } from './database.ts';

export function poolMetrics(metrics: Metrics, database: Pick<Database, 'pool'>): void {
  metrics.gauge({
    name: 'database_connections',
    help: 'Connections of this process: held by a transaction, busy with statements, or idle.',
    label: 'state',
    values: ['held', 'busy', 'idle'],
    isOfProcess: true,
    read: async () => {
      const state = database.pool();
      return (['held', 'busy', 'idle'] as const).map((name) => [name, state[name]] as const);
    },
  });
  metrics.gauge({
    name: 'database_waiting',
    help: 'Requests that wait for a connection in this process. If it stays above 0, the pool is too small.',
    label: 'for',
    values: ['transaction', 'statement'],
    isOfProcess: true,
    read: async () => {
      const { waitingTransactions, waitingStatements } = database.pool();
      return [
        ['transaction', waitingTransactions],
        ['statement', waitingStatements],
      ] as const;
    },
  });
}
