import assert from 'node:assert/strict';
import type {
  DiningOption,
  FaultToInject,
  MenusDocument,
  OperationId,
  ResolvedMenuItem,
} from '@servery/contract';
import {
  type RemotePlatform,
  startRemotePlatform,
  useRemotePlatform,
} from '../../cli/test/remote-platform.ts';
import { Client } from '../src/back-office.ts';
import { type Card, Servery, type ServeryOptions } from '../src/index.ts';

/** A demo sandbox, an integration that uses it, and its operator. */
export interface Sandbox {
  readonly platform: RemotePlatform;
  readonly restaurant: string;
  readonly baseUrl: string;
  readonly operator: Client;
  /** An integration; the first call logs in. */
  open(options?: Partial<ServeryOptions>): Servery;
  stop(): Promise<void>;
}

export const guest = { identifier: 'guest-1', ipAddress: '8.8.4.4' };
export const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };

/** Gives the sandbox that the test files of a process share. */
export function useSandbox(take: (sandbox: Sandbox) => unknown): void {
  useRemotePlatform((platform) => take(sandboxAt(platform)));
}

export async function openSandbox(settings: Record<string, string> = {}): Promise<Sandbox> {
  return sandboxAt(await startRemotePlatform(settings));
}

function sandboxAt(platform: RemotePlatform): Sandbox {
  const { baseUrl, clients, restaurants } = platform.demo;
  const restaurant = restaurants[0]?.guid ?? '';
  const { partner, operator } = clients;
  return {
    ...{ platform, restaurant, baseUrl, stop: platform.stop },
    operator: new Client({ baseUrl, credentials: operator }),
    open: (options = {}) => {
      const { clientId, clientSecret } = partner;
      return new Servery({
        baseUrl,
        clientId,
        clientSecret,
        restaurant,
        currency: 'USD',
        ...options,
      });
    },
  };
}

/** Orders that calls of an operation go wrong. */
export async function orderFault(
  { operator }: Sandbox,
  operation: OperationId,
  kind: FaultToInject['kind'],
  parameters: Omit<FaultToInject, 'kind'> = {},
  times = 1,
): Promise<void> {
  const body = { match: { operation }, fault: { kind, ...parameters }, times };
  await operator.call('backOffice.faults.add', { body });
}

/** Edits an object of the configuration, and publishes it. */
export async function publishEdit(
  { operator, restaurant }: Sandbox,
  collection: string,
  guid: string,
  fields: object,
): Promise<void> {
  const params = { restaurantGuid: restaurant };
  await operator.call('backOffice.configuration.objects.update', {
    params: { ...params, collection, guid },
    body: fields,
  });
  await operator.call('backOffice.configuration.publications.publish', { params, body: {} });
}

/** The test card with this number, as a guest types it in. */
export function cardOf(number = '4111111111111111'): Card {
  const end = { expMonth: 12, expYear: 2039, cvv: '123' };
  return { number, ...end, postalCode: '02110', country: 'USA' };
}

/** An order to take out of one item that needs no choices. */
export async function plainOrder(servery: Servery, more: object = {}) {
  const document = await servery.menus.get();
  const found = plainItems(document);
  assert.ok(found[0]);
  const options = await servery.configuration.diningOptions.list().all();
  const takeOut = options.find(({ behavior }: DiningOption) => behavior === 'TAKE_OUT');
  assert.ok(takeOut);
  const { item, group } = found[0];
  const selection = { item: { guid: item.guid }, itemGroup: { guid: group } };
  return {
    diningOption: { guid: takeOut.guid },
    checks: [{ selections: [{ ...selection, quantity: 2 }], customer }],
    ...more,
  };
}

function plainItems({ menus, modifierGroupReferences: groups }: MenusDocument) {
  const isPlain = ({ price, modifierGroupReferences }: ResolvedMenuItem) =>
    price && modifierGroupReferences.every((key) => groups[key]?.requiredMode !== 'REQUIRED');
  return menus
    .flatMap(({ menuGroups }) => menuGroups)
    .flatMap(({ guid, menuItems }) =>
      menuItems.filter(isPlain).map((item) => ({ item, group: guid })),
    );
}
