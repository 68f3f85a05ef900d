import { randomUUID } from 'node:crypto';
import { newAccount, newGroup, newRestaurant } from './accounts.ts';
import { callMove, payFor } from './back-office.ts';
import type { CallOptions, Client, DemoCallers } from './client.ts';
import type { DemoClientName } from './demo.ts';
import { openRestaurants, wholeCollection } from './fixtures.ts';
import {
  collections,
  type ExpectedOperation,
  expectedOperations,
  isBackOffice,
} from './operations.ts';
import { paymentBody } from './payment.ts';
import {
  backOfficeConflict,
  backOfficeMalformed,
  backOfficeSample,
  backOfficeWrong,
} from './status-requests-back-office.ts';
import { OrderRequests, ordersFamily, ordersUnknown } from './status-requests-orders.ts';
import { sandboxesUnknown } from './status-requests-sandboxes.ts';

/** A call that an operation answers with a certain status. */
export interface StatusRequest {
  /** The demo account that calls, or null for nobody. */
  readonly caller: DemoClientName | null;
  readonly options: CallOptions;
}

const UNKNOWN = '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77';
/** More bytes than a body may have; configuration documents may have more than others. */
const tooLarge = ({ id }: ExpectedOperation) =>
  ' '.repeat((/\.configuration\.(plan|(draft\.)?apply)$/.test(id) ? 8 : 1) * 1024 * 1024 + 1);

/** Whether a call with this status leaves what its sample is about as it was. */
export const isRefusal = (status: number) => status >= 400 && status !== 409;

/** Operations on payments and codes, which expire soon after they are made. */
const EXPIRES = /\.payments\.|totp\.confirm$/;

/** Makes valid calls of every operation, and calls that get each status it declares. */
export class StatusRequests {
  readonly callers: DemoCallers;
  readonly restaurant: string;
  readonly #objects = new Map<string, string>();
  readonly #orders: OrderRequests;
  readonly #unused = new Map<string, Promise<StatusRequest>>();

  constructor(callers: DemoCallers) {
    this.callers = callers;
    [this.restaurant] = openRestaurants(callers.platform.demo);
    this.#orders = new OrderRequests(callers, this.restaurant);
  }

  /** A call that would be answered by 200, for requests that are refused: it is made once. */
  unusedSample(operation: ExpectedOperation): Promise<StatusRequest> {
    const known = this.#unused.get(operation.id) ?? this.#newSample(operation);
    this.#unused.set(operation.id, known);
    return known;
  }

  /** A call that is answered by 200: that of the refusals, which a call that isn't a GET uses up. */
  sample(operation: ExpectedOperation): Promise<StatusRequest> {
    // It may have expired while the refusals were tested.
    if (EXPIRES.test(operation.id)) this.#unused.delete(operation.id);
    const sample = this.unusedSample(operation);
    if (operation.method !== 'GET') this.#unused.delete(operation.id);
    return sample;
  }

  async #newSample(operation: ExpectedOperation): Promise<StatusRequest> {
    if (isBackOffice(operation)) {
      return { caller: 'operator', options: await backOfficeSample(this.callers, operation) };
    }
    const restaurant = namesRestaurant(operation) ? { restaurant: this.restaurant } : {};
    const specific = await this.#specific(operation);
    const caller = operation.token ? 'partner' : null;
    return { caller, options: { ...restaurant, ...specific } };
  }

  /**
   * A call that is answered by this status, or null when none is known: then the contract declares
   * a status that nothing proves.
   */
  async requestFor(operation: ExpectedOperation, status: number): Promise<StatusRequest | null> {
    if (status === 409 && isBackOffice(operation)) {
      const options = await backOfficeConflict(this.callers, operation);
      return options && { caller: 'operator', options };
    }
    const isRefused = isRefusal(status);
    const sample = await (isRefused ? this.unusedSample(operation) : this.sample(operation));
    const changed = (options: CallOptions, caller = sample.caller): StatusRequest => ({
      caller,
      options: { ...sample.options, ...options },
    });
    switch (status) {
      case 200:
      case 201:
        return sample;
      case 304:
        return changed({
          headers: {
            ...sample.options.headers,
            'if-none-match': await this.#tagOf(operation, sample),
          },
        });
      case 400:
        return changed(malformed(operation, sample));
      case 401:
        return operation.token
          ? changed({ token: null, ...(operation.session && { headers: {} }) })
          : changed(this.#withWrongSecret(operation, sample));
      case 403:
        // A session is nothing that a client has.
        return operation.session
          ? { caller: 'operator', options: { ...without(sample.options, 'token'), headers: {} } }
          : changed({}, strangerTo(operation));
      case 404:
        return changed(await this.#unknown(operation, sample));
      case 405:
        return changed({ method: otherMethod(operation) });
      case 413:
        return changed({
          bytes: tooLarge(operation),
          json: undefined,
          form: undefined,
          headers: typeOf(sample),
        });
      case 415:
        return changed({
          bytes: '{}',
          json: undefined,
          form: undefined,
          headers: { ...sample.options.headers, 'content-type': 'text/plain' },
        });
      case 422:
        return this.#wrongValue(operation, sample);
      case 409:
        return this.#conflict(operation, sample);
      default:
        return null;
    }
  }

  async #unknown(operation: ExpectedOperation, sample: StatusRequest): Promise<CallOptions> {
    if (operation.id.startsWith('menus.')) return restaurantWithoutMenus(this.callers);
    return ordersUnknown(operation.id) ?? unknownPlace(operation, sample);
  }

  async #specific(operation: ExpectedOperation): Promise<CallOptions> {
    if (operation.id.startsWith(ordersFamily)) return this.#orders.sample(operation.id);
    const { demo } = this.callers.platform;
    const { clientId, clientSecret, userAccessType } = demo.clients.partner;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    switch (operation.id) {
      case 'creditCards.authorize': {
        const params = { merchantUuid: this.restaurant, paymentUuid: randomUUID() };
        return { params, json: await paymentBody(demo) };
      }
      case 'platform.payments.get':
      case 'platform.payments.void': {
        const { merchantGuid: merchantUuid, paymentUuid } = await payFor(this.callers, {
          merchant: this.restaurant,
        });
        return { params: { merchantUuid, paymentUuid } };
      }
      case 'stock.search':
        return { json: { guids: [] } };
      case 'stock.update':
        return { json: [] };
      case 'restaurants.get':
        return { params: { restaurantGUID: this.restaurant } };
      case 'restaurants.listGroup':
        return { params: { managementGroupGUID: demo.managementGroupGuid } };
      case 'auth.login':
        return { json: { clientId, clientSecret, userAccessType } };
      case 'auth.token':
        return { form: { grant_type: 'client_credentials' }, headers };
      case 'auth.introspect':
      case 'auth.revoke':
        return { form: { token: 'unknown' }, headers };
      case 'docs.error':
        return { params: { code: '10000' } };
      case 'docs.openapi':
        return { params: { file: 'stock.json' } };
      case 'docs.referencePage':
        return { params: { page: 'stock' } };
      default:
        return this.#object(operation);
    }
  }

  /** The GUID of some object of a collection, for its single-object form. */
  async #object(operation: ExpectedOperation): Promise<CallOptions> {
    const path = /^configuration\.(\w+)\.get$/.exec(operation.id)?.[1];
    if (path === undefined || !collections.some(([known]) => known === path)) return {};
    const known = this.#objects.get(path);
    if (known) return JSON.parse(known);
    const partner = await this.callers.as('partner');
    for (const restaurant of openRestaurants(this.callers.platform.demo)) {
      const [object] = await wholeCollection(partner, restaurant, path);
      if (!object) continue;
      const options = { restaurant, params: { guid: object.guid } };
      this.#objects.set(path, JSON.stringify(options));
      return options;
    }
    throw new Error(`no demo restaurant has ${path}`);
  }

  async #tagOf(operation: ExpectedOperation, sample: StatusRequest): Promise<string> {
    const answer = await (await this.callerOf(sample)).call(operation.id, 200, sample.options);
    return String(answer.headers.etag);
  }

  /** The client that a request wants. */
  async callerOf({ caller }: StatusRequest): Promise<Client> {
    return caller === null ? this.callers.anonymous() : this.callers.as(caller);
  }

  async #wrongValue(operation: ExpectedOperation, sample: StatusRequest) {
    const options = isBackOffice(operation)
      ? await backOfficeWrong(this.callers, operation)
      : operation.id === 'creditCards.authorize'
        ? { json: await paymentBody(this.callers.platform.demo, { amount: -1 }) }
        : null;
    return options && { ...sample, options: { ...sample.options, ...options } };
  }

  async #conflict(
    operation: ExpectedOperation,
    sample: StatusRequest,
  ): Promise<StatusRequest | null> {
    if (operation.id.startsWith(ordersFamily)) {
      await this.#orders.takeBack(operation.id, sample.options);
      return sample;
    }
    if (operation.id === 'platform.payments.void') {
      const { merchantUuid = '', paymentUuid = '' } = sample.options.params ?? {};
      await callMove(this.callers, { merchantGuid: merchantUuid, paymentUuid }, 'apply');
      return sample;
    }
    if (operation.id !== 'creditCards.authorize') return null;
    const partner = await this.callers.as('partner');
    await partner.call('creditCards.authorize', 200, sample.options);
    const json = await paymentBody(this.callers.platform.demo, { amount: 77 });
    return { ...sample, options: { ...sample.options, json } };
  }

  #withWrongSecret(operation: ExpectedOperation, { options }: StatusRequest): CallOptions {
    if (operation.id === 'auth.login') {
      return { json: { ...(options.json as object), clientSecret: 'wrong' } };
    }
    if (isBackOffice(operation)) {
      return { json: { ...(options.json as object), password: 'wrong' } };
    }
    return {
      headers: { authorization: `Basic ${Buffer.from('nobody:wrong').toString('base64')}` },
    };
  }
}

/** The same call for an object, a restaurant or a page that does not exist. */
function unknownPlace(operation: ExpectedOperation, { options }: StatusRequest): CallOptions {
  if (operation.id === 'docs.error') return { params: { code: '99999' } };
  if (operation.id === 'docs.openapi') return { params: { file: 'unknown.json' } };
  if (operation.id === 'docs.referencePage') return { params: { page: 'unknown' } };
  if (operation.id === 'backOffice.sessions.beginDemo') return { json: { personGuid: UNKNOWN } };
  if (operation.id === 'backOffice.sessions.demoToken') return { json: { account: 'nobody' } };
  if (operation.id.startsWith('backOffice.invitations.')) {
    return { json: { ...(options.json as object), token: 'unknown' } };
  }
  const own = sandboxesUnknown[operation.id];
  if (own) return own;
  const unknown = Object.keys(options.params ?? {}).map((name) => [name, UNKNOWN]);
  const params = Object.fromEntries(unknown) as Record<string, string>;
  // The merchant of a payment is also the restaurant of its header (API-6).
  return 'merchantUuid' in params && !isBackOffice(operation)
    ? { params, restaurant: UNKNOWN }
    : { params };
}

/** A method that no operation has at the path. */
function otherMethod({ path }: ExpectedOperation): string {
  const used = expectedOperations.filter((each) => each.path === path).map(({ method }) => method);
  const other = (['PATCH', 'PUT', 'DELETE'] as const).find((method) => !used.includes(method));
  if (!other) throw new Error(`${path} has an operation for every method`);
  return other;
}

function without(options: CallOptions, name: keyof CallOptions): CallOptions {
  const { [name]: _, ...rest } = options;
  return rest;
}

function typeOf({ options }: StatusRequest): Record<string, string> {
  const type =
    options.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  return { ...options.headers, 'content-type': type };
}

function malformed(operation: ExpectedOperation, { options }: StatusRequest): CallOptions {
  if (operation.id.endsWith('.whoami')) return { query: { operation: 'stock.guess' } };
  if (operation.id === 'docs.error') return { query: { request: 'yesterday' } };
  if (isBackOffice(operation)) return backOfficeMalformed(operation);
  if (operation.id.startsWith('platform.events.')) return { query: { after: 'yesterday' } };
  if (options.form !== undefined) return { form: { surprise: 'yes' } };
  if (namesRestaurant(operation)) return { restaurant: 'not-a-guid' };
  if (options.json !== undefined) return { json: {} };
  return { query: { lastModified: 'yesterday' } };
}

/** An account that may not do this: the scope is missing, or the restaurant is not connected. */
function strangerTo(operation: ExpectedOperation): DemoClientName {
  if (isBackOffice(operation)) return 'partner';
  if (operation.id === 'platform.whoami') return 'operator';
  if (/^(partners|platform\.events)\./.test(operation.id)) return 'group';
  return namesRestaurant(operation) ? 'other' : 'readOnly';
}

function namesRestaurant({ restaurant }: ExpectedOperation): boolean {
  return restaurant === 'header' || restaurant === 'order';
}

/** A restaurant that never published, made apart from the demo group, and an account of its group. */
async function restaurantWithoutMenus(callers: DemoCallers): Promise<CallOptions> {
  const managementGroupGuid = await newGroup(callers, 'Ring group without menus');
  const restaurant = await newRestaurant(callers, managementGroupGuid);
  const about = { type: 'CUSTOMER', managementGroupGuid, scopes: ['menus:read'] };
  return { restaurant, token: (await newAccount(callers, about)).caller.token };
}
