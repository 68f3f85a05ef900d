import type { Scope } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import type { Principal, RestaurantContext } from '../../src/http/operation.ts';
import { issueCardKey } from '../../src/payments/cards/card-keys.ts';
import { encryptCardData } from '../../src/payments/cards/encrypt-card-data.ts';
import { type CardKeyring, createCardKeyring } from '../../src/payments/cards/keyring.ts';
import { createTestDatabase } from '../database.ts';
import { insertClient } from '../payments/fixture-store.ts';
import { insertRestaurant } from '../rows.ts';
import { updateBusinessDay } from './history-store.ts';
import { type BusinessDay, DAYS } from './model.ts';

/** A restaurant that runs use. */
export interface Merchant {
  readonly restaurant: RestaurantContext;
  readonly day: BusinessDay;
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
  close(): Promise<void>;
}

const LAST_4 = '1111';

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
    await updateBusinessDay(owner.sql, restaurant.guid, day.timeZone, day.closeoutHour);
    merchants.push({ restaurant: { ...restaurant, timeZone: day.timeZone }, day });
  }
  const clients: Client[] = [];
  for (let number = 0; number < 2; number += 1) {
    const clientId = await insertClient(owner.sql, now);
    const key = await issueCardKey(
      { database: owner, vault, clock },
      { clientId, algorithm: 'ECDH-ES' },
    );
    clients.push({ principal: principalOf(clientId), body: await bodyOf(key) });
  }
  const keyring = rememberingKeyring(createCardKeyring(owner.sql, vault));
  return {
    ...{ database, vault, keyring, merchants, clients },
    close: async () => {
      await database.close();
      await drop();
    },
  };
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

function principalOf(clientId: string): Principal {
  return {
    clientId,
    name: 'Client',
    type: 'PARTNER',
    partnerGuid: null,
    managementGroupGuid: null,
    scopes: new Set<Scope>(['credit_cards.authorization:write']),
    holdsLegacyCardKey: false,
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
