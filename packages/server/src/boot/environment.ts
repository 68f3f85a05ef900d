import { machineTimer, sleep } from '@servery/support/timer.ts';
import { attestEntries } from '../audit/origin.ts';
import { countClientUses } from '../clients/client-uses.ts';
import type { Config } from '../config/config.ts';
import { configurationHandlers } from '../configuration/partner/handlers.ts';
import type { Database } from '../database/database.ts';
import type { FaultRules } from '../faults/fault-rules.ts';
import type { GroupContents } from '../group-document/contents.ts';
import { BUILT_CONSOLE } from '../http/edge/console-files.ts';
import type { AnsweringEnvironment } from '../http/edge/environments.ts';
import { type ExplainRequest, errorPageHandlers } from '../http/edge/error-page.ts';
import { healthHandlers } from '../http/edge/health.ts';
import { indexPageHandlers } from '../http/edge/index-page.ts';
import { llmsHandlers } from '../http/edge/llms-text.ts';
import { openApiHandlers } from '../http/edge/openapi-documents.ts';
import type { OperationHandlers } from '../http/operation.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import { referenceAssets } from '../http/reference/assets.ts';
import { referenceHandlers } from '../http/reference/handlers.ts';
import { menuHandlers } from '../menus/partner/handlers.ts';
import { configurationReader } from '../orders/configuration.ts';
import { updateOpenOrdersDue } from '../orders/kitchen/due-store.ts';
import { ordersHere } from '../orders/kitchen/orders-here.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { orderMetrics } from '../orders/order-metrics.ts';
import { findRestaurantOfOrder } from '../orders/order-store.ts';
import { orderHandlers } from '../orders/partner/handlers.ts';
import { menusReader } from '../orders/published-menus.ts';
import { restaurantReader } from '../orders/published-restaurant.ts';
import { restaurantAccess } from '../partners/access.ts';
import { partnerHandlers } from '../partners/partner/handlers.ts';
import { requirePartner } from '../partners/partners.ts';
import { createUnderWay, type UnderWay } from '../payments/authorize/under-way.ts';
import { testCards } from '../payments/cards/test-cards.ts';
import { paymentHandlers } from '../payments/partner/handlers.ts';
import { paymentMetrics } from '../payments/payment-metrics.ts';
import { NO_PROCESSOR } from '../payments/processors/none.ts';
import type { Processor } from '../payments/processors/processor.ts';
import { identifyCaller } from '../people/authenticate-session.ts';
import { type ReadDetailsDeps, readRequestDetails } from '../requests/read-details.ts';
import type { ReplayEnvironment, ReplayTargets } from '../requests/replay/ports.ts';
import { restaurantHandlers } from '../restaurants/partner/handlers.ts';
import { isDemoClient } from '../sandbox/demo-file.ts';
import type { DemoOrderDeps } from '../sandbox/demo-orders.ts';
import { clockMover } from '../sandbox/move-clock.ts';
import type { NamedWork } from '../sandbox/mover.ts';
import { type FilledSandbox, fillSandbox, type SandboxDeps } from '../sandbox/prepare.ts';
import { findExampleRestaurant } from '../sandbox/store.ts';
import type { SandboxesHere } from '../sandboxes/office/deps.ts';
import { stockHandlers } from '../stock/partner/handlers.ts';
import { everywhere } from '../support/due-work.ts';
import { type Auth, createAuth } from '../tokens/auth.ts';
import { parseAuthorization } from '../tokens/bearer.ts';
import { partnerEventHandlers } from '../webhooks/partner/handlers.ts';
import { backOfficeHandlers } from './back-office-handlers.ts';
import type { BegunStart } from './begin-start.ts';
import { demoTokens } from './demo-tokens.ts';
import { dueWorkOf, type LifeDeps, runDueWork } from './due-work.ts';
import { startFaults } from './faults.ts';
import { type Logs, startLogs } from './logs.ts';
import { watch } from './observe.ts';
import { orderSettingsOf } from './order-settings.ts';
import { openParts, type Parts, type PartsOptions } from './parts.ts';
import { readiness } from './readiness.ts';
import { replayEnvironment } from './replay.ts';
import { startWebhooks, targetRulesOf } from './webhooks-at-work.ts';

/** Serves one environment, but listens nowhere. */
export interface Environment extends AnsweringEnvironment {
  readonly parts: Parts;
  readonly dueWork: readonly NamedWork[];
  /** Null if this process has not filled it: another one does, or it is a production. */
  readonly sandbox: { readonly deps: SandboxDeps; readonly filled: FilledSandbox | null } | null;
  readonly replaying: ReplayEnvironment;
  /** Writes the requests that wait to be logged. */
  readonly flushLog: () => Promise<void>;
  /** Call it when no request is under way anymore. */
  stop(): Promise<void>;
}

export interface EnvironmentOptions extends PartsOptions {
  readonly keyPairs: BegunStart['keyPairs'] | undefined;
  readonly onProgress: (line: string) => void;
  /** Of the process. */
  readonly instance: string;
  /** False if another process fills the sandbox. */
  readonly isFirst: boolean;
  readonly stopping: AbortController;
  readonly contents: GroupContents | null;
  /** Null in a sandbox beside the main environment. */
  readonly sandboxes: () => SandboxesHere | null;
  /** Where requests of this environment can be replayed. Null in production. */
  readonly replayTargets: () => ReplayTargets | null;
  /** Also refuses the start, before anything is written, if the database must not be used. */
  readonly openProcessor: (database: Database) => Promise<Processor>;
}

const DAY_MS = 86_400_000;

/** Throws an Error that says what to do, and stops what it started. */
export async function openEnvironment(
  config: Config,
  options: EnvironmentOptions,
): Promise<Environment> {
  const { stopping, onProgress, instance, isFirst, keyPairs, contents } = options;
  const undo = new AsyncDisposableStack();
  const stop = async () => {
    stopping.abort();
    await undo.disposeAsync();
  };
  try {
    const parts = await openParts(config, options, undo);
    const { database, clock, realClock, log, metrics, onError } = parts;
    const faults = await startFaults(parts, undo);
    const opened = await options.openProcessor(database);
    const processor = faults?.ofProcessor(opened) ?? opened;
    if (processor.isAbsent && isFirst) log.warn(NO_PROCESSOR);
    const uses = countClientUses({ ...parts, onError });
    undo.defer(() => uses.stop());
    const logs = startLogs(parts);
    undo.defer(logs.stop);
    const auth = createAuth({ ...authPartsOf(parts), ...keyPairs, secretUses: uses });
    await auth.signingKeys.ensure(clock.nowMs());
    const underWay = createUnderWay();
    undo.defer(() => underWay.settled());
    const observer = orderMetrics(metrics, paymentMetrics(metrics, parts), parts);
    const ordering = orderingOf(parts);
    const life = {
      ...{ database, clock, realClock, log, observer, processor, timer: machineTimer },
      ordersHere: ordersHere({ database, observer, orderSettings: ordering.orderSettings }),
    };
    const sandbox = config.kind === 'sandbox' && isFirst ? await fill() : null;
    const webhooks = startWebhooks(parts, faults?.ofDeliveries ?? null);
    undo.defer(webhooks.stop);
    const dueWork = dueWorkOf(parts, { ...life, stopping: stopping.signal }, webhooks.work);
    undo.defer(runDueWork(parts, dueWork));
    const { flushLog } = logs;
    const isSandbox = config.kind === 'sandbox';
    const replaying = replayEnvironment(parts, auth, { database, isSandbox, flushLog });
    const handlers = {
      ...handlersOf(parts, auth, {
        ...{ ...logs, ...options, life, ordering, dueWork, underWay, replaying },
        faultRules: faults?.rules ?? null,
      }),
      ...healthHandlers({ whyUnready: readiness(parts), instance }),
    };
    const watching = await watch(parts, dueWork, undo);
    const observers = [uses, ...logs.observers, ...watching, webhooks.observer];
    const faultsOfRequests = faults?.ofRequests ?? null;
    const deps = { ...answeringDeps(parts, auth, observers), faults: faultsOfRequests };
    return { parts, deps, handlers, dueWork, sandbox, replaying, flushLog, stop };

    async function fill() {
      const orders = demoOrderDeps(parts, life, ordering, underWay);
      const deps: SandboxDeps = { ...parts, ...keyPairs, contents, onProgress, orders };
      const filled = await fillSandbox(deps);
      if (ordering.orderSettings.kitchen === 'simulated') {
        await updateOpenOrdersDue(database.sql, new Date(clock.nowMs()));
      }
      return { deps, filled };
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

function authPartsOf(parts: Parts) {
  const { brand, tokenLifetimeSeconds, signingKeyDays } = parts.config;
  const issuer = { baseUrl: () => parts.address.url, brand, tokenLifetimeSeconds };
  const rotateAfterMs = signingKeyDays * DAY_MS;
  // A successor is published a day ahead, or after half of the key's time if that is shorter.
  const publishAheadMs = Math.min(DAY_MS, rotateAfterMs / 2);
  return {
    ...parts,
    ...parts.caches,
    issuer,
    signingKeyPolicy: { rotateAfterMs, publishAheadMs },
  };
}

function answeringDeps(parts: Parts, auth: Auth, observers: readonly RequestObserver[]) {
  const { config, caches, database, address } = parts;
  return {
    ...parts,
    ...config,
    authenticate: identifyCaller(parts, authenticateBy(auth)),
    access: restaurantAccess({ ...parts, ...caches }),
    isSandbox: config.kind === 'sandbox',
    restaurantOfOrder: (guid: string) => findRestaurantOfOrder(database.sql, guid),
    cache: { freshness: database.freshness, ...caches },
    statementTimes: database.statementTimes,
    baseUrl: () => address.url,
    observers,
    attest: attestEntries(parts.vault),
  };
}

/** In a sandbox, the random id of a request is enough to read why it was refused. */
function explainBy(deps: ReadDetailsDeps): ExplainRequest {
  return async (requestId) =>
    (await readRequestDetails(deps, requestId, everywhere))?.explanation ?? null;
}

function authenticateBy(auth: Auth) {
  return (header: string | undefined, nowMs: number) =>
    auth.authenticate(parseAuthorization(header), nowMs);
}

type Ordering = Pick<OrderDeps, 'orderSettings' | 'restaurantOf' | 'findConfiguration' | 'menusOf'>;

function orderingOf({ config, database, caches }: Parts): Ordering {
  return {
    orderSettings: orderSettingsOf(config),
    restaurantOf: restaurantReader(database, caches.orderingRestaurants),
    findConfiguration: configurationReader(),
    menusOf: menusReader(database),
  };
}

/**
 * Null if the processor is not ours: it gets no cards from us that nobody sent. Metrics count what
 * callers do, so not these orders.
 */
function demoOrderDeps(
  parts: Parts,
  { observer: _uncounted, ...life }: LifeDeps,
  ordering: Ordering,
  underWay: UnderWay,
): DemoOrderDeps | null {
  const { kind, paymentRepeat: repeat } = parts.config;
  return isSimulated(parts.config)
    ? { ...parts, ...life, ...ordering, underWay, kind, repeat }
    : null;
}

function isSimulated({ processor: { kind } }: Pick<Config, 'processor'>): boolean {
  return kind === 'simulator' || kind === 'in-process';
}

interface Workings extends Logs, Pick<EnvironmentOptions, 'sandboxes' | 'replayTargets'> {
  readonly replaying: ReplayEnvironment;
  readonly life: LifeDeps;
  readonly ordering: Ordering;
  readonly dueWork: readonly NamedWork[];
  readonly underWay: UnderWay;
  readonly faultRules: FaultRules | null;
}

function handlersOf(
  shared: Parts,
  auth: Auth,
  {
    life,
    ordering,
    dueWork,
    underWay,
    requestStreams,
    eventStreams,
    flushLog,
    sandboxes,
    replayTargets,
    replaying: here,
    faultRules,
  }: Workings,
): Omit<OperationHandlers, 'health.live' | 'health.ready'> {
  const { config, movable, stopping } = shared;
  const { brand, kind, groupList, connectedRestaurantsShape, velocityLimits } = config;
  const parts = {
    ...shared,
    ...shared.caches,
    access: restaurantAccess({ ...shared, ...shared.caches }),
  };
  const zeroQuantity = config.stockZeroQuantity;
  const logReading = { database: shared.database, isSandbox: kind === 'sandbox', flushLog };
  return {
    ...auth.handlers,
    ...errorPageHandlers(brand, logReading.isSandbox ? explainBy(logReading) : null),
    ...indexPageHandlers(brand),
    ...openApiHandlers(brand),
    ...llmsHandlers(brand),
    ...referenceHandlers({
      ...{ brand, isSandbox: kind === 'sandbox', rateLimits: config.rateLimits },
      assets: referenceAssets(BUILT_CONSOLE),
      exampleRestaurant: () => findExampleRestaurant(shared.database.sql),
    }),
    ...restaurantHandlers({ ...parts, groupList }),
    ...configurationHandlers({ ...parts, brand }),
    ...menuHandlers({ ...parts, brand }),
    ...stockHandlers({ ...parts, zeroQuantity }),
    ...orderHandlers({ ...parts, ...life, ...ordering }),
    ...partnerHandlers({ ...parts, connectedRestaurantsShape }),
    ...partnerEventHandlers({ ...parts, eventStreams, authenticate: authenticateBy(auth) }),
    ...backOfficeHandlers({
      ...life,
      ...parts,
      mover: movable && clockMover({ ...parts, clock: movable, dueWork }),
      dueWork,
      zeroQuantity,
      requestStreams,
      sandboxes,
      replays: () => {
        const targets = replayTargets();
        return targets && { here, targets };
      },
      testCards,
      brand,
      logInAsDemoAccount: demoTokens(shared, auth),
      faultRules,
      hasSimulator: isSimulated(config),
      ...logReading,
      pause: (durationMs) => sleep(durationMs, stopping),
      isKept: isDemoClient(config),
      ...ordering,
      targetRules: targetRulesOf(config),
      requirePartner: (reach, guid) => requirePartner(parts, reach, guid),
    }),
    ...paymentHandlers({
      ...parts,
      ...life,
      underWay,
      kind,
      amountShape: config.paymentAmountShape,
      repeat: config.paymentRepeat,
      velocityLimits,
    }),
  };
}
