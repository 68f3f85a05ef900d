import assert from 'node:assert/strict';
import { operationById, type Scope, validateResponse } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import type { Timer } from '@servery/support/timer.ts';
import type { Database } from '../../src/database/database.ts';
import { asApiError, renderError } from '../../src/http/edge/render-error.ts';
import type { Principal, RequestFor, RestaurantContext } from '../../src/http/operation.ts';
import { readRequest } from '../../src/http/pipeline/read-request.ts';
import { createUnderWay, type UnderWay } from '../../src/payments/authorize/under-way.ts';
import { issueCardKey, type PublicCardKey } from '../../src/payments/cards/card-keys.ts';
import { encryptCardData } from '../../src/payments/cards/encrypt-card-data.ts';
import { officePaymentHandlers } from '../../src/payments/office/handlers.ts';
import { type PaymentDeps, paymentHandlers } from '../../src/payments/partner/handlers.ts';
import {
  type InProcessProcessor,
  inProcessProcessor,
} from '../../src/payments/processors/in-process.ts';
import { createTestDatabase } from '../database.ts';
import { insertRestaurant } from '../rows.ts';
import { insertClient } from './fixture-store.ts';

/** Where the clock stands at first. */
export const OPENED_MS = Date.UTC(2026, 2, 1, 18, 30, 0);

/** A timer that fires only what a test says, so that no test ever waits. */
export class TestTimer implements Timer {
  readonly #firesAtOnce: (durationMs: number) => boolean;
  readonly #waiting = new Map<() => void, number>();

  /** Waits for which `firesAtOnce` is true are over at once; the others wait for `fire`. */
  constructor(firesAtOnce: (durationMs: number) => boolean = () => false) {
    this.#firesAtOnce = firesAtOnce;
  }

  after(durationMs: number, run: () => void): () => void {
    // A wait may be given the same function twice.
    const wait = () => run();
    if (this.#firesAtOnce(durationMs)) queueMicrotask(wait);
    else this.#waiting.set(wait, durationMs);
    return () => void this.#waiting.delete(wait);
  }

  elapsedMs(): number {
    return 0;
  }

  /** How many waits of that length are under way. */
  waits(durationMs: number): number {
    return [...this.#waiting.values()].filter((waited) => waited === durationMs).length;
  }

  /** Ends every wait of that length that is under way; gives how many. */
  fire(durationMs: number): number {
    const due = [...this.#waiting].filter(([, waited]) => waited === durationMs);
    for (const [wait] of due) {
      this.#waiting.delete(wait);
      wait();
    }
    return due.length;
  }
}

/** What a client sees of an answer. */
export interface PutAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies that the contract checked.
  readonly body: any;
  /** The body, byte for byte. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One PUT: whose, where to, and what is different from a sound request. */
interface PutParts {
  readonly paymentUuid?: string;
  readonly principal?: Principal;
  readonly restaurant?: RestaurantContext;
  /** The whole body; a sound one when absent. */
  readonly body?: unknown;
  /** How long the checks before it took; nothing when absent. */
  readonly waitedMs?: number;
  /** A process that lives on between requests; one that has just started when absent. */
  readonly handlers?: Pick<ReturnType<typeof paymentHandlers>, 'creditCards.authorize'>;
}

/** A sound body with a card and amounts of choice. */
export interface BodyParts {
  readonly cardNumber?: string;
  readonly amount?: number;
  readonly tipAmount?: number;
  readonly key?: PublicCardKey;
  readonly form?: 'compact' | 'flattened';
  /** Changes to the clear text; undefined removes a field. */
  readonly clearText?: Readonly<Record<string, unknown>>;
  /** Changes to the metadata; undefined removes a field. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Changes to the body itself; undefined removes a field. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Everything a test of payments needs: a database, a merchant, a client with keys, a processor. */
export interface PaymentFixture {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: FixedClock;
  readonly processor: InProcessProcessor;
  readonly timer: TestTimer;
  readonly underWay: UnderWay;
  readonly merchant: RestaurantContext;
  readonly client: Principal;
  /** An ECDH-ES key of the client. */
  readonly key: PublicCardKey;
  readonly logged: string[];
  readonly deps: PaymentDeps;
  /** The operations of the back office. */
  readonly office: ReturnType<typeof officePaymentHandlers>;
  put(parts?: PutParts, overrides?: Partial<PaymentDeps>): Promise<PutAnswer>;
  body(parts?: BodyParts): Promise<Record<string, unknown>>;
  addClient(): Promise<Principal>;
  addMerchant(currencyCode: string): Promise<RestaurantContext>;
  addKey(clientId: string, algorithm?: PublicCardKey['algorithm']): Promise<PublicCardKey>;
  close(): Promise<void>;
}

/** Opens it on a database of its own. */
export async function openPaymentFixture(
  options: { timer?: TestTimer } = {},
): Promise<PaymentFixture> {
  const { database, drop } = await createTestDatabase();
  const clock = new FixedClock(OPENED_MS);
  const vault = createVault(Buffer.alloc(32, 7));
  const timer = options.timer ?? new TestTimer();
  const processor = inProcessProcessor(timer);
  const underWay = createUnderWay();
  const logged: string[] = [];
  const write = (...parts: unknown[]) => {
    logged.push(JSON.stringify(parts, (_name, value) => inspectError(value)));
  };
  const log = { debug: write, info: write, warn: write, error: write } as PaymentDeps['log'];
  const deps: PaymentDeps = {
    ...{ database, vault, clock, realClock: clock, log, processor, timer, underWay },
    kind: 'sandbox',
    repeat: 'replay',
    amountShape: 'number',
  };
  const now = new Date(OPENED_MS);
  const addClient = async () => principalOf(await insertClient(database.sql, now));
  const addKey = (clientId: string, algorithm: PublicCardKey['algorithm'] = 'ECDH-ES') =>
    issueCardKey({ database, vault, clock }, { clientId, algorithm });
  const client = await addClient();
  const key = await addKey(client.clientId);
  const merchant = await insertRestaurant(database.sql, { createdAt: now });
  const body = (parts: BodyParts = {}) => paymentBody({ key, ...parts });
  return {
    ...{ database, vault, clock, processor, timer, underWay, merchant, client, key, logged, deps },
    ...{ body, addClient, addKey },
    office: officePaymentHandlers({ ...deps, timer }),
    addMerchant: (currencyCode) => insertRestaurant(database.sql, { currencyCode, createdAt: now }),
    put: async (parts = {}, overrides = {}) =>
      put({ ...deps, ...overrides }, { restaurant: merchant, principal: client, ...parts }, body),
    close: async () => {
      await underWay.settled();
      await drop();
    },
  };
}

function inspectError(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { ...value, message: value.message, stack: value.stack };
}

function principalOf(clientId: string): Principal {
  return {
    clientId,
    name: 'Client',
    type: 'PARTNER',
    partnerGuid: null,
    managementGroupGuid: null,
    scopes: new Set<Scope>(['credit_cards.authorization:write']),
    holdsLegacyCardKey: false,
    tokenIssuedAtMs: 0,
    tokenExpiresAtMs: Number.POSITIVE_INFINITY,
  };
}

async function put(
  deps: PaymentDeps,
  parts: PutParts & Required<Pick<PutParts, 'restaurant' | 'principal'>>,
  soundBody: () => Promise<unknown>,
): Promise<PutAnswer> {
  const requestId = newRandomId();
  const baseUrl = 'http://127.0.0.1:4400';
  const { principal, restaurant, paymentUuid = newRandomId() } = parts;
  const operation = operationById('creditCards.authorize');
  const handlers = parts.handlers ?? paymentHandlers(deps);
  const handler = handlers['creditCards.authorize'];
  // The pipeline hands on what came over the wire.
  const body = 'body' in parts ? parts.body : JSON.parse(JSON.stringify(await soundBody()));
  const answering = async () => {
    const params = { merchantUuid: restaurant.guid, paymentUuid };
    const read = await readRequest(operation, { params, query: {}, body }, handler);
    return await handler({
      ...{ requestId, baseUrl, principal, restaurant, operation, ...read },
      nowMs: deps.clock.nowMs(),
      sentQuery: {},
      headers: {},
      remoteAddress: '127.0.0.1',
      keep: () => {},
      note: () => {},
      waitedMs: parts.waitedMs ?? 0,
    } as unknown as RequestFor<'creditCards.authorize'>);
  };
  const isSandbox = deps.kind === 'sandbox';
  const answer = await answering().catch((error) => {
    const apiError = asApiError(error, requestId);
    // A defect must show as itself, and not as the 500 that a test may expect.
    if (apiError !== error) throw error;
    return renderError(apiError, { operation, path: '', requestId, baseUrl, isSandbox });
  });
  const { status = 200, json, headers = {} } = answer;
  const text = JSON.stringify(json);
  assert.deepEqual(validateResponse('creditCards.authorize', status, json), [], text);
  return { status, body: json, text, headers };
}

/** A sound request body, with changes. */
async function paymentBody(
  parts: BodyParts & { readonly key: PublicCardKey },
): Promise<Record<string, unknown>> {
  const { key, cardNumber = '4111111111111111', form } = parts;
  const clearText = {
    cardNumber,
    zipCode: '02110',
    cvv: '123',
    expMonth: '12',
    expYear: '30',
    country: 'USA',
    ...parts.clearText,
  };
  return JSON.parse(
    JSON.stringify({
      cardNumberOrigin: 'END_USER',
      willSaveCard: false,
      encryptedCardData: await encryptCardData(key.publicKeyPem, key.keyId, clearText, form),
      amount: parts.amount ?? 10.5,
      tipAmount: parts.tipAmount ?? 2,
      keyId: key.keyId,
      requestMetadata: {
        partnerServiceInfo: { instanceId: 'web-1' },
        localTransactionDate: '2026-03-01T12:30:00.000-0600',
        originIPAddr: '8.8.4.4',
        cardFirst6: cardNumber.slice(0, 6),
        cardLast4: cardNumber.slice(-4),
        billingAddress: { postalCode: '02110', country: 'USA' },
        guestIdentifier: 'guest@example.com',
        ...parts.metadata,
      },
      ...parts.fields,
    }),
  );
}
