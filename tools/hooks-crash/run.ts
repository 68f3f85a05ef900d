import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectDatabase, readDatabaseTimeMs } from '@servery/server/db/database.ts';
import { migrate } from '@servery/server/db/migrate.ts';
import { databaseClock } from '@servery/server/support/clock.ts';
import { createVault } from '@servery/server/support/secret.ts';
import { updateWaitingDeliveriesDue } from '@servery/server/webhooks/due-delivery-store.ts';
import { type CrashCluster, crashCluster } from '../crash/cluster.ts';
import { keptProcess, type Victim } from '../crash/kept-process.ts';
import { type Lots, lotsOf } from '../crash/random.ts';
import { checkArrived, type HooksReport } from './check.ts';
import { type CrashPartner, makeCrashPartner } from './partner.ts';
import { type CrashReceiver, openCrashReceiver } from './receiver.ts';
import { listDeliveryCounts } from './rows-store.ts';

/** What a run is asked to do. */
export interface HooksCrashOptions {
  readonly kills: number;
  readonly events: number;
  readonly seed: number;
}

const SENDERS = 2;
const PARTNERS = 5;
const ORDERED = 2;
/** One kill in so many is the database's. */
const DATABASE_SHARE = 0.25;
const LONGEST_PAUSE_MS = 900;
/** Whatever is away for longer than this is told of. */
const LONG_AWAY_MS = 15_000;
const POLL_MS = 250;
/** So many changes make one transaction: the disk is written once for all of them. */
const TOGETHER = 25;
const LONGEST_DRAIN_MS = 600_000;

/** Everything that a run is played on. */
interface HooksStage {
  readonly folder: string;
  readonly cluster: CrashCluster;
  readonly senders: readonly Victim[];
  readonly receiver: CrashReceiver;
  readonly partners: readonly CrashPartner[];
  readonly database: ReturnType<typeof connectDatabase>;
  readonly unexpected: string[];
}

/**
 * Lets partners' connections change while senders and the database are killed with `kill -9`, then
 * waits until nothing is queued any more and says what arrived.
 */
export async function playHooksCrash(
  { kills, events, seed }: HooksCrashOptions,
  tell: (line: string) => void,
): Promise<HooksReport> {
  const lots = lotsOf(seed);
  const stage = await buildHooksStage(lots);
  try {
    const { senders } = stage;
    await Promise.all(senders.map((sender) => sender.start()));
    const writing = Promise.all(
      stage.partners.map((partner) => writeEvents(partner, Math.ceil(events / PARTNERS))),
    );
    await killAround(stage, kills, lots.stream('kills'), tell);
    await writing;
    tell('every change is made, and every kill');
    await drain(stage);
    const { database, partners, receiver, unexpected } = stage;
    const report = await checkArrived(database, partners, receiver);
    return { ...report, violations: [...unexpected, ...report.violations] };
  } finally {
    for (const victim of [...stage.senders, stage.cluster]) await victim.kill();
    await stage.receiver.close();
    await stage.database.close().catch(() => {});
    rmSync(stage.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function buildHooksStage(lots: Lots): Promise<HooksStage> {
  const folder = mkdtempSync(join(tmpdir(), 'servery-hooks-'));
  // PostgreSQL does not run as root: whoever it runs as must be able to enter.
  chmodSync(folder, 0o755);
  const cluster = await crashCluster(join(folder, 'cluster'));
  await cluster.start();
  const database = connectDatabase({ url: cluster.url, poolSize: 8 });
  await migrate(database);
  const receiver = await openCrashReceiver(lots.stream('receiver'));
  const masterKey = randomBytes(32);
  const clock = databaseClock(await readDatabaseTimeMs(database.sql));
  const deps = { database, vault: createVault(masterKey), clock };
  const partners: CrashPartner[] = [];
  for (let index = 0; index < PARTNERS; index += 1) {
    const wanted = { receiverUrl: receiver.url, isOrdered: index < ORDERED };
    partners.push(await makeCrashPartner(deps, `partner-${index + 1}`, wanted));
  }
  const unexpected: string[] = [];
  const senders = Array.from({ length: SENDERS }, (_, index) =>
    keptProcess({
      name: `sender-${index + 1}`,
      args: [
        fileURLToPath(new URL('sender.ts', import.meta.url)),
        ...[cluster.url, masterKey.toString('base64')],
      ],
      ...{ cwd: folder, env: {}, ready: /^ready$/, logFile: join(folder, `sender-${index}.log`) },
      onUnexpectedEnd: (how) => unexpected.push(`sender-${index + 1} ended by itself: ${how}`),
    }),
  );
  return { folder, cluster, senders, receiver, partners, database, unexpected };
}

/** Makes so many changes in their order; some that fail are followed by the next numbers. */
async function writeEvents(partner: CrashPartner, count: number): Promise<void> {
  for (let next = 1; partner.acknowledged.size < count; next += TOGETHER) {
    const numbers = Array.from({ length: TOGETHER }, (_, index) => next + index);
    await partner.change(numbers).catch(() => sleep(POLL_MS));
  }
}

async function killAround(
  { senders, cluster, database }: HooksStage,
  kills: number,
  lots: Lots,
  tell: (line: string) => void,
): Promise<void> {
  for (let killed = 1; killed <= kills; killed += 1) {
    await sleep(lots.between(0, LONGEST_PAUSE_MS));
    const victim = lots.chance(DATABASE_SHARE) ? cluster : lots.pick(senders);
    const killedAt = performance.now();
    await victim.kill();
    await victim.start();
    await callForward(database);
    const awayMs = Math.round(performance.now() - killedAt);
    if (killed % 10 === 0 || awayMs > LONG_AWAY_MS) {
      tell(`${killed} kills, ${victim.name} was away for ${awayMs} ms`);
    }
  }
}

/**
 * A machine that is busy with restarts answers late, and its endpoints are paused: nobody here
 * waits for the next probe.
 */
async function callForward({ sql }: HooksStage['database']): Promise<void> {
  const now = new Date(await readDatabaseTimeMs(sql).catch(() => 0));
  await updateWaitingDeliveriesDue(sql, now, now).catch(() => {});
}

async function drain({ database }: HooksStage): Promise<void> {
  const limitAt = performance.now() + LONGEST_DRAIN_MS;
  for (;;) {
    await callForward(database);
    const counts = await listDeliveryCounts(database.sql).catch(() => null);
    const queued = counts?.find(({ state }) => state === 'QUEUED')?.count ?? 0;
    if ((counts && queued === 0) || performance.now() > limitAt) return;
    await sleep(POLL_MS);
  }
}
