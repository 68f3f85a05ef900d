import type { Order, OrderRequest } from '@servery/contract';
import type { ReceivedWebhook, VerifyOptions } from '@servery/webhooks/browser.ts';
import { InvalidInput } from './errors.ts';
import { operations } from './operations.ts';
import { type PlaceOptions, placeOrder } from './orders.ts';
import { Payments } from './payments.ts';
import { after } from './present.ts';
import { RetryingTransport, type RetryRules } from './retries.ts';
import { type TokenStore, tokensOf } from './tokens.ts';
import type { Hooks } from './transport.ts';
import { type Operations, operationsOf } from './tree.ts';
import type { VerifiedWebhook } from './webhooks.ts';

/** What a client needs. */
export interface ServeryOptions {
  /** The address of the platform or of a sandbox. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The GUID of the restaurant that calls are for. Use `at` for another one. */
  readonly restaurant?: string;
  /** ISO 4217, for example USD. Amounts are checked against it before they are sent. */
  readonly currency?: string;
  /** Names this instance of your software to the platform, for troubleshooting. */
  readonly instanceId?: string;
  /** Secrets of your webhooks: one, or both the old and the new one during a rotation. */
  readonly webhookSecrets?: string | readonly string[];
  readonly tokens?: TokenStore;
  /** Replaces the defaults: 4 attempts, 0.3 seconds, and at most 60 seconds of `Retry-After`. */
  readonly retries?: Partial<RetryRules>;
  /** How long the platform may be silent before a request fails. Default: 60 seconds. */
  readonly timeoutMs?: number;
  /** Aborts every call in progress. */
  readonly signal?: AbortSignal;
  readonly hooks?: Hooks;
  readonly fetch?: typeof fetch;
  /** The platform's clock, if it differs from the clock of this machine. */
  readonly nowMs?: () => number;
  /** The brand in the names of the platform's headers. Default: that of the first response. */
  readonly brand?: string;
}

export type OrdersApi = Omit<Operations<'orders'>, 'place'> & {
  /** Places an order once, even if responses are lost. */
  place(order: OrderRequest, options?: PlaceOptions): Promise<Order>;
};

const RETRIES: RetryRules = { attempts: 4, pauseMs: 300, retryAfterAtMostMs: 60_000 };
const SILENCE_MS = 60_000;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A platform as one of your accounts sees it. */
export class Servery {
  readonly configuration: Operations<'configuration'>;
  readonly menus: Operations<'menus'>;
  readonly orders: OrdersApi;
  readonly partners: Operations<'partners'>;
  readonly payments: Payments;
  readonly platform: Operations<'platform'>;
  readonly restaurants: Operations<'restaurants'>;
  readonly stock: Operations<'stock'>;
  readonly webhooks: {
    /** Checks the signature of the raw body. Never throws. */
    verify(
      headers: ReceivedWebhook['headers'],
      body: ReceivedWebhook['body'],
      options?: VerifyOptions,
    ): Promise<VerifiedWebhook>;
  };
  /** For everything that has no function of its own. */
  readonly transport: RetryingTransport;
  readonly restaurant: string | undefined;
  readonly #options: ServeryOptions;

  constructor(options: ServeryOptions, transport: RetryingTransport = open(options)) {
    const { restaurant, currency, webhookSecrets, instanceId = 'servery-client' } = options;
    if (restaurant !== undefined && !UUID.test(restaurant)) {
      throw new InvalidInput('restaurant', 'must be the GUID of a restaurant.');
    }
    this.#options = options;
    this.transport = transport;
    this.restaurant = restaurant;
    const of = <Name extends string>(name: Name) => operationsOf(name, transport, restaurant);
    this.configuration = of('configuration');
    this.menus = of('menus');
    this.partners = of('partners');
    this.platform = of('platform');
    this.restaurants = of('restaurants');
    this.stock = of('stock');
    this.payments = new Payments(transport, { restaurant, currency, instanceId });
    this.orders = {
      ...of('orders'),
      place: (order, given = {}) =>
        placeOrder(transport, currency, order, { restaurant, ...given }),
    };
    this.webhooks = {
      verify: async (headers, body, given = {}) => {
        // Loaded only by programs that receive webhooks.
        const { verifyWebhook } = await import('./webhooks.ts');
        return await verifyWebhook(headers, body, webhookSecrets ?? [], given);
      },
    };
  }

  /** The same account at another restaurant, with the same token. */
  at(restaurant: string, currency?: string): Servery {
    const { currency: _, ...options } = this.#options;
    return new Servery({ ...options, restaurant, ...(currency && { currency }) }, this.transport);
  }
}

function open(options: ServeryOptions): RetryingTransport {
  const { clientId, clientSecret, timeoutMs = SILENCE_MS } = options;
  let { baseUrl } = options;
  while (baseUrl?.endsWith('/')) baseUrl = baseUrl.slice(0, -1);
  if (!/^https?:\/\/[^/]/.test(baseUrl ?? '')) {
    throw new InvalidInput('baseUrl', 'must be an address, for example https://platform.example.');
  }
  if (!clientId) throw new InvalidInput('clientId', 'is missing.');
  if (!clientSecret) throw new InvalidInput('clientSecret', 'is missing.');
  const credentials = { clientId, clientSecret };
  const { tokens, hooks, fetch, nowMs, brand, signal } = options;
  return new RetryingTransport({
    ...{ baseUrl, operations, credentials, after, tokensOf: tokensOf(credentials, tokens) },
    ...{ hooks, fetch, signal, ...(nowMs && { nowMs }), ...(brand && { brand }) },
    retries: { ...RETRIES, ...options.retries },
    silenceMs: () => timeoutMs,
  });
}
