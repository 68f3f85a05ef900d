import { randomUUID } from 'node:crypto';
import { brandedHeaders, type OperationId, operationById } from '@servery/contract';
import { encryptCardData } from '../../src/payments/cards/encrypt-card-data.ts';
import type { DemoClientName, DemoFile } from '../../src/sandbox/demo-file.ts';
import type { TestAnswer } from '../request.ts';

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: TestAnswer['body'];
}

export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly restaurant?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One environment, as its callers see it: below a base address, with its accounts. */
export class Place {
  readonly url: string;
  readonly demo: DemoFile;
  readonly #tokens = new Map<DemoClientName, string>();

  constructor(url: string, demo: DemoFile) {
    this.url = url;
    this.demo = demo;
  }

  get restaurant(): string {
    return this.demo.restaurants.find(({ archived }) => !archived)?.guid ?? '';
  }

  /** Logs in again if a moved clock or a restore has ended the token. */
  async as(client: DemoClientName, id: OperationId, sent: Sent = {}): Promise<Received> {
    const known = this.#tokens.get(client);
    const received = await this.with(known ?? (await this.token(client)), id, sent);
    if (received.status !== 401 || known === undefined) return received;
    return await this.with(await this.token(client), id, sent);
  }

  async with(token: string | null, id: OperationId, sent: Sent = {}): Promise<Received> {
    const { method, path } = operationById(id);
    const { params = {}, query, json, form, restaurant, headers } = sent;
    const named = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const restaurantHeader = brandedHeaders(this.demo.brand).restaurantExternalId;
    return await receive(`${this.url}${named}${search}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(restaurant !== undefined && { [restaurantHeader]: restaurant }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form && { body: new URLSearchParams(form) }),
    });
  }

  /** A new one, which `as` goes on with. */
  async token(client: DemoClientName): Promise<string> {
    const { status, text, body } = await logIn(this.url, this.demo.clients[client]);
    if (status !== 200) throw new Error(`${client} can't log in at ${this.url}: ${status} ${text}`);
    const { accessToken } = body.token;
    this.#tokens.set(client, accessToken);
    return accessToken;
  }

  /** Authorizes a payment of the account partner. */
  async pay(paymentUuid: string = randomUUID(), amount = 20): Promise<Received> {
    const key = this.demo.cardKeys.find(({ keyId }) => keyId.startsWith('ECDH-ES::'));
    if (!key) throw new Error('the demo file has no ECDH-ES key');
    const { keyId, publicKeyPem } = key;
    const cardNumber = '4111111111111111';
    const address = { zipCode: '02110', country: 'USA' };
    const card = { cardNumber, cvv: '123', expMonth: '12', expYear: '39', ...address };
    return await this.as('partner', 'creditCards.authorize', {
      params: { merchantUuid: this.restaurant, paymentUuid },
      restaurant: this.restaurant,
      json: {
        ...{ cardNumberOrigin: 'END_USER', willSaveCard: false, amount, tipAmount: 0, keyId },
        encryptedCardData: await encryptCardData(publicKeyPem, keyId, card),
        requestMetadata: {
          partnerServiceInfo: { instanceId: 'sandboxes-1' },
          localTransactionDate: '2026-01-15T18:30:00.000Z',
          originIPAddr: '8.8.8.8',
          ...{ cardFirst6: cardNumber.slice(0, 6), cardLast4: cardNumber.slice(-4) },
          billingAddress: { postalCode: address.zipCode, country: address.country },
          guestIdentifier: 'guest-1@example.com',
        },
      },
    });
  }

  /** One step in the life of a payment of the first restaurant. */
  async settle(
    step: 'capture' | 'void' | 'apply' | 'fulfil' | 'get',
    paymentUuid: string,
    json?: unknown,
  ): Promise<Received> {
    const params = { merchantUuid: this.restaurant, paymentUuid };
    const sent = { params, ...(json !== undefined && { json }) };
    return await this.as('operator', `backOffice.payments.${step}`, sent);
  }
}

export async function logIn(
  url: string,
  {
    clientId,
    clientSecret,
    userAccessType,
  }: { readonly clientId: string; readonly clientSecret: string; readonly userAccessType: string },
): Promise<Received> {
  return await receive(`${url}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType }),
  });
}

export async function receive(url: string, init: RequestInit = {}): Promise<Received> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const { status, headers } = response;
  return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : null };
}

/** Creates a sandbox beside `main`; throws if it can't. */
export async function createSandbox(main: Place, json: object): Promise<Place> {
  const { status, text, body } = await main.as('operator', 'backOffice.sandboxes.create', { json });
  if (status !== 201) throw new Error(`creating a sandbox: ${status} ${text}`);
  return new Place(body.baseUrl, body.demo);
}
