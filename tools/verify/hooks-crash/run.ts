import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { databaseClock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import { sleep } from '@servery/support/timer.ts';
import { connectDatabase } from '../../../packages/server/src/database/database.ts';
import { migratePlatform } from '../../../packages/server/src/database/migrations.ts';
import { type CrashCluster, crashCluster } from '../crash/cluster.ts';
import { keptProcess, type Victim } from '../crash/kept-process.ts';
import { type Lots, lotsOf } from '../crash/random.ts';
import { checkArrived, type HooksReport } from './check.ts';
import { type CrashPartner, makeCrashPartner } from './partner.ts';
import { type CrashReceiver, openCrashReceiver } from './receiver.ts';
import { findIsPaused, listClaims, listDeliveryCounts, updateOthersDue } from './rows-store.ts';

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
const LONGEST_PAUSE_MS = 600;
/** So long after deliveries began a kill comes at the latest. */
const LONGEST_BUSY_MS = 20;
/** So seldom a kill comes while answers are kept back: by chance alone, none might be busy. */
const KEPT_BACK_EVERY = 10;
const LONGEST_KEPT_MS = 60_000;
/** Whatever is away for longer than this is told of. */
const LONG_AWAY_MS = 15_000;
const POLL_MS = 250;
const PACE_MS = 20;
/** So many changes make one transaction: the disk is written once for all of them. */
const TOGETHER = 25;
const LONGEST_DRAIN_MS = 600_000;
/** A run of so many kills has the time for a pause that ends by itself, which takes a minute. */
const LONG_RUN_KILLS = 40;
const AWAY_AFTER = 0.3;

/** Everything that a run is played on. */
interface HooksStage {
  readonly folder: string;
  readonly cluster: CrashCluster;
  readonly senders: readonly Victim[];
  readonly receiver: CrashReceiver;
  readonly partners: readonly CrashPartner[];
  readonly database: ReturnType<typeof connectDatabase>;
  readonly unexpected: string[];
  readonly kills: Kills;
}

/** How far the kills of a run are. */
interface Kills {
  readonly wanted: number;
  /** The one that comes next, for which events are written, and how many were made. */
  next: number;
  made: number;
  /** Those that came while somebody worked on deliveries. */
  busy: number;
  /** The claims that were there after the last one. */
  leftBehind: ReadonlySet<string>;
  /** Whether the partner that is left alone was refused until it was paused. */
  away: 'not yet' | 'refused' | 'paused';
}

/**
 * Lets partners' connections change while senders and the database are killed with `kill -9`, then
 * waits until nothing is queued anymore and says what arrived. One partner is left alone: its
 * retries come by themselves or not at all, and in a long run so does a probe that ends a pause.
 */
export async function playHooksCrash(
  { kills, events, seed }: HooksCrashOptions,
  tell: (line: string) => void,
): Promise<HooksReport> {
  const lots = lotsOf(seed);
  const stage = await buildHooksStage(lots, kills);
  try {
    const { senders } = stage;
    await Promise.all(senders.map((sender) => sender.start()));
    const writing = Promise.all(
      stage.partners.map((partner) =>
        writeEvents(partner, Math.ceil(events / PARTNERS), stage.kills),
      ),
    );
    await killAround(stage, lots.stream('kills'), tell);
    await writing;
    tell('every change is made, and every kill');
    await drain(stage);
    const { database, partners, receiver, unexpected } = stage;
    const report = await checkArrived(database, partners, receiver);
    const violations = [...unexpected, ...shortcomings(stage, report.events, events)];
    const busyKills = stage.kills.busy;
    return { ...report, busyKills, violations: [...violations, ...report.violations] };
  } finally {
    for (const victim of [...stage.senders, stage.cluster]) await victim.kill();
    await stage.receiver.close();
    await stage.database.close().catch(() => {});
    rmSync(stage.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** What a run did not do that it was asked for. */
function shortcomings({ kills }: HooksStage, written: number, wanted: number): string[] {
  const violations: string[] = [];
  if (written < wanted) violations.push(`${written} events were written instead of ${wanted}`);
  if (kills.wanted >= LONG_RUN_KILLS && kills.away !== 'paused')
    violations.push('the partner that was left alone was never paused');
  return violations;
}

async function buildHooksStage(lots: Lots, wanted: number): Promise<HooksStage> {
  const folder = mkdtempSync(join(tmpdir(), 'servery-hooks-'));
  // PostgreSQL does not run as root: whoever it runs as must be able to enter.
  chmodSync(folder, 0o755);
  const cluster = await crashCluster(join(folder, 'cluster'));
  await cluster.start();
  const database = connectDatabase({ url: cluster.url, poolSize: 8 });
  await migratePlatform(database);
  const receiver = await openCrashReceiver(lots.stream('receiver'));
  const masterKey = randomBytes(32);
  const clock = databaseClock(await readDatabaseTimeMs(database.sql));
  const deps = { database, vault: createVault(masterKey), clock };
  const partners: CrashPartner[] = [];
  for (let index = 0; index < PARTNERS; index += 1) {
    const kind = { isOrdered: index < ORDERED, isLeftAlone: index === PARTNERS - 1 };
    const endpoint = { receiverUrl: receiver.url, ...kind };
    partners.push(await makeCrashPartner(deps, `partner-${index + 1}`, endpoint));
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
  const kills: Kills = {
    ...{ wanted, next: 0, made: 0, busy: 0 },
    ...{ leftBehind: new Set(), away: 'not yet' },
  };
  return { folder, cluster, senders, receiver, partners, database, unexpected, kills };
}

/**
 * Makes so many changes in their order; some that fail are followed by the next numbers. Each kill
 * has its share of them: one that comes when all is delivered proves nothing.
 */
async function writeEvents(partner: CrashPartner, count: number, kills: Kills): Promise<void> {
  for (let next = 1; partner.acknowledged.size < count; next += TOGETHER) {
    const share = () => (kills.next + 1) / (kills.wanted + 1);
    while (partner.acknowledged.size >= count * share()) await sleep(PACE_MS);
    const numbers = Array.from({ length: TOGETHER }, (_, index) => next + index);
    await partner.change(numbers).catch(() => sleep(POLL_MS));
  }
}

async function killAround(
  stage: HooksStage,
  lots: Lots,
  tell: (line: string) => void,
): Promise<void> {
  const { senders, cluster, database, kills } = stage;
  while (kills.made < kills.wanted) {
    await sleep(lots.between(0, LONGEST_PAUSE_MS));
    const victim = lots.chance(DATABASE_SHARE) ? cluster : lots.pick(senders);
    // The first one counts: more events are written for it than are there.
    const letGo = kills.next % KEPT_BACK_EVERY === 0 ? stage.receiver.keepBack() : null;
    kills.next += 1;
    const wasBusy = await untilBusy(stage, letGo ? LONGEST_KEPT_MS : LONGEST_PAUSE_MS);
    if (!letGo) await sleep(lots.between(0, LONGEST_BUSY_MS));
    kills.busy += letGo ? Number(wasBusy) : Number(await isBusy(stage));
    const killedAt = performance.now();
    await victim.kill();
    letGo?.();
    await victim.start();
    kills.made += 1;
    kills.leftBehind = new Set(await listClaims(database.sql).catch(() => []));
    await callForward(stage);
    await turnAway(stage);
    const awayMs = Math.round(performance.now() - killedAt);
    if (kills.made % 10 === 0 || awayMs > LONG_AWAY_MS) {
      const busy = `${kills.busy} of them while deliveries were under way`;
      tell(`${kills.made} kills, ${busy}; ${victim.name} was away for ${awayMs} ms`);
    }
  }
}

/** Waits, but not for longer than that, until somebody works on deliveries; gives whether. */
async function untilBusy(stage: HooksStage, longestMs: number): Promise<boolean> {
  const limitAt = performance.now() + longestMs;
  while (performance.now() < limitAt) {
    if (await isBusy(stage)) return true;
    await sleep(PACE_MS);
  }
  return false;
}

/** Whether a claim is held that the kill before this one has not left behind. */
async function isBusy({ database, kills }: HooksStage): Promise<boolean> {
  const claims = await listClaims(database.sql).catch(() => []);
  return claims.some((claim) => !kills.leftBehind.has(claim));
}

/** In a long run all is refused to the partner that is left alone, until its endpoint is paused. */
async function turnAway({ kills, partners, receiver, database }: HooksStage): Promise<void> {
  const alone = partners.find(({ isLeftAlone }) => isLeftAlone);
  if (!alone || kills.wanted < LONG_RUN_KILLS || kills.away === 'paused') return;
  if (kills.away === 'not yet') {
    if (kills.made < kills.wanted * AWAY_AFTER) return;
    receiver.refusing.add(alone.path);
    kills.away = 'refused';
  }
  const isPaused = await findIsPaused(database.sql, alone.guid).catch(() => false);
  if (isPaused) kills.away = 'paused';
  if (isPaused || kills.made === kills.wanted) receiver.refusing.delete(alone.path);
}

/**
 * A machine that is busy with restarts answers late, and its endpoints are paused: nobody here
 * waits for the next probe, but for the partner that is left alone.
 */
async function callForward({ database: { sql }, partners }: HooksStage): Promise<void> {
  const leftAlone = partners.filter(({ isLeftAlone }) => isLeftAlone).map(({ guid }) => guid);
  const nowMs = await readDatabaseTimeMs(sql).catch(() => null);
  if (nowMs !== null) await updateOthersDue(sql, leftAlone, new Date(nowMs)).catch(() => {});
}

async function drain(stage: HooksStage): Promise<void> {
  const { database } = stage;
  const limitAt = performance.now() + LONGEST_DRAIN_MS;
  for (;;) {
    await callForward(stage);
    const counts = await listDeliveryCounts(database.sql).catch(() => null);
    const queued = counts?.find(({ state }) => state === 'QUEUED')?.count ?? 0;
    if ((counts && queued === 0) || performance.now() > limitAt) return;
    await sleep(POLL_MS);
  }
}
