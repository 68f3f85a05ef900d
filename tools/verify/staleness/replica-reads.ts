import type { OfficeCall } from './back-office.ts';

const ANSWERED = /^servery_replica_reads_total\{outcome="answered"\} (\d+)$/m;

/** How many reads the replica answered, by the metrics of all servers. */
export async function countReplicaReads(call: OfficeCall, servers: number): Promise<number> {
  const numbers = Array.from({ length: servers }, (_, server) => server);
  const counts = await Promise.all(
    numbers.map(async (server) => {
      const answer = await call(server, 'GET', '/metrics');
      return Number(ANSWERED.exec(String(answer?.body))?.[1] ?? 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
