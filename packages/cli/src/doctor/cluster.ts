import { type Database, load } from '@servery/server';
import { broken, type Finding, fine, worth } from './finding.ts';

const { findCluster, findClusterState, isDistributed, listBrokenKeys } = await load.checks();

const HALFWAY_WORTH_SECONDS = 30;

/** Of a database whose tables are on workers: the nodes, and what no key of the database holds. */
export async function checkCluster({ sql }: Database): Promise<Finding[]> {
  const cluster = await findCluster(sql);
  if (!isDistributed(cluster)) return [];
  const { unreachable, halfwaySeconds, connectionsPerWorker } = await findClusterState(sql);
  if (unreachable.length > 0) {
    const found = `the coordinator cannot reach ${unreachable.join(', ')}`;
    return [broken('workers', found, 'start these nodes: no payment there can be read or changed')];
  }
  const findings = [fine('workers', `${cluster.workers} hold the tables of restaurants`)];
  if (halfwaySeconds !== null && halfwaySeconds >= HALFWAY_WORTH_SECONDS) {
    const found = `a transaction has waited ${halfwaySeconds} s for the decision of the coordinator`;
    findings.push(worth('half-way', found, 'select recover_prepared_transactions()'));
  }
  if (connectionsPerWorker !== 1) {
    const setting = 'citus.max_adaptive_executor_pool_size';
    const found = `${setting} is ${connectionsPerWorker}: the coordinator refuses some edits`;
    const fix = `on the coordinator: alter system set ${setting} = 1; select pg_reload_conf()`;
    findings.push(worth('connections', found, fix));
  }
  const keys = await listBrokenKeys(sql);
  if (keys.length === 0) return [...findings, fine('rows', 'no row is missing or duplicated')];
  const found = `rows break a rule that the cluster cannot check: ${keys.join(', ')}`;
  return [...findings, broken('rows', found, 'restore a backup from before, or correct the rows')];
}
