import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { type Clock, databaseClock } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { runEvery } from '@servery/support/runner.ts';
import type { Vault } from '@servery/support/secret.ts';
import { machineTimer, sleep } from '@servery/support/timer.ts';
import { attestEntries } from '../audit/origin.ts';
import { countClientUses } from '../clients/client-uses.ts';
import type { Config } from '../config/config.ts';
import { openVault } from '../config/secrets.ts';
import { createExaminer, type Examiner } from '../configuration/examination/examiner.ts';
import { configurationHandlers } from '../configuration/partner/handlers.ts';
import type { Database } from '../database/database.ts';
import { findLedgerId } from '../database/environment-ledger.ts';
import { openDatabase } from '../database/open.ts';
import { announceAddress, joinProcesses, type ProcessRegistry } from '../database/processes.ts';
import { createApplication } from '../http/edge/application.ts';
import { errorPageHandlers } from '../http/edge/error-page.ts';
import { healthHandlers } from '../http/edge/health.ts';
import { indexPageHandlers } from '../http/edge/index-page.ts';
import { openConnections } from '../http/edge/open-connections.ts';
import { openApiHandlers } from '../http/edge/openapi-documents.ts';
import type { OperationHandlers } from '../http/operation.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import type { RateCounter } from '../http/pipeline/rate-limit.ts';
import { deletePassedRateCounts } from '../http/pipeline/rate-limit-store.ts';
import { restaurantAccess } from '../partners/access.ts';
import { partnerHandlers } from '../partners/partner/handlers.ts';
import { requirePartner } from '../partners/partners.ts';
import { createUnderWay, type UnderWay } from '../payments/authorize/under-way.ts';
import { forgetVelocityCounts } from '../payments/authorize/velocity.ts';
import type { SweepDeps } from '../payments/due/sweep.ts';
import { checkTransitions } from '../payments/life/check-transitions.ts';
import { paymentHandlers } from '../payments/partner/handlers.ts';
import { paymentMetrics } from '../payments/payment-metrics.ts';
import { NO_PROCESSOR } from '../payments/processors/none.ts';
import { beginProcessor } from '../payments/processors/open.ts';
import { claimLedger } from '../payments/processors/own-ledger.ts';
import type { Processor } from '../payments/processors/processor.ts';
import { identifyCaller } from '../people/authenticate-session.ts';
import { announceFirstOperator } from '../people/first-operator.ts';
import { forgetPeoplesPast } from '../people/forget.ts';
import type { RequestStreams } from '../requests/streams.ts';
import { restaurantHandlers } from '../restaurants/partner/handlers.ts';
import {
  type EnvironmentClock,
  type MovableClock,
  openEnvironmentClock,
} from '../sandbox/clock.ts';
import { refuseOtherDatabase } from '../sandbox/data-folder.ts';
import { isDemoClient } from '../sandbox/demo-file.ts';
import { clockMover } from '../sandbox/move-clock.ts';
import type { NamedWork } from '../sandbox/mover.ts';
import { announceSandbox, fillSandbox, type SandboxDeps } from '../sandbox/prepare.ts';
import { forgetStockHistory } from '../stock/forget.ts';
import { stockHandlers } from '../stock/partner/handlers.ts';
import { createLog, type Log } from '../support/log.ts';
import { createMetrics, type Metrics } from '../support/metrics.ts';
import { type Auth, createAuth } from '../tokens/auth.ts';
import { parseAuthorization } from '../tokens/bearer.ts';
import { forgetEvents } from '../webhooks/delivery/forget.ts';
import type { EventStreams } from '../webhooks/events/streams.ts';
import { partnerEventHandlers } from '../webhooks/partner/handlers.ts';
import { backOfficeHandlers } from './back-office-handlers.ts';
import { checkBeforeStart } from './before-start.ts';
import type { BegunStart } from './begin-start.ts';
import { type Caches, openCaches } from './caches.ts';
import { dueWorkOf, runDueWork } from './due-work.ts';
import { startLogs } from './logs.ts';
import { programVersion, watch } from './observe.ts';
import { openListener, openTlsListener } from './open-listeners.ts';
import { rateCounterOf } from './rate-counter.ts';
import { readiness, watchWriting } from './readiness.ts';
import { repeatedJobFailed } from './repeated-jobs.ts';
import { startWebhooks, targetRulesOf } from './webhooks-at-work.ts';
import type { WorkerTies } from './workers/link.ts';

export interface Platform {
  readonly url: string;
  readonly tlsUrl: string | null;
  /** Shown before the line that says the server is ready; may be empty. */
  readonly greeting: string;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly onProgress?: (line: string) => void;
  readonly worker?: WorkerTies;
  /** If set, `checkBeforeStart` has passed. */
  readonly begun?: BegunStart;
}

const CLOCK_READING_MS = 1_000;
const FRESHNESS_MS = 250;
const DAY_MS = 86_400_000;
const MIB = 1_048_576;
const QUARTER_HOUR_MS = 900_000;

interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly caches: Caches;
  readonly processes: ProcessRegistry;
  readonly vault: Vault;
  /** For decisions; a sandbox can move it. */
  readonly clock: EnvironmentClock;
  /** Null in production. */
  readonly movable: MovableClock | null;
  /** For budgets, leases, heartbeats and certificates. */
  readonly realClock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly rateCounter: RateCounter;
  readonly examiner: Examiner;
  /** Known once the server listens. */
  readonly address: { url: string };
}

/** Throws an Error that says what to do, and stops what it started. */
export async function start(config: Config, options: StartOptions = {}): Promise<Platform> {
  const onProgress = options.onProgress ?? (() => {});
  const undo: (() => Promise<void>)[] = [];
  const { worker, begun } = options;
  const { keyPairs, contents = null } = begun ?? {};
  const instance = worker?.groupId ?? newRandomId();
  const stopping = begun?.stopping ?? new AbortController();
  const stop = async () => {
    stopping.abort();
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    // With workers, the parent has checked, and the first worker fills the sandbox.
    if (!worker && !begun) await checkBeforeStart(config);
    const isFirst = worker?.isFirst ?? true;
    const isFilled = config.kind === 'sandbox' && isFirst;
    const coming = begun?.processor ?? beginProcessor(config, { onProgress, stopping });
    undo.push(() => coming.close());
    const parts = await openParts(
      config,
      { onProgress, worker, begun, stopping: stopping.signal },
      undo,
    );
    coming.tellLedger(await findLedgerId(parts.database));
    const { processor, ...holder } = await coming.opening;
    await claimLedger(parts.database, holder);
    if (processor.isAbsent && isFirst) parts.log.warn(NO_PROCESSOR);
    if (isFilled) await refuseOtherDatabase(config.dataDir, parts.database);
    const onError = repeatedJobFailed(parts.log, parts.realClock);
    const uses = countClientUses({ ...parts, onError });
    undo.push(() => uses.stop());
    const logs = startLogs({ ...parts, onError, stopping: stopping.signal });
    undo.push(logs.stop);
    const auth = createAuth({ ...authPartsOf(parts), ...keyPairs, secretUses: uses });
    await auth.signingKeys.ensure(parts.clock.nowMs());
    const sandbox: SandboxDeps = { ...parts, ...keyPairs, contents, onProgress };
    const filled = isFilled ? await fillSandbox(sandbox) : null;
    const underWay = createUnderWay();
    undo.push(() => underWay.settled());
    const life = lifeDepsOf(parts, processor);
    const webhooks = startWebhooks({ ...parts, stopping: stopping.signal });
    undo.push(webhooks.stop);
    const dueWork = dueWorkOf(parts, { ...life, stopping: stopping.signal }, webhooks.work);
    undo.push(runDueWork(parts, dueWork));
    const whyUnready = readiness({ ...parts, stopping: stopping.signal });
    const handlers = {
      ...handlersOf(parts, auth, { ...logs, life, dueWork, underWay, stopping: stopping.signal }),
      ...healthHandlers({ whyUnready, instance }),
    };
    const watching = await watch({ ...parts, dueWork });
    undo.push(watching.stop);
    const connections = await openConnections({ ...parts, ...config });
    const observers = [uses, ...logs.observers, ...watching.observers, webhooks.observer];
    const app = createApplication(
      { ...applicationDeps(parts, auth, observers), connections },
      handlers,
    );
    undo.push(() => app.close());
    const url = await openListener(parts, app);
    await announceAddress(parts.processes, parts.address.url, onProgress);
    const tlsUrl = await openTlsListener(parts, app, connections, undo);
    const addresses = { url: parts.address.url, ownUrl: url, tlsUrl, instance };
    const greeting = isFilled ? await announceSandbox(sandbox, filled, addresses) : '';
    const link = isFirst ? await announceFirstOperator(parts, parts.address.url, onProgress) : '';
    return { url, tlsUrl, greeting: `${greeting}${link}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface PartsOptions {
  readonly onProgress: (line: string) => void;
  readonly worker: WorkerTies | undefined;
  readonly begun: BegunStart | undefined;
  readonly stopping: AbortSignal;
}

async function openParts(
  config: Config,
  { onProgress, worker, begun, stopping }: PartsOptions,
  undo: (() => Promise<void>)[],
): Promise<Parts> {
  const log = createLog(config.logLevel);
  const { database, close } = await (begun?.database ?? openDatabase(config, onProgress));
  undo.push(close);
  await checkTransitions(database);
  const vault = await openVault(config, database);
  const realClock = databaseClock(await readDatabaseTimeMs(database.sql));
  const { clock, movable } = await openEnvironmentClock({ database, realClock }, config.kind);
  const follow = async () => {
    await realClock.follow(() => readDatabaseTimeMs(database.sql));
    await clock.refresh();
  };
  const onError = repeatedJobFailed(log, realClock);
  const joining = { database, realClock, groupId: worker?.groupId ?? null, onError };
  const processes = await joinProcesses(joining);
  undo.push(() => processes.stop());
  const following = runEvery(CLOCK_READING_MS, follow, onError);
  undo.push(() => following.stop());
  const forget = async () => {
    await forgetRateCounts(database, realClock);
    await forgetVelocityCounts(database, clock.nowMs());
    await forgetPeoplesPast({ database, realClock });
    await forgetStockHistory(database, clock.nowMs(), config.stockHistoryDays);
    await forgetEvents(database, clock.nowMs(), config.eventDays);
  };
  const sweep = runEvery(QUARTER_HOUR_MS, forget, onError);
  undo.push(() => sweep.stop());
  await database.look();
  const looking = runEvery(FRESHNESS_MS, () => database.look(), onError);
  undo.push(() => looking.stop());
  const address = { url: '' };
  const own = createMetrics(programVersion);
  const metrics = worker?.metrics(own) ?? own;
  const watchingWrites = watchWriting({ log, metrics, processes, onError });
  undo.push(() => watchingWrites.stop());
  const rateCounter = rateCounterOf(database, processes, worker);
  const examiner = createExaminer({ stopping });
  undo.push(() => examiner.stop());
  const clocks = { clock, movable, realClock };
  const caches = openCaches(database.freshness, config.cacheMiB * MIB);
  return {
    config,
    database,
    caches,
    processes,
    vault,
    ...clocks,
    log,
    metrics,
    rateCounter,
    examiner,
    address,
  };
}

function lifeDepsOf(parts: Parts, processor: Processor): SweepDeps {
  const { database, clock, realClock, log, metrics } = parts;
  const observer = paymentMetrics(metrics, parts);
  return { database, clock, realClock, log, observer, processor, timer: machineTimer };
}

async function forgetRateCounts(database: Database, realClock: Clock): Promise<void> {
  await deletePassedRateCounts(database.sql, Math.floor(realClock.nowMs() / QUARTER_HOUR_MS));
}

function authPartsOf(parts: Parts) {
  const { brand, tokenLifetimeSeconds } = parts.config;
  const issuer = { baseUrl: () => parts.address.url, brand, tokenLifetimeSeconds };
  return { ...parts, ...parts.caches, issuer, signingKeyPolicy: policyOf(parts.config) };
}

/** A successor is published a day ahead, or after half of the key's time if that is shorter. */
function policyOf({ signingKeyDays }: Config) {
  const rotateAfterMs = signingKeyDays * DAY_MS;
  return { rotateAfterMs, publishAheadMs: Math.min(DAY_MS, rotateAfterMs / 2) };
}

function applicationDeps(parts: Parts, auth: Auth, observers: readonly RequestObserver[]) {
  const { config, clock, realClock, log, address } = parts;
  return {
    brand: config.brand,
    clock,
    realClock,
    log,
    rateLimits: config.rateLimits,
    rateCounter: parts.rateCounter,
    authenticate: identifyCaller(parts, authenticateBy(auth)),
    access: restaurantAccess({ ...parts, ...parts.caches }),
    isSandbox: config.kind === 'sandbox',
    cache: { freshness: parts.database.freshness, ...parts.caches },
    baseUrl: () => address.url,
    trustedProxies: config.trustedProxies,
    observers,
    attest: attestEntries(parts.vault),
  };
}

function authenticateBy(auth: Auth) {
  return (header: string | undefined, nowMs: number) =>
    auth.authenticate(parseAuthorization(header), nowMs);
}

interface Workings {
  readonly life: SweepDeps;
  readonly dueWork: readonly NamedWork[];
  readonly underWay: UnderWay;
  readonly requestStreams: RequestStreams;
  readonly eventStreams: EventStreams;
  readonly stopping: AbortSignal;
}

function handlersOf(
  parts: Parts,
  auth: Auth,
  { life, dueWork, underWay, requestStreams, eventStreams, stopping }: Workings,
): Omit<OperationHandlers, 'health.live' | 'health.ready'> {
  const { config, movable } = parts;
  const onError = repeatedJobFailed(parts.log, parts.realClock);
  const mover = movable && clockMover({ ...parts, clock: movable, dueWork, onError, stopping });
  const access = restaurantAccess({ ...parts, ...parts.caches });
  const { switches } = config;
  const zeroQuantity = switches['stock.zeroQuantity'];
  const pause = (durationMs: number) => sleep(durationMs, stopping);
  return {
    ...auth.handlers,
    ...errorPageHandlers(config.brand),
    ...indexPageHandlers(config.brand),
    ...openApiHandlers(config.brand),
    ...restaurantHandlers({
      ...parts,
      ...parts.caches,
      access,
      groupList: switches['restaurants.groupList'],
    }),
    ...configurationHandlers({ ...parts, ...parts.caches, brand: config.brand }),
    ...stockHandlers({ ...parts, ...parts.caches, zeroQuantity }),
    ...partnerHandlers({
      ...parts,
      connectedRestaurantsShape: switches['wire.connectedRestaurantsShape'],
    }),
    ...partnerEventHandlers({ ...parts, eventStreams, authenticate: authenticateBy(auth) }),
    ...backOfficeHandlers({
      ...life,
      ...parts,
      mover,
      dueWork,
      access,
      zeroQuantity,
      requestStreams,
      pause,
      isKept: isDemoClient(config),
      targetRules: targetRulesOf(config),
      requirePartner: (reach, guid) => requirePartner(parts, reach, guid),
    }),
    ...paymentHandlers({
      ...parts,
      ...parts.caches,
      ...life,
      underWay,
      kind: config.kind,
      amountShape: switches['wire.paymentAmountShape'],
      repeat: switches['payments.repeat'],
      velocityLimits: config.velocityLimits,
    }),
  };
}
