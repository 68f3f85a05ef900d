import { randomBytes } from 'node:crypto';
import { newRandomId } from '@servery/support/ids.ts';
import { encryptCardData } from '../../../src/payments/cards/encrypt-card-data.ts';
import { cardNumberOf } from '../card-number.ts';
import { ByteSearch } from './byte-search.ts';
import { logIn, type ServedDemo } from './spawned-platform.ts';

/** A card that exists once; its number and its security code are searched for. */
export interface Canary {
  readonly cardNumber: string;
  readonly cvv: string;
}

/** What a request may say beside its address. */
interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** What came back, as text for the hunt. */
interface Received {
  readonly status: number;
  readonly text: string;
}

/** One client of the platform, who pays with canaries and remembers all that is answered. */
export interface Sender {
  readonly search: ByteSearch;
  /** Head and body of every answer so far. */
  readonly received: readonly string[];
  /** A new canary, with a number that begins so. */
  canary(start?: string, length?: number): Canary;
  /** A sound PaymentAuthorization of a canary, with changes. */
  body(canary: Canary, changes?: BodyChanges): Promise<Record<string, unknown>>;
  /** Puts a payment, under a paymentUuid of its own when none is given. */
  put(body: unknown, paymentUuid?: string, headers?: Request['headers']): Promise<Received>;
  send(path: string, request?: Request): Promise<Received>;
}

/** Changes to a sound body. */
interface BodyChanges {
  readonly clearText?: Readonly<Record<string, unknown>>;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Which of the client's keys, by what its name begins with. */
  readonly algorithm?: string;
  readonly form?: 'compact' | 'flattened';
}

/** Logs the demo's partner in, at its first restaurant. */
export async function openSender(platform: ServedDemo): Promise<Sender> {
  const { demo, url } = platform;
  const merchantGuid = demo.restaurants.find(({ archived }) => !archived)?.guid ?? '';
  const accessToken = await logIn(platform, demo.clients.partner);
  const search = new ByteSearch();
  const received: string[] = [];
  const send = async (path: string, { method = 'GET', headers, body }: Request = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        [`${demo.brand}-Restaurant-External-ID`]: merchantGuid,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
    });
    const text = await response.text();
    received.push(`${JSON.stringify([...response.headers])} ${text}`);
    return { status: response.status, text };
  };
  return {
    search,
    received,
    send,
    canary: (start = '400000', length = 16) => {
      const canary = {
        cardNumber: cardNumberOf(start, undefined, length),
        // In a sandbox its format is free, so that it can be told from every other text.
        cvv: `cvv${randomBytes(9).toString('hex')}`,
      };
      search.addCardNumber(canary.cardNumber);
      search.addText(canary.cvv);
      return canary;
    },
    body: async (canary, changes = {}) => {
      const body = await paymentBody(platform, canary, changes);
      const { encryptedCardData } = body as { encryptedCardData?: unknown };
      if (encryptedCardData) search.addEnvelope(encryptedCardData);
      return body;
    },
    put: (body, paymentUuid = newRandomId(), headers = {}) =>
      send(`/ccpartner/v1/merchants/${merchantGuid}/payments/${paymentUuid}`, {
        method: 'PUT',
        headers,
        body,
      }),
  };
}

async function paymentBody(
  { demo }: ServedDemo,
  { cardNumber, cvv }: Canary,
  changes: BodyChanges,
): Promise<Record<string, unknown>> {
  const { algorithm = 'ECDH-ES', form } = changes;
  const key = demo.cardKeys.find(({ keyId }) => keyId.startsWith(`${algorithm}::`));
  if (!key) throw new Error(`demo.json has no card key for ${algorithm}`);
  const clearText = {
    ...{ cardNumber, cvv, zipCode: '02110', expMonth: '12', expYear: '31', country: 'USA' },
    ...changes.clearText,
  };
  return {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: await encryptCardData(key.publicKeyPem, key.keyId, clearText, form),
    amount: 10.5,
    tipAmount: 2,
    keyId: key.keyId,
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'hunt-1' },
      localTransactionDate: '2025-01-15T18:30:00.000Z',
      originIPAddr: '8.8.4.4',
      cardFirst6: cardNumber.slice(0, 6),
      cardLast4: cardNumber.slice(-4),
      billingAddress: { postalCode: '02110', country: 'USA' },
      guestIdentifier: 'guest@example.com',
      ...changes.metadata,
    },
    ...changes.fields,
  };
}
