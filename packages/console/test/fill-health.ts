import type { StartedPlatform } from '../../../acceptance/src/platform.ts';
import { readDatabaseTimeMs } from '../../postgres/src/database.ts';
import { openDatabase } from '../../server/src/database/open.ts';
import { insertMinute } from '../../server/src/health/health-store.ts';
import { KEPT_MINUTES, MINUTE_MS, minuteOf } from '../../server/src/health/write-minutes.ts';

/** An hour as a busy server writes it, so that nobody has to wait for it. */
export async function fillHealth({ dataDir }: Pick<StartedPlatform, 'dataDir'>): Promise<void> {
  const config = { databaseUrl: null, databasePool: 1, dataDir, kind: 'sandbox' } as const;
  const { database, close } = await openDatabase(config, () => {});
  try {
    const { sql } = database;
    const nowMs = await readDatabaseTimeMs(sql);
    const minute = minuteOf(nowMs);
    const kept = new Date((minute - KEPT_MINUTES) * MINUTE_MS);
    for (let ago = KEPT_MINUTES; ago >= -AHEAD; ago -= 1) {
      const row = { ...rowOf(ago), minute: new Date((minute - ago) * MINUTE_MS) };
      await insertMinute(
        sql,
        { ...row, startedAt: new Date(nowMs - KEPT_MINUTES * MINUTE_MS) },
        kept,
      );
    }
  } finally {
    await close();
  }
}

/** Minutes that nobody is shown yet: the hour is as full when a test looks at it later. */
const AHEAD = 10;
const PROCESS = '0b9d3f5e-2a61-4c7e-9a58-3f0d5c1e7b42';
const MEGABYTE = 1_000_000;

function rowOf(ago: number) {
  const wave = 1 + Math.sin(ago / 7);
  const requests = Math.round(600 + 400 * wave);
  const isStorm = ago === 1;
  const isSlow = ago >= 20 && ago < 24;
  const within = (share: number) => Math.round(requests * share);
  return {
    processId: PROCESS,
    version: '1.0.0',
    isLast: false,
    totals: {
      'status 2xx': requests - 40,
      'status 4xx': isStorm ? 37 : 12,
      'status 5xx': isSlow ? 9 : 0,
      ...(isStorm && { limited: 25 }),
      'within 0.0025': within(0.4),
      'within 0.005': within(isSlow ? 0.45 : 0.7),
      'within 0.01': within(isSlow ? 0.6 : 0.9),
      'within 0.05': within(isSlow ? 0.8 : 0.999),
      'within 0.25': requests,
      'within +Inf': requests,
      'payments authorized': Math.round(9 * wave),
      'payments captured': Math.round(6 * wave),
      'payments denied': ago % 9 === 0 ? 2 : 0,
      'payments unknown': isSlow ? 1 : 0,
      'webhooks delivered': Math.round(20 * wave),
      'webhooks failed': isSlow ? 6 : 0,
    },
    measured: {
      name: 'web-1 4121',
      memoryBytes: Math.round((170 + 3 * wave) * MEGABYTE),
      cpuShare: 0.08 + 0.1 * wave,
      eventLoopLagP99Ms: isSlow ? 34 : 1.5 + wave,
      connections: 12,
      roundTripMs: isSlow ? 9.2 : 0.4 + wave / 10,
      databaseBytes: Math.round((700 + (KEPT_MINUTES - ago) / 4) * MEGABYTE),
    },
  };
}
