import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type RequestFor, TooManyRequests } from '@servery/client/back-office';
import type {
  AnswerOf,
  FaultToInject,
  LoggedRequestDetails,
  OperationId,
  SandboxDemo,
  WebhookDelivery,
} from '@servery/contract';
import { machineTimer } from '@servery/support/timer.ts';
import type { Context } from '../command.ts';
import { type Run, type Started, startIntegration, type Task } from './integration.ts';

export type Requests = readonly LoggedRequestDetails[];

/** What a scenario found. */
export interface Finding {
  readonly outcome: 'passed' | 'failed' | 'notChecked';
  readonly message: string | null;
  readonly requests: Requests;
}

export const passed = (requests: Requests): Finding => ({
  ...{ outcome: 'passed', message: null, requests },
});
export const failed = (message: string, requests: Requests): Finding => ({
  ...{ outcome: 'failed', message, requests },
});
export const notChecked = (message: string): Finding => ({
  ...{ outcome: 'notChecked', message, requests: [] },
});
export const neverHappened = (): Finding =>
  notChecked('It made no call that this could happen to.');

const POLL_MS = 100;
const PAGE_SIZE = 200;
const NEW_PRICE = 77.25;
const CARD = { expMonth: 12, expYear: 2039, postalCode: '02110', country: 'USA' };

/** A sandbox with one integration in it, for one scenario. */
export class Stage {
  readonly #operator: Client;
  readonly restaurant: string;
  readonly #call: Context;
  readonly #command: string;
  readonly #demo: SandboxDemo;
  readonly #folder: string;
  readonly #started: Started[] = [];
  #earlier: ReadonlySet<string> = new Set();

  private constructor(call: Context, command: string, demo: SandboxDemo, folder: string) {
    this.#call = call;
    this.#command = command;
    this.#demo = demo;
    this.#folder = folder;
    this.restaurant = demo.restaurants.find(({ archived }) => !archived)?.guid ?? '';
    const { baseUrl, clients } = demo;
    this.#operator = new Client({
      ...{ baseUrl, credentials: clients.operator, signal: call.signal },
      after: machineTimer.after,
    });
  }

  static async open(call: Context, command: string, demo: SandboxDemo): Promise<Stage> {
    const folder = await mkdtemp(path.join(tmpdir(), 'servery-certify-'));
    const stage = new Stage(call, command, demo, folder);
    stage.#earlier = await stage.#requestIds();
    return stage;
  }

  async close(): Promise<void> {
    for (const started of this.#started) await started.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The account of the integration. */
  get clientId(): string {
    return this.#demo.clients.partner.clientId;
  }

  start(task: Task, more: Readonly<Record<string, string>> = {}): Started {
    const { baseUrl, clients, testCards } = this.#demo;
    const { clientId, clientSecret } = clients.partner;
    const card = testCards.find(({ outcome }) => outcome === 'AUTHORIZED');
    const started = startIntegration(
      this.#command,
      {
        ...this.#call.env,
        ...{ SERVERY_URL: baseUrl, SERVERY_TASK: task, SERVERY_STATE: this.#folder },
        ...{ SERVERY_CLIENT_ID: clientId, SERVERY_CLIENT_SECRET: clientSecret },
        SERVERY_RESTAURANT: this.restaurant,
        SERVERY_CARD: JSON.stringify({ number: card?.cardNumber, cvv: card?.cvv, ...CARD }),
        ...more,
      },
      this.#call.signal,
    );
    this.#started.push(started);
    return started;
  }

  /** Runs the integration to its end. */
  async run(task: Task): Promise<Run> {
    const run = await this.start(task).ended;
    this.#call.signal.throwIfAborted();
    return run;
  }

  /** Starts the integration as a receiver of events about stock; resolves when it listens. */
  async listen(): Promise<void> {
    const port = await freePort();
    const { secret } = await this.ask('backOffice.webhooks.endpoints.create', {
      body: {
        clientId: this.clientId,
        url: `http://127.0.0.1:${port}/`,
        eventTypes: ['in_stock', 'low_quantity', 'out_of_stock'],
      },
    });
    const given = { SERVERY_WEBHOOK_PORT: String(port), SERVERY_WEBHOOK_SECRET: secret };
    const started = this.start('listen', given);
    let end: Run | null = null;
    started.ended.then((run) => {
      end = run;
    });
    await this.until(async () => end !== null || (await isOpen(port)));
  }

  /** Orders that something goes wrong for the integration. */
  async order(fault: FaultToInject, operation: OperationId | null, times = 1): Promise<void> {
    const match = { client: this.clientId, ...(operation && { operation }) };
    await this.ask('backOffice.faults.add', { body: { match, fault, times } });
  }

  /** What the integration asked so far, in the order in which it came. */
  async log(): Promise<Requests> {
    const details: LoggedRequestDetails[] = [];
    for (const requestId of await this.#requestIds()) {
      details.push(await this.ask('backOffice.requests.get', { params: { requestId } }));
    }
    return details.toSorted((one, other) => one.realAt.localeCompare(other.realAt));
  }

  /** The log does not know whose a login was. Those before the integration are the operator's. */
  async #requestIds(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (const query of [
      { clientId: this.clientId },
      { operation: 'auth.token' },
      { operation: 'auth.login' },
    ]) {
      const { results } = await this.ask('backOffice.requests.list', {
        query: { ...query, pageSize: PAGE_SIZE },
      });
      for (const { requestId } of results) ids.add(requestId);
    }
    return ids.difference(this.#earlier);
  }

  /** Asks the platform as its operator, within the rate limit. */
  async ask<Id extends OperationId>(id: Id, request: RequestFor<Id>): Promise<AnswerOf<Id>> {
    for (;;) {
      try {
        return await this.#operator.call(id, request);
      } catch (error) {
        if (!(error instanceof TooManyRequests)) throw error;
        await this.#pause(error.retryAfterMs ?? POLL_MS);
      }
    }
  }

  async #pause(durationMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      machineTimer.after(durationMs, resolve);
    });
    this.#call.signal.throwIfAborted();
  }

  /** What the integration asked of one operation. */
  async logOf(operation: RegExp): Promise<Requests> {
    return (await this.log()).filter((each) => operation.test(each.operation ?? ''));
  }

  /** Asks again and again until something holds. */
  async until(holds: () => Promise<boolean>, limitMs = 20_000): Promise<boolean> {
    const beganMs = machineTimer.elapsedMs();
    for (;;) {
      if (await holds()) return true;
      if (machineTimer.elapsedMs() - beganMs > limitMs) return false;
      await this.#pause(POLL_MS);
    }
  }

  async advance(duration: string): Promise<void> {
    await this.ask('backOffice.clock.advance', { body: { duration } });
  }

  /** Changes an object of the configuration, and publishes it. */
  async publish(collection: string, guid: string, fields: object | 'archive'): Promise<void> {
    const params = { restaurantGuid: this.restaurant };
    const object = { ...params, collection, guid };
    if (fields === 'archive') {
      await this.ask('backOffice.configuration.objects.archive', { params: object });
    } else {
      const id = 'backOffice.configuration.objects.update';
      await this.ask(id, { params: object, body: fields });
    }
    const id = 'backOffice.configuration.publications.publish';
    await this.ask(id, { params, body: {} });
  }

  /** Makes an item dearer, and publishes it. */
  async raisePrice(guid: string): Promise<void> {
    await this.publish('menuItems', guid, {
      pricing: {
        ...{ strategy: 'BASE_PRICE', price: NEW_PRICE },
        // The item may have been priced in another way.
        ...{ menuPrices: [], timePrices: [], sizeGroup: null, priceGroup: null },
      },
    });
  }

  /** How many items partners see. */
  async countOfItems(): Promise<number> {
    const params = { restaurantGuid: this.restaurant };
    let count = 0;
    let pageToken: string | undefined;
    do {
      const query = { pageSize: PAGE_SIZE, ...(pageToken && { pageToken }) };
      const page = await this.ask('backOffice.stock.list', { params, query });
      count += page.results.length;
      pageToken = page.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
    return count;
  }

  /** Items that are in stock. */
  async someItems(count: number): Promise<readonly string[]> {
    const params = { restaurantGuid: this.restaurant };
    const { results } = await this.ask('backOffice.stock.list', {
      params,
      query: { status: ['IN_STOCK'], pageSize: count },
    });
    return results.map(({ guid }) => guid);
  }

  async deliveries(): Promise<readonly WebhookDelivery[]> {
    const id = 'backOffice.webhooks.deliveries.list';
    return (await this.ask(id, { query: { pageSize: PAGE_SIZE } })).results;
  }

  /** Waits until at most so many events are on their way. */
  async untilSettled(queued: number): Promise<void> {
    await this.until(async () => {
      const deliveries = await this.deliveries();
      const open = deliveries.filter(({ state }) => state === 'QUEUED').length;
      return deliveries.length > 0 && open <= queued;
    });
  }

  async setStock(guid: string, status: 'IN_STOCK' | 'OUT_OF_STOCK'): Promise<void> {
    await this.ask('backOffice.stock.set', {
      params: { restaurantGuid: this.restaurant },
      body: { changes: [{ guid, status }] },
    });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
  });
}
