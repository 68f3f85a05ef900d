import { connectDatabase } from '../../../packages/server/src/database/database.ts';
import { distributePlatform } from '../../../packages/server/src/database/distribute.ts';
import { migratePlatform } from '../../../packages/server/src/database/migrations.ts';
import { reservePorts } from '../../../packages/server/test/reserved-ports.ts';
import type { CrashCluster } from '../crash/cluster.ts';
import { insertDatabase, insertExtension, insertNodes } from './cluster-store.ts';
import { citusNode, urlOf } from './node.ts';

const WORKERS = 2;
const DATABASE = 'servery';

/**
 * A coordinator and workers, with the tables of restaurants on the workers, by the PostgreSQL
 * programs of a folder, which must have Citus.
 */
export async function citusCluster(folder: string, programs: string): Promise<CrashCluster> {
  const [first = 0, ...ports] = await reservePorts(WORKERS + 1);
  const coordinator = await citusNode('coordinator', folder, programs, first);
  const workers = await Promise.all(
    ports.map((port, index) => citusNode(`worker-${index + 1}`, folder, programs, port)),
  );
  const nodes = [coordinator, ...workers];
  for (const node of nodes) {
    await node.start();
    await on(node.port, 'postgres', ({ sql }) => insertDatabase(sql));
    await on(node.port, DATABASE, ({ sql }) => insertExtension(sql));
  }
  await on(first, DATABASE, async (database) => {
    await insertNodes(database.sql, first, ports);
    await migratePlatform(database);
    await distributePlatform(database, 0, () => {});
  });
  return { ...coordinator, url: urlOf(first, DATABASE), workers };
}

async function on(
  port: number,
  name: string,
  work: (database: ReturnType<typeof connectDatabase>) => Promise<unknown>,
): Promise<void> {
  const database = connectDatabase({ url: urlOf(port, name), poolSize: 2 });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
