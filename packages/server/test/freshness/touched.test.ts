import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as clients from '../../src/clients/client-store.ts';
import { updateClientText, updateOtherSecretsExpiry } from '../../src/clients/client-view-store.ts';
import { deleteGrant, insertGrant, insertRevokedToken } from '../../src/clients/grant-store.ts';
import { updatePublishNumber } from '../../src/configuration/publication-store.ts';
import * as objects from '../../src/configuration/write-store.ts';
import type { Sql } from '../../src/database/database.ts';
import type { Subject } from '../../src/freshness/freshness.ts';
import { bucketOf } from '../../src/freshness/subjects.ts';
import * as menus from '../../src/menus/store.ts';
import * as connections from '../../src/partners/connection-store.ts';
import {
  updateUnnamedConnectionsRemoved,
  upsertConnection,
} from '../../src/partners/write-store.ts';
import { updateCardKeyState } from '../../src/payments/cards/card-key-store.ts';
import { insertRestaurant, updateRestaurant } from '../../src/restaurants/admin-store.ts';
import type { RestaurantRow } from '../../src/restaurants/store.ts';
import * as restaurants from '../../src/restaurants/write-store.ts';
import { updateStock } from '../../src/stock/change-store.ts';
import { insertSigningKey } from '../../src/tokens/signing-key-store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const BISTRO = '11111111-1111-4111-8111-111111111111';
const GROUP = '22222222-2222-4222-8222-222222222222';
const OTHER_GROUP = '33333333-3333-4333-8333-333333333333';
const PARTNER = '44444444-4444-4444-8444-444444444444';
const GUID = '55555555-5555-4555-8555-555555555555';
const NOW = new Date('2026-03-01T12:00:00Z');
const CLIENT = 'client-1';

const row = {
  ...{ guid: BISTRO, managementGroupGuid: GROUP, name: 'Bistro', locationName: null },
  ...{ locationCode: null, description: null, timeZone: 'UTC', closeoutHour: 4 },
  ...{ currencyCode: 'USD', firstBusinessDate: null, archived: false, urls: {}, location: {} },
  ...{ schedules: {}, delivery: {}, onlineOrdering: {}, prepTimes: {} },
  orders: { approval: 'auto' },
} as unknown as RestaurantRow;
const employee = { firstName: 'A', lastName: 'B', email: 'a@example.com', phone: null };
const details = { externalGroupRef: null, externalRestaurantRef: null, employee };
const key = { restaurantGuid: BISTRO, partnerGuid: PARTNER };
const wanted = { ...key, ...details, createdBy: employee, createdAt: null, modifiedAt: null };
const secret = {
  ...{ clientId: CLIENT, guid: GUID, digest: Buffer.alloc(32), label: null },
  ...{ createdAt: NOW, createdBy: null, expiresAt: null },
};
const account = {
  ...{ clientId: CLIENT, name: 'C', description: null, type: 'BACK_OFFICE' as const, scopes: [] },
  ...{ partnerGuid: null, managementGroupGuid: null, holdsLegacyCardKey: false },
  ...{ createdAt: NOW, createdBy: null },
} as const;
const grant = {
  ...{ clientId: CLIENT, secretGuid: GUID, narrowedTo: '', jti: GUID, kid: 'k', facts: '{}' },
  ...{ issuedAt: 1, expiresAt: 2 },
};
const signingKey = {
  ...{ generation: 1, kid: 'k', publicJwk: { kty: 'RSA', n: '', e: '' } as const },
  ...{ sealedPrivateKey: Buffer.alloc(1), createdAtMs: 1, activeFromMs: 2, signedUntilMs: 3 },
};
const MENUS = { lastUpdated: NOW, digest: '0'.repeat(64), supplement: '{}' };
const maker = { by: 'test', requestId: null, at: NOW };

type Change = (sql: Sql) => Promise<unknown>;

/** What changes which subjects; what is changed by some of them is made by those before. */
const changes: Record<string, { subjects: readonly Subject[]; calls: readonly Change[] }> = {
  client: {
    subjects: [`client:${CLIENT}`],
    calls: [
      (sql) => clients.insertClient(sql, account),
      (sql) => clients.insertSecret(sql, secret),
      (sql) => clients.insertSecret(sql, { ...secret, guid: OTHER_GROUP }),
      (sql) => clients.updateSecretRevoked(sql, CLIENT, GUID, 1, null),
      (sql) => clients.updateClientScopes(sql, CLIENT, [], null),
      (sql) => updateOtherSecretsExpiry(sql, secret, NOW),
      (sql) => insertGrant(sql, grant, null),
      (sql) => deleteGrant(sql, CLIENT, GUID),
      (sql) => insertRevokedToken(sql, { clientId: CLIENT, jti: GUID, expiresAt: 2 }, 1),
      (sql) => updateCardKeyState(sql, CLIENT, 'k', { from: 'ACTIVE', to: 'DESTROYED' }, NOW),
      (sql) => clients.updateClientRevoked(sql, CLIENT, 1, null),
    ],
  },
  'the name of a client': {
    subjects: [`client:${CLIENT}`, 'names:all'],
    calls: [(sql) => updateClientText(sql, CLIENT, { ...account, name: 'D' })],
  },
  'signing keys': {
    subjects: ['signingKeys:all'],
    calls: [(sql) => insertSigningKey(sql, signingKey)],
  },
  'restaurant and group': {
    subjects: [`restaurant:${BISTRO}`, `group:${GROUP}`],
    calls: [
      (sql) => insertRestaurant(sql, row, NOW),
      (sql) => restaurants.upsertRestaurant(sql, { ...row, name: 'Diner' }, NOW),
      (sql) => restaurants.updateUnnamedRestaurantsArchived(sql, GROUP, [], NOW),
    ],
  },
  connection: {
    subjects: [`restaurant:${BISTRO}`],
    calls: [
      (sql) => connections.insertConnection(sql, key, details, NOW),
      (sql) => connections.updateConnection(sql, key, details, NOW),
      (sql) => updateUnnamedConnectionsRemoved(sql, GROUP, [], NOW),
      (sql) => upsertConnection(sql, wanted, NOW),
      (sql) => connections.updateConnection(sql, key, { ...details, reason: 'x' }, NOW),
    ],
  },
  configuration: {
    subjects: [`configuration:${BISTRO}`],
    calls: [
      (sql) => objects.upsertObjects(sql, BISTRO, '[]', NOW),
      (sql) => objects.updateMultiLocationIdsFreed(sql, BISTRO, '[]'),
      (sql) => objects.updateUnnamedArchived(sql, BISTRO, [], NOW),
    ],
  },
  menus: {
    subjects: [`menus:${BISTRO}`],
    calls: [
      (sql) => menus.upsertMenus(sql, BISTRO, MENUS, '{}'),
      (sql) => menus.updateSupplement(sql, BISTRO, '{}'),
    ],
  },
  publication: {
    subjects: [`configuration:${BISTRO}`, `restaurant:${BISTRO}`],
    calls: [(sql) => updatePublishNumber(sql, BISTRO)],
  },
  stock: {
    subjects: [`stock:${BISTRO}`],
    calls: [(sql) => updateStock(sql, BISTRO, [], maker, { cause: 'IMPORT' })],
  },
  'move to another group': {
    subjects: [`restaurant:${BISTRO}`, `group:${GROUP}`, `group:${OTHER_GROUP}`],
    calls: [
      (sql) => updateRestaurant(sql, { ...row, managementGroupGuid: OTHER_GROUP }, GROUP, NOW),
    ],
  },
};

let scratch: TestDatabase;
before(async () => {
  scratch = await createTestDatabase();
});
after(() => scratch.drop());

/** The counters that were ever raised. */
async function revisions(): Promise<Map<number, number>> {
  const rows = await scratch.database.sql<{ bucket: number; revision: number }[]>`
    select bucket, revision from change_mark where revision > 0`;
  return new Map(rows.map(({ bucket, revision }) => [bucket, revision]));
}

for (const [what, { subjects, calls }] of Object.entries(changes)) {
  test(`touching: a change of ${what} raises just what it changes`, async () => {
    const expected = subjects.map(bucketOf).sort((one, other) => one - other);
    for (const call of calls) {
      const known = await revisions();
      await scratch.database.transaction(async (sql) => {
        // What rows refer to is of no matter here.
        await sql`set local session_replication_role = replica`;
        await call(sql);
      });
      const raised = [...(await revisions())]
        .filter(([bucket, revision]) => known.get(bucket) !== revision)
        .map(([bucket]) => bucket);
      assert.deepEqual(
        raised.sort((one, other) => one - other),
        expected,
        String(call),
      );
    }
  });
}
