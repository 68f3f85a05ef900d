import { Servery, type ServeryOptions } from '@servery/client';
import { Client } from '@servery/client/back-office';
import type { CreateSandbox, SandboxDemo } from '@servery/contract';
import { machineClock } from '@servery/support/clock.ts';
import { borrowSandbox } from './borrow.ts';
import { SandboxClock } from './clock.ts';
import { SandboxFaults } from './faults.ts';
import { type AskedRequest, readRequests } from './requests.ts';
import { SandboxWebhooks } from './webhooks.ts';

export interface SandboxOptions {
  /** What it starts as. Default: the demo group. */
  readonly from?: CreateSandbox['from'];
}

/** A platform of its own, for one test or for the tests of one file. */
export interface TestSandbox extends AsyncDisposable {
  readonly name: string;
  readonly baseUrl: string;
  /** The GUID of the first restaurant of the group. */
  readonly restaurant: string;
  /** The accounts with their secrets, people, restaurants, card keys, and test cards. */
  readonly demo: SandboxDemo;
  /** For a client of your own: `new Servery(sandbox.account)`. */
  readonly account: ServeryOptions;
  /** The demo partner at that restaurant. */
  readonly servery: Servery;
  /** Every operation of the back office. */
  readonly operator: Client;
  readonly clock: SandboxClock;
  readonly faults: SandboxFaults;
  readonly webhooks: SandboxWebhooks;
  /** What your code asked, oldest first, with the rule behind each refusal. */
  requests(): Promise<AskedRequest[]>;
  /** Removes it. */
  drop(): Promise<void>;
}

/** Opens a sandbox, which you drop yourself. The first one of a test run starts the platform. */
export async function openSandbox({ from }: SandboxOptions = {}): Promise<TestSandbox> {
  const { sandbox: made, giveBack } = await borrowSandbox(from ?? null);
  const { name, baseUrl, demo } = made;
  const { partner, operator: own } = demo.clients;
  // A copy has the request log of its source.
  const openedAt = new Date(machineClock.nowMs());
  const askedHere = new Set<string | null>();
  const operator = new Client({
    ...{ baseUrl, credentials: own },
    hooks: { onResponse: ({ requestId }) => void askedHere.add(requestId) },
  });
  const clock = new SandboxClock(operator);
  const webhooks = await SandboxWebhooks.open(operator, partner.clientId);
  // A copy has the clock of its source.
  if (from?.sandbox !== undefined) await clock.get();
  const open = demo.restaurants.find(({ archived }) => !archived);
  const restaurant = open?.guid ?? '';
  const account: ServeryOptions = {
    ...{ baseUrl, clientId: partner.clientId, clientSecret: partner.clientSecret },
    ...(open && { restaurant, currency: open.currencyCode }),
    nowMs: () => clock.nowMs(),
  };
  let dropped: Promise<void> | undefined;
  const drop = async () => {
    webhooks.close();
    await giveBack();
  };
  const dropOnce = () => {
    dropped ??= drop();
    return dropped;
  };
  return {
    ...{ name, baseUrl, restaurant, demo, account, operator, clock, webhooks },
    servery: new Servery(account),
    faults: new SandboxFaults(operator),
    requests: () => readRequests(operator, openedAt, (requestId) => askedHere.has(requestId)),
    drop: dropOnce,
    [Symbol.asyncDispose]: dropOnce,
  };
}
