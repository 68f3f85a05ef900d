import { FixedClock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import { machineTimer } from '@servery/support/timer.ts';
import type { ChangeOrigin } from '../../src/audit/entry-store.ts';
import { createClient } from '../../src/clients/clients.ts';
import type { Database } from '../../src/database/database.ts';
import { connect, updateReferences } from '../../src/partners/connections.ts';
import { everywhere } from '../../src/support/due-work.ts';
import {
  type AttemptRow,
  type DeliveryView,
  listAttempts,
  listDeliveries,
} from '../../src/webhooks/delivery/delivery-store.ts';
import { DeliveryWork, type DeliveryWorkDeps } from '../../src/webhooks/delivery/delivery-work.ts';
import type { EndpointView } from '../../src/webhooks/endpoints/endpoint-store.ts';
import {
  createEndpoint,
  type EndpointDeps,
  type EndpointDraft,
  endpointDefaults,
  findManagedEndpoint,
} from '../../src/webhooks/endpoints/endpoints.ts';
import { Targets } from '../../src/webhooks/sockets/targets.ts';
import { createTestDatabase } from '../database.ts';
import { at, origin } from '../partners/test-origin.ts';
import { NOW_MS } from '../request.ts';
import { insertPartner, insertRestaurant } from '../rows.ts';
import { ManualTimer } from './sockets/manual-timer.ts';
import { openTestReceiver, type TestReceiver } from './webhook-receiver.ts';

const targetRules = { allowsLoopback: true };

/** Ten failures in a row pause an endpoint that has been failing for ten seconds. */
const FAILING_STEP_MS = 2_000;

/** Everything that delivers events in a test: database, clocks, the way to receivers. */
export interface WebhookFixture {
  readonly database: Database;
  readonly databaseUrl: string;
  /** The environment's, which stands until a test moves it. */
  readonly clock: FixedClock;
  /** By which leases run. */
  readonly realClock: FixedClock;
  /** The time that calls to receivers take: a machine that stands still lets none go by. */
  readonly timer: ManualTimer;
  readonly receiver: TestReceiver;
  readonly deps: DeliveryWorkDeps;
  /** What it takes to manage endpoints. */
  readonly manage: EndpointDeps;
  /** What was logged, by level and message. */
  readonly logged: string[];
  /** Makes a partner that has an account and one connected restaurant. */
  partner(): Promise<TestPartner>;
  /** Does what is due now, by any number of attempts at once. */
  deliver(overrides?: Partial<DeliveryWorkDeps>): Promise<void>;
  /** The same where one receiver gets something and says nothing, until its time is over. */
  deliverUnanswered(): Promise<void>;
  close(): Promise<void>;
}

/** A partner, and what happens to it. */
interface TestPartner {
  readonly partnerGuid: string;
  readonly clientId: string;
  /** Makes an endpoint at a path of the receiver. */
  endpoint(path: string, draft?: Partial<EndpointDraft>): Promise<TestEndpoint>;
  /** Causes events, one after the other; gives how many there are now. */
  events(count: number): Promise<number>;
}

/** An endpoint, and what is known of it. */
export interface TestEndpoint {
  readonly guid: string;
  readonly secret: string;
  view(): Promise<EndpointView>;
  /** Its deliveries, the oldest first. */
  deliveries(): Promise<DeliveryView[]>;
  attempts(delivery?: DeliveryView): Promise<AttemptRow[]>;
  /** Delivers while the clock goes on, until what fails has paused it. */
  failUntilPaused(): Promise<EndpointView>;
}

/** Who asks in tests, at the time of the fixture. */
export function authority(fixture: Pick<WebhookFixture, 'clock'>): {
  readonly reach: typeof everywhere;
  readonly origin: ChangeOrigin;
} {
  return { reach: everywhere, origin: { ...origin, at: new Date(fixture.clock.nowMs()) } };
}

/** Opens it on a database of its own. */
export async function openWebhookFixture(): Promise<WebhookFixture> {
  const { database, url, drop } = await createTestDatabase();
  const clock = new FixedClock(NOW_MS);
  const realClock = new FixedClock(NOW_MS);
  const vault = createVault(Buffer.alloc(32, 7));
  const receiver = await openTestReceiver();
  const timer = new ManualTimer();
  const targets = new Targets({ rules: targetRules, timer });
  const logged: string[] = [];
  const note = (level: string) => (_: unknown, message?: string) =>
    void logged.push(`${level} ${message}`);
  const log = { info: note('info'), warn: note('warn'), error: note('error') };
  const deps: DeliveryWorkDeps = {
    ...{ database, clock, realClock, vault, targets, timer: machineTimer, brand: 'Platform' },
    log: log as unknown as DeliveryWorkDeps['log'],
  };
  const fixture: WebhookFixture = {
    ...{ database, databaseUrl: url, clock, realClock, timer, receiver, deps, logged },
    manage: { database, vault, targetRules },
    partner: () => makePartner(fixture),
    async deliver(overrides = {}) {
      const work = new DeliveryWork({ ...deps, ...overrides });
      await work.runDue(clock.nowMs(), { isSequential: false });
    },
    async deliverUnanswered() {
      const delivering = fixture.deliver();
      await receiver.untilReceived(receiver.received.length + 1);
      timer.advance(endpointDefaults.answerTimeoutMs);
      await delivering;
    },
    async close() {
      await targets.close();
      await receiver.close();
      await drop();
    },
  };
  return fixture;
}

const nobody = { firstName: null, lastName: null, email: null, phone: null };

async function makePartner(fixture: WebhookFixture): Promise<TestPartner> {
  const { database, clock, manage } = fixture;
  const { vault } = manage;
  const { sql } = database;
  const partnerGuid = await insertPartner(sql);
  const account = { name: 'Receiver', type: 'PARTNER', partnerGuid, scopes: [] } as const;
  const { clientId } = await createClient({ sql, vault }, account, clock.nowMs());
  const { guid: restaurantGuid } = await insertRestaurant(sql);
  const change = { restaurantGuid, partnerGuid, employee: nobody, origin };
  let told = 0;
  return {
    partnerGuid,
    clientId,
    async endpoint(path, draft = {}) {
      const url = fixture.receiver.url(path);
      const made = await createEndpoint(manage, { clientId, url, ...draft }, authority(fixture));
      return endpointOf(fixture, made.endpoint, made.secret);
    },
    async events(count) {
      for (let number = 0; number < count; number += 1) {
        told += 1;
        const deps = at(database, clock.nowMs());
        const references = { externalGroupRef: `${told}`, externalRestaurantRef: null };
        if (told === 1) await connect(deps, { ...change, ...references });
        else await updateReferences(deps, { ...change, ...references });
      }
      return told;
    },
  };
}

function endpointOf(fixture: WebhookFixture, { guid }: EndpointView, secret: string) {
  const { sql } = fixture.database;
  const endpoint: TestEndpoint = {
    guid,
    secret,
    view: () => findManagedEndpoint(sql, guid, everywhere),
    async deliveries() {
      const all = { reach: everywhere, endpointGuid: guid };
      return (await listDeliveries(sql, all, null, 100_000)).reverse();
    },
    async attempts(delivery) {
      const one = delivery ?? (await endpoint.deliveries())[0];
      return one ? await listAttempts(sql, one, 100) : [];
    },
    async failUntilPaused() {
      for (let round = 0; round < 20; round += 1) {
        await fixture.deliver();
        const view = await endpoint.view();
        if (view.state === 'PAUSED') return view;
        fixture.clock.advance(FAILING_STEP_MS);
      }
      throw new Error('the endpoint is not paused');
    },
  };
  return endpoint;
}
