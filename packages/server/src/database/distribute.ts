import type { Database } from './database.ts';
import { type Cluster, distributedTables, findCluster, updateLayout } from './distribute-store.ts';

/**
 * Moves the tables of restaurants to the workers of the cluster, all or nothing. Returns false if
 * they are there already. Throws an Error that says what to do.
 */
export async function distributePlatform(
  { sql, transaction }: Pick<Database, 'sql' | 'transaction'>,
  processes: number,
  onTable: (name: string) => void,
): Promise<boolean> {
  const cluster = await findCluster(sql);
  if (isDistributed(cluster)) return false;
  const fault = whyNot(cluster, processes);
  if (fault !== null) throw new Error(fault);
  await transaction((held) => updateLayout(held, onTable), { statementTimeoutMs: 0 });
  return true;
}

export function isDistributed(cluster: Cluster | null): cluster is Cluster {
  return cluster?.tables.has(Object.keys(distributedTables)[0] as string) ?? false;
}

function whyNot(cluster: Cluster | null, processes: number): string | null {
  if (cluster === null) {
    return (
      'this database has no Citus. Load it with shared_preload_libraries on every node, and run ' +
      '"create extension citus" in this database on each.'
    );
  }
  if (!cluster.hasCoordinator) {
    return "the cluster has no coordinator. Run: select citus_set_coordinator_host('HOST', PORT)";
  }
  if (cluster.workers === 0) {
    return "the cluster has no workers. Run for each: select citus_add_node('HOST', PORT)";
  }
  if (processes > 0) {
    return `${processes} servers work on this database. Stop them first.`;
  }
  return null;
}
