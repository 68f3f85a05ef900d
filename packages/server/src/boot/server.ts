import { join } from 'node:path';
import { newRandomId } from '@servery/support/ids.ts';
import { machineTimer, sleep } from '@servery/support/timer.ts';
import { attestEntries } from '../audit/origin.ts';
import { countClientUses } from '../clients/client-uses.ts';
import type { Config } from '../config/config.ts';
import { configurationHandlers } from '../configuration/partner/handlers.ts';
import { findLedgerId } from '../database/environment.ts';
import { announceAddress } from '../database/processes.ts';
import { createApplication } from '../http/edge/application.ts';
import { errorPageHandlers } from '../http/edge/error-page.ts';
import { healthHandlers } from '../http/edge/health.ts';
import { indexPageHandlers } from '../http/edge/index-page.ts';
import { listen, listenTls } from '../http/edge/listen.ts';
import { openConnections } from '../http/edge/open-connections.ts';
import { openApiHandlers } from '../http/edge/openapi-documents.ts';
import { developmentCertificate, readCertificate } from '../http/edge/tls.ts';
import type { OperationHandlers } from '../http/operation.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import { menuHandlers } from '../menus/partner/handlers.ts';
import { configurationReader } from '../orders/configuration.ts';
import { ordersHere } from '../orders/kitchen/orders-here.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { orderMetrics } from '../orders/order-metrics.ts';
import { findRestaurantOfOrder } from '../orders/order-store.ts';
import { orderHandlers } from '../orders/partner/handlers.ts';
import { menusReader } from '../orders/published-menus.ts';
import { restaurantAccess } from '../partners/access.ts';
import { partnerHandlers } from '../partners/partner/handlers.ts';
import { requirePartner } from '../partners/partners.ts';
import { createUnderWay, type UnderWay } from '../payments/authorize/under-way.ts';
import { paymentHandlers } from '../payments/partner/handlers.ts';
import { paymentMetrics } from '../payments/payment-metrics.ts';
import { NO_PROCESSOR } from '../payments/processors/none.ts';
import { beginProcessor } from '../payments/processors/open.ts';
import { claimLedger } from '../payments/processors/own-ledger.ts';
import { identifyCaller } from '../people/authenticate-session.ts';
import { announceFirstOperator } from '../people/first-operator.ts';
import { restaurantHandlers } from '../restaurants/partner/handlers.ts';
import { refuseOtherDatabase } from '../sandbox/data-folder.ts';
import { isDemoClient } from '../sandbox/demo-file.ts';
import type { DemoOrderDeps } from '../sandbox/demo-orders.ts';
import { clockMover } from '../sandbox/move-clock.ts';
import type { NamedWork } from '../sandbox/mover.ts';
import { announceSandbox, fillSandbox, type SandboxDeps } from '../sandbox/prepare.ts';
import { stockHandlers } from '../stock/partner/handlers.ts';
import { type Auth, createAuth } from '../tokens/auth.ts';
import { parseAuthorization } from '../tokens/bearer.ts';
import { partnerEventHandlers } from '../webhooks/partner/handlers.ts';
import { backOfficeHandlers } from './back-office-handlers.ts';
import { checkBeforeStart } from './before-start.ts';
import { dueWorkOf, type LifeDeps, runDueWork } from './due-work.ts';
import { type Logs, startLogs } from './logs.ts';
import { watch } from './observe.ts';
import { orderSettingsOf } from './order-settings.ts';
import { openParts, type Parts, type StartOptions } from './parts.ts';
import { readiness } from './readiness.ts';
import { startWebhooks, targetRulesOf } from './webhooks-at-work.ts';

export interface Platform {
  readonly url: string;
  readonly tlsUrl: string | null;
  /** Shown before the line that says the server is ready; may be empty. */
  readonly greeting: string;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Throws an Error that says what to do, and stops what it started. */
export async function start(config: Config, options: StartOptions = {}): Promise<Platform> {
  const { worker, begun, onProgress = () => {} } = options;
  const { keyPairs, contents = null } = begun ?? {};
  const instance = worker?.groupId ?? newRandomId();
  const stopping = begun?.stopping ?? new AbortController();
  const undo = new AsyncDisposableStack();
  const stop = async () => {
    stopping.abort();
    await undo.disposeAsync();
  };
  try {
    // With workers, the parent has checked, and the first worker fills the sandbox.
    if (!worker && !begun) await checkBeforeStart(config);
    const isFirst = worker?.isFirst ?? true;
    const isFilled = config.kind === 'sandbox' && isFirst;
    const coming = begun?.processor ?? beginProcessor(config, { onProgress, stopping });
    undo.defer(() => coming.close());
    const parts = await openParts(config, options, stopping.signal, undo);
    const { database, clock, realClock, log, metrics, onError, address } = parts;
    coming.tellLedger(await findLedgerId(database));
    const { processor, ...holder } = await coming.opening;
    await claimLedger(database, holder);
    if (processor.isAbsent && isFirst) log.warn(NO_PROCESSOR);
    if (isFilled) await refuseOtherDatabase(config.dataDir, database);
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
    const orders = demoOrderDeps(parts, life, ordering, underWay);
    const sandbox: SandboxDeps = { ...parts, ...keyPairs, contents, onProgress, orders };
    const filled = isFilled ? await fillSandbox(sandbox) : null;
    const webhooks = startWebhooks(parts);
    undo.defer(webhooks.stop);
    const dueWork = dueWorkOf(parts, { ...life, stopping: stopping.signal }, webhooks.work);
    undo.defer(runDueWork(parts, dueWork));
    const handlers = {
      ...handlersOf(parts, auth, { ...logs, life, ordering, dueWork, underWay }),
      ...healthHandlers({ whyUnready: readiness(parts), instance }),
    };
    const watching = await watch(parts, dueWork, undo);
    const connections = await openConnections({ ...parts, ...config });
    const observers = [uses, ...logs.observers, ...watching, webhooks.observer];
    const app = createApplication(
      { ...applicationDeps(parts, auth, observers), connections },
      handlers,
    );
    undo.defer(() => app.close());
    const url = await listen(app, config);
    address.url = config.publicUrl ?? url;
    await announceAddress(parts.processes, address.url, onProgress);
    const certificate = await certificateOf(parts);
    const tls =
      config.tls && certificate && (await listenTls(app, config.tls, certificate, connections));
    if (tls) undo.defer(tls.close);
    const tlsUrl = tls?.url ?? null;
    const addresses = { url: address.url, ownUrl: url, tlsUrl, instance };
    const greeting = isFilled ? await announceSandbox(sandbox, filled, addresses) : '';
    const link = isFirst ? await announceFirstOperator(parts, address.url, onProgress) : '';
    return { url, tlsUrl, greeting: `${greeting}${link}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function certificateOf({ config: { tls, dataDir }, realClock }: Parts) {
  if (!tls) return null;
  return 'selfSigned' in tls
    ? developmentCertificate(join(dataDir, 'tls'), realClock)
    : readCertificate(tls.certFile, tls.keyFile);
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

function applicationDeps(parts: Parts, auth: Auth, observers: readonly RequestObserver[]) {
  const { config, caches, database, address } = parts;
  return {
    ...parts,
    ...config,
    authenticate: identifyCaller(parts, authenticateBy(auth)),
    access: restaurantAccess({ ...parts, ...caches }),
    isSandbox: config.kind === 'sandbox',
    restaurantOfOrder: (guid: string) => findRestaurantOfOrder(database.sql, guid),
    cache: { freshness: database.freshness, ...caches },
    baseUrl: () => address.url,
    observers,
    attest: attestEntries(parts.vault),
  };
}

function authenticateBy(auth: Auth) {
  return (header: string | undefined, nowMs: number) =>
    auth.authenticate(parseAuthorization(header), nowMs);
}

type Ordering = Pick<OrderDeps, 'orderSettings' | 'findConfiguration' | 'menusOf'>;

function orderingOf({ config, database }: Parts): Ordering {
  return {
    orderSettings: orderSettingsOf(config),
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
  const { kind, processor, paymentRepeat: repeat } = parts.config;
  const isSimulated = processor.kind === 'simulator' || processor.kind === 'in-process';
  return isSimulated ? { ...parts, ...life, ...ordering, underWay, kind, repeat } : null;
}

interface Workings extends Logs {
  readonly life: LifeDeps;
  readonly ordering: Ordering;
  readonly dueWork: readonly NamedWork[];
  readonly underWay: UnderWay;
}

function handlersOf(
  shared: Parts,
  auth: Auth,
  { life, ordering, dueWork, underWay, requestStreams, eventStreams }: Workings,
): Omit<OperationHandlers, 'health.live' | 'health.ready'> {
  const { config, movable, stopping } = shared;
  const { brand, kind, groupList, connectedRestaurantsShape, velocityLimits } = config;
  const parts = {
    ...shared,
    ...shared.caches,
    access: restaurantAccess({ ...shared, ...shared.caches }),
  };
  const zeroQuantity = config.stockZeroQuantity;
  return {
    ...auth.handlers,
    ...errorPageHandlers(brand),
    ...indexPageHandlers(brand),
    ...openApiHandlers(brand),
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
