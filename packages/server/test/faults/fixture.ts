import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import type { Hold } from '@servery/card-simulator/ledger.ts';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { findLedgerHolder } from '@servery/card-simulator/ledger-lock.ts';
import type { BackOfficePayment, FaultRules } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { type Platform, start } from '../../src/boot/server.ts';
import { readConfig } from '../../src/config/config.ts';
import { encryptCardData } from '../../src/payments/cards/encrypt-card-data.ts';
import type { DemoClientName, DemoFile } from '../../src/sandbox/demo-file.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import type { TestAnswer } from '../request.ts';

/** What comes back; null for a connection that broke, or said nothing. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: TestAnswer['body'];
  /** How many bytes came of those that were announced, if the answer broke off. */
  readonly cutAfter: number | null;
}

export interface Sending {
  readonly as?: DemoClientName;
  readonly fault?: string;
  readonly body?: unknown;
  readonly restaurant?: string;
  readonly platform?: number;
  readonly giveUpAfterMs?: number;
}

/** Two processes' worth of servers on one demo sandbox with a simulator. */
export interface FaultFixture {
  readonly demo: DemoFile;
  readonly restaurant: string;
  /** Where the first of them answers. */
  readonly url: string;
  send(method: string, place: string, sending?: Sending): Promise<Seen | null>;
  /** The same as an operator, whose request must be answered by 200. */
  office(method: string, place: string, body?: unknown, platform?: number): Promise<Seen['body']>;
  rules(): Promise<FaultRules>;
  /** A body for a payment whose card is approved. */
  payment(amount?: number): Promise<object>;
  paymentOf(paymentUuid: string): Promise<BackOfficePayment>;
  /** What the processor holds for payments that anybody authorized. */
  holds(): Promise<readonly Hold[]>;
  close(): Promise<void>;
}

/** Whatever takes longer never comes, on the slowest machine. */
const LONGEST_WAIT_MS = 120_000;

export async function openFaultFixture(): Promise<FaultFixture> {
  const own: TestDatabase = await createTestDatabase();
  const folder = await makeTestFolder();
  const settings = {
    DATABASE_URL: own.url,
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_LOG_LEVEL: 'silent',
    SERVERY_RATE_LIMIT_PER_SECOND: '100000',
    SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '10000000',
  };
  const platforms: Platform[] = [];
  for (let count = 0; count < 2; count += 1) {
    platforms.push(await start(readConfig(settings, [])));
  }
  const demo: DemoFile = JSON.parse(await readFile(path.join(folder, 'demo.json'), 'utf8'));
  const restaurant = demo.restaurants[0]?.guid ?? '';
  const tokens = new Map<string, Promise<string>>();
  // A token is for the address that issued it.
  const tokenOf = (name: DemoClientName, platform: number) => {
    const key = `${name} ${platform}`;
    const known = tokens.get(key) ?? logIn(platforms[platform]?.url ?? '', demo, name);
    tokens.set(key, known);
    return known;
  };
  const send: FaultFixture['send'] = async (method, place, sending = {}) => {
    const { as = 'partner', fault, platform = 0 } = sending;
    const headers: Record<string, string> = {
      authorization: `Bearer ${await tokenOf(as, platform)}`,
    };
    if (as !== 'operator') {
      headers['Platform-Restaurant-External-ID'] = sending.restaurant ?? restaurant;
    }
    if (fault !== undefined) headers['Platform-Sandbox-Fault'] = fault;
    const url = `${platforms[platform]?.url}${place}`;
    return await exchange(url, method, headers, sending);
  };
  const office: FaultFixture['office'] = async (method, place, body, platform = 0) => {
    const given = { as: 'operator', platform, ...(body !== undefined && { body }) } as const;
    const seen = await send(method, `/backoffice/v1${place}`, given);
    assert.equal(seen?.status, 200, JSON.stringify(seen?.body));
    return seen?.body;
  };
  return {
    ...{ demo, restaurant, url: platforms[0]?.url ?? '', send, office },
    rules: () => office('GET', '/faults'),
    payment: (amount = 10) => paymentBody(demo, amount),
    paymentOf: (paymentUuid) => office('GET', `/merchants/${restaurant}/payments/${paymentUuid}`),
    async holds() {
      const holder = await findLedgerHolder(simulatorLedgerFile(folder));
      const answer = await fetch(`${holder?.url}/ledger`);
      return ((await answer.json()) as { holds: Hold[] }).holds;
    },
    async close() {
      for (const platform of platforms) await platform.stop();
      await own.drop();
      removeTestFolder(folder);
    },
  };
}

async function logIn(url: string, demo: DemoFile, name: DemoClientName): Promise<string> {
  const { clientId, clientSecret, userAccessType } = demo.clients[name];
  const response = await fetch(`${url}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType }),
  });
  return ((await response.json()) as { token: { accessToken: string } }).token.accessToken;
}

/** Node's own client, because it shows how far an answer came. */
function exchange(
  url: string,
  method: string,
  headers: Record<string, string>,
  { body, giveUpAfterMs = LONGEST_WAIT_MS }: Sending,
): Promise<Seen | null> {
  const text = body === undefined ? null : JSON.stringify(body);
  if (text !== null) headers['content-type'] = 'application/json';
  return new Promise((resolve) => {
    const sending = request(url, { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', () => {});
      response.on('close', () => {
        const bytes = Buffer.concat(pieces);
        const { statusCode: status = 0, headers: got, complete } = response;
        const isJson = complete && `${got['content-type']}`.startsWith('application/json');
        const seen = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
        resolve({ status, headers: got, body: seen, cutAfter: complete ? null : bytes.length });
      });
    });
    sending.on('error', () => resolve(null));
    sending.setTimeout(giveUpAfterMs, () => sending.destroy());
    sending.end(text ?? undefined);
  });
}

async function paymentBody(demo: DemoFile, amount: number): Promise<object> {
  const key = demo.cardKeys.find(({ keyId }) => keyId.startsWith('ECDH-ES::'));
  if (!key) throw new Error('demo.json has no card key');
  const place = { postalCode: '02110', country: 'USA' };
  const card = {
    ...{ cardNumber: '4111111111111111', zipCode: place.postalCode, cvv: '123' },
    ...{ expMonth: '12', expYear: '39', country: place.country },
  };
  return {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: await encryptCardData(key.publicKeyPem, key.keyId, card),
    ...{ amount, tipAmount: 0, keyId: key.keyId },
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'faults-1' },
      localTransactionDate: '2025-01-15T18:30:00.000Z',
      originIPAddr: '8.8.4.4',
      cardFirst6: '411111',
      cardLast4: '1111',
      billingAddress: place,
      guestIdentifier: 'guest@example.com',
    },
  };
}

/** Asks until it is so. */
export async function until<Found>(
  what: string,
  look: () => Promise<Found>,
  isSo: (found: Found) => boolean,
): Promise<Found> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (isSo(found)) return found;
    assert.ok(performance.now() - startedMs < LONGEST_WAIT_MS, what);
    await sleep(50);
  }
}
