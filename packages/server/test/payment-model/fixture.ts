import { type Scope, scopesFor } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import { connectDatabase, type Database, type Sql } from '../../src/database/database.ts';
import type { Principal, RestaurantContext } from '../../src/http/operation.ts';
import { configurationReader, type FindConfiguration } from '../../src/orders/configuration.ts';
import { findOrderingRestaurant } from '../../src/orders/published-store.ts';
import type { PublishedMenus } from '../../src/orders/read-order/menu-index.ts';
import { issueCardKey } from '../../src/payments/cards/card-keys.ts';
import { encryptCardData } from '../../src/payments/cards/encrypt-card-data.ts';
import { type CardKeyring, createCardKeyring } from '../../src/payments/cards/keyring.ts';
import { createTestDatabase } from '../database.ts';
import { findPartnerOf, updateStockLevel } from '../orders/fixture-store.ts';
import { guidOf, item, menusOf } from '../orders/menu.ts';
import { insertClient } from '../payments/fixture-store.ts';
import { insertObject, insertRestaurant } from '../rows.ts';
import { updateBusinessDay } from './history-store.ts';
import { type BusinessDay, DAYS, SOUP_MINOR } from './model.ts';

/** A restaurant that runs use. */
export interface Merchant {
  readonly restaurant: RestaurantContext;
  readonly day: BusinessDay;
  /** Whether people approve its orders. */
  readonly isManual: boolean;
  /** With soup, of which there is plenty, and which is counted. */
  readonly menus: PublishedMenus;
}

/** A partner with its key, its card data encrypted once. */
interface Client {
  readonly principal: Principal;
  /** The body of a PUT without its amounts. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What all runs of one process share: the database, restaurants, clients. */
export interface ModelFixture {
  readonly database: Database;
  readonly vault: Vault;
  readonly keyring: CardKeyring;
  readonly merchants: readonly Merchant[];
  readonly clients: readonly Client[];
  /** Has read the configuration of every restaurant already. */
  readonly findConfiguration: FindConfiguration;
  close(): Promise<void>;
}

const LAST_4 = '1111';
const PLENTY = 1_000_000;

/** Opens a database of its own with restaurants and clients. */
export async function openModelFixture(): Promise<ModelFixture> {
  const { url, database: owner, drop } = await createTestDatabase();
  const database = connectDatabase({ url, poolSize: 6 });
  const now = new Date(Date.UTC(2026, 0, 1));
  const vault = createVault(Buffer.alloc(32, 9));
  const clock = new FixedClock(now.getTime());
  const merchants: Merchant[] = [];
  for (const day of DAYS) {
    const restaurant = await insertRestaurant(owner.sql, { createdAt: now });
    const isManual = merchants.length % 2 === 1;
    await updateBusinessDay(owner.sql, restaurant.guid, day, isManual ? 'manual' : 'auto');
    await insertMenu(owner.sql, restaurant.guid);
    const menus = menusOf({ items: [item('Soup', SOUP_MINOR / 100)] }, day.timeZone);
    merchants.push({
      restaurant: { ...restaurant, timeZone: day.timeZone },
      ...{ day, menus, isManual },
    });
  }
  const findConfiguration = configurationReader();
  for (const { restaurant } of merchants) {
    const { guid } = restaurant;
    const ordering = await findOrderingRestaurant(owner.sql, guid);
    if (ordering) await findConfiguration(owner.sql, ordering);
  }
  const clients: Client[] = [];
  for (let number = 0; number < 2; number += 1) {
    const clientId = await insertClient(owner.sql, now);
    const key = await issueCardKey(
      { database: owner, vault, clock },
      { clientId, algorithm: 'ECDH-ES' },
    );
    const partnerGuid = await findPartnerOf(owner.sql, clientId);
    clients.push({ principal: principalOf(clientId, partnerGuid), body: await bodyOf(key) });
  }
  const keyring = rememberingKeyring(createCardKeyring(owner.sql, vault));
  return {
    ...{ database, vault, keyring, merchants, clients, findConfiguration },
    close: async () => {
      await database.close();
      await drop();
    },
  };
}

async function insertMenu(sql: Sql, restaurantGuid: string): Promise<void> {
  const diningOption = { name: 'Dine in', behavior: 'DINE_IN', curbside: false };
  const guid = guidOf('dine-in');
  await insertObject(sql, restaurantGuid, 'diningOptions', { guid, fields: diningOption });
  const soup = { guid: guidOf('Soup'), fields: { name: 'Soup' } };
  await insertObject(sql, restaurantGuid, 'menuItems', soup);
  await updateStockLevel(sql, restaurantGuid, soup.guid, PLENTY);
}

/**
 * Asks the real keyring once for each client. Every PUT still decrypts its card with the real key,
 * but the question whether the key is live, which has tests of its own, is not asked again.
 */
function rememberingKeyring(keyring: CardKeyring): CardKeyring {
  const answers = new Map<string, ReturnType<CardKeyring['list']>>();
  return {
    list: (clientId, keyId, nowMs) => {
      const known = answers.get(clientId) ?? keyring.list(clientId, keyId, nowMs);
      answers.set(clientId, known);
      return known;
    },
  };
}

function principalOf(clientId: string, partnerGuid: string | null): Principal {
  return {
    clientId,
    name: 'Client',
    type: 'PARTNER',
    partnerGuid,
    managementGroupGuid: null,
    scopes: new Set<Scope>(scopesFor('PARTNER')),
    holdsLegacyCardKey: false,
    tokenIssuedAtMs: 0,
    tokenExpiresAtMs: Number.POSITIVE_INFINITY,
  };
}

async function bodyOf(key: Awaited<ReturnType<typeof issueCardKey>>) {
  const cardNumber = `411111111111${LAST_4}`;
  const clearText = {
    cardNumber,
    zipCode: '02110',
    cvv: '123',
    expMonth: '12',
    expYear: '30',
    country: 'USA',
  };
  return {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: await encryptCardData(key.publicKeyPem, key.keyId, clearText),
    keyId: key.keyId,
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'web-1' },
      localTransactionDate: '2020-12-31T12:30:00.000-0600',
      originIPAddr: '8.8.4.4',
      cardFirst6: cardNumber.slice(0, 6),
      cardLast4: LAST_4,
      billingAddress: { postalCode: '02110', country: 'USA' },
      guestIdentifier: 'guest@example.com',
    },
  };
}
