import { decodeJwt } from 'jose';
import { issueCardKey } from '../../src/payments/cards/card-keys.ts';
import { encryptCardData } from '../../src/payments/cards/encrypt-card-data.ts';
import type { AccessFixture } from '../access/fixture.ts';

/** How many items the restaurant of the test platform has: as many as one call may name. */
const ITEMS = 5_000;

/** The GUID of an item of the restaurant. */
const itemGuid = (at: number) => `0b8f0ee5-7f0d-4b1c-9d38-${String(at).padStart(12, '0')}`;

/**
 * Bodies that are carried out, for operations whose example in the contract is not: it names
 * things that the test platform does not have.
 */
export async function plainBodies(
  fixture: AccessFixture,
): Promise<Readonly<Record<string, unknown>>> {
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    guid: itemGuid(at),
    status: 'QUANTITY',
    quantity: at + 1,
  }));
  return {
    'creditCards.authorize': await plainPayment(fixture),
    'stock.update': items,
    'stock.search': { guids: items.map(({ guid }) => guid) },
    'backOffice.stock.set': { changes: items },
    'backOffice.configuration.objects.create': { name: 'Tacos' },
    'backOffice.configuration.objects.update': { name: 'Tacos' },
    'backOffice.configuration.publications.publish': {
      objects: items.map(({ guid }) => ({ collection: 'menuItems', guid })),
    },
  };
}

/** A payment that is authorized, by the account of the group. */
async function plainPayment({ deps, callers }: AccessFixture): Promise<unknown> {
  const caller = callers.find(({ name }) => name === 'a CUSTOMER client of a group');
  const { authorization = '' } = (await caller?.headers()) ?? {};
  const { azp } = decodeJwt(authorization.slice('Bearer '.length));
  const keyDeps = { ...deps, clock: deps.realClock };
  const request = { clientId: String(azp), algorithm: 'ECDH-ES' } as const;
  const { keyId, publicKeyPem } = await issueCardKey(keyDeps, request);
  const place = { postalCode: '02135', country: 'USA' };
  const card = {
    ...{ cardNumber: '4111111111111111', zipCode: place.postalCode, cvv: '123' },
    ...{ expMonth: '12', expYear: '39', country: place.country },
  };
  return {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: await encryptCardData(publicKeyPem, keyId, card),
    amount: 24.5,
    tipAmount: 4,
    keyId,
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'web-7', additionalInfo: '' },
      localTransactionDate: new Date(deps.realClock.nowMs()).toISOString(),
      originIPAddr: '8.8.8.8',
      cardFirst6: '411111',
      cardLast4: '1111',
      billingAddress: place,
      deliveryAddress: { ...place, address1: 'x', city: 'x', region: 'x' },
      guestIdentifier: 'guest-5510',
    },
  };
}

/** Publishes the items at the restaurant of the test platform, with names as long as they may be. */
export async function fillRestaurant({ deps, callers, sides }: AccessFixture): Promise<void> {
  const operator = callers.find(({ role, place }) => role === 'OPERATOR' && !place?.guid);
  const menuItems = Array.from({ length: ITEMS }, (_, at) => ({
    guid: itemGuid(at),
    name: `${at} ${'taco '.repeat(48)}`,
  }));
  const document = { complete: true, configuration: { menuItems } };
  const path = `/backoffice/v1/restaurants/${sides[0]?.restaurant.guid}/configuration/apply`;
  const response = await fetch(deps.url + path, {
    method: 'POST',
    headers: { ...(await operator?.headers()), 'content-type': 'application/json' },
    body: JSON.stringify({ document }),
  });
  if (!response.ok) throw new Error(`the items were not published: ${response.status}`);
}
