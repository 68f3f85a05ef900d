import { connectDatabase, type Database } from '../../../packages/server/src/database/database.ts';
import { distributePlatform } from '../../../packages/server/src/database/distribute.ts';
import { migratePlatform } from '../../../packages/server/src/database/migrations.ts';
import { reservePorts } from '../../../packages/server/test/reserved-ports.ts';
import type { CrashCluster } from '../crash/cluster.ts';
import { insertDatabase, insertExtension, insertNodes } from './cluster-store.ts';
import { type CitusNode, citusNode, DATABASE, onNode, urlOf } from './node.ts';

/** A coordinator with its workers, all of them processes of this run. */
export interface CitusCluster extends CrashCluster, CitusNode {
  readonly workers: readonly CitusNode[];
}

const WORKERS = 2;

/**
 * A coordinator and workers, with the tables of restaurants on the workers, by the PostgreSQL
 * programs of a folder, which must have Citus.
 */
export async function citusCluster(folder: string, programs: string): Promise<CitusCluster> {
  const [first = 0, ...ports] = await reservePorts(WORKERS + 1);
  const coordinator = await citusNode('coordinator', folder, programs, first);
  const workers = await Promise.all(
    ports.map((port, index) => citusNode(`worker-${index + 1}`, folder, programs, port)),
  );
  for (const node of [coordinator, ...workers]) {
    await node.start();
    await onNode(node, ({ sql }) => insertDatabase(sql), 'postgres');
    await onNode(node, ({ sql }) => insertExtension(sql));
  }
  await onNode(coordinator, async (database) => {
    await insertNodes(database.sql, first, ports);
    await fillCluster(database);
  });
  return { ...coordinator, url: urlOf(first, DATABASE), workers };
}

/** A cluster that somebody else runs, by the address of an empty database of its coordinator. */
export async function givenCluster(url: string): Promise<CrashCluster> {
  const database = connectDatabase({ url, poolSize: 2 });
  try {
    await fillCluster(database);
  } finally {
    await database.close();
  }
  const leaveAlone = async () => {};
  return {
    ...{ name: 'coordinator', url, workers: [] },
    ...{ isUp: () => true, kill: leaveAlone, start: leaveAlone },
  };
}

async function fillCluster(database: Database): Promise<void> {
  await migratePlatform(database);
  await distributePlatform(database, 0, () => {});
}
