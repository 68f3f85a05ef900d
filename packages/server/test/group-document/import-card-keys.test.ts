import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { listPublicCardKeys } from '../../src/payments/cards/card-keys.ts';
import { createCardKeyring } from '../../src/payments/cards/keyring.ts';
import { type GroupDocumentFixture, openGroupDocumentFixture } from './fixture.ts';

let fixture: GroupDocumentFixture;

before(async () => {
  fixture = await openGroupDocumentFixture();
});
after(() => fixture.drop());

const PAYING = 'credit_cards.authorization:write';

const account = (clientId: string, scopes: readonly string[], more: object = {}) => ({
  ...{ clientId, name: clientId, userAccessType: 'CUSTOMER', scopes, ...more },
});

const group = (name: string, clients: readonly object[]) => ({
  format: 'servery.group/1',
  managementGroup: { name },
  clients,
});

async function algorithmsOf(clientId: string): Promise<string[]> {
  const keys = await listPublicCardKeys(fixture, clientId);
  return keys.map(({ algorithm }) => algorithm).sort();
}

const DEFAULT = ['ECDH-ES', 'RSA-OAEP-256', 'RSA-OAEP-SHA256'];

test('import PAY-3 PAY-4: a new account that may send payments has card keys that open', async () => {
  const reader = account('reader', ['stock:read'], { holdsLegacyCardKey: true });
  const document = group('Keys', [account('payer', [PAYING]), reader]);
  const { newCardKeyClients } = await fixture.load(document);
  assert.deepEqual(newCardKeyClients, ['payer']);
  assert.deepEqual(await algorithmsOf('payer'), DEFAULT);
  assert.deepEqual(await algorithmsOf('reader'), []);
  const keyring = createCardKeyring(fixture.database.sql, fixture.vault);
  const nowMs = fixture.clock.nowMs();
  for (const { keyId } of await listPublicCardKeys(fixture, 'payer')) {
    assert.equal((await keyring.list('payer', keyId, nowMs))[0]?.keyId, keyId);
  }
  await assert.rejects(keyring.list('payer', null, nowMs), /no live legacy key/);

  const before = await listPublicCardKeys(fixture, 'payer');
  const again = await fixture.load(document, { replace: true });
  assert.deepEqual(again.newCardKeyClients, []);
  assert.deepEqual(await listPublicCardKeys(fixture, 'payer'), before);
});

test('import PAY-3: a legacy holder gets a key that is meant without keyId', async () => {
  await fixture.load(group('Legacy', [account('old', [PAYING], { holdsLegacyCardKey: true })]));
  assert.deepEqual(await algorithmsOf('old'), [...DEFAULT, 'RSA-OAEP-SHA1'].sort());
  const keyring = createCardKeyring(fixture.database.sql, fixture.vault);
  const [legacy] = await keyring.list('old', null, fixture.clock.nowMs());
  assert.equal(legacy?.algorithm, 'RSA-OAEP-SHA1');
});

test('import --replace PAY-4: an account that may send payments from now on gets keys', async () => {
  await fixture.load(group('Later', [account('later', ['stock:read'])]));
  const document = group('Later', [account('later', ['stock:read', PAYING])]);
  const { newClients, newCardKeyClients } = await fixture.load(document, { replace: true });
  assert.deepEqual([newClients, newCardKeyClients], [[], ['later']]);
  assert.deepEqual(await algorithmsOf('later'), DEFAULT);
});

test('import PAY-3: card keys are made before the transaction and come all or none', async () => {
  const seen: string[][] = [];
  const rollback = new Error('as a deadlock does');
  const keyIds = async (sql: Database['sql']) => {
    const rows = await sql<{ id: string }[]>`
      select key_id as id from card_key where client_id = 'repeated' order by key_id`;
    seen.push(rows.map(({ id }) => id));
  };
  const repeating: Database = {
    ...fixture.database,
    transaction: async (run, options) => {
      const lost = fixture.database.transaction(async (sql) => {
        await run(sql);
        await keyIds(sql);
        throw rollback;
      });
      await assert.rejects(lost, rollback);
      await keyIds(fixture.database.sql);
      return fixture.database.transaction(run, options);
    },
  };
  await fixture.load(group('Repeated', [account('repeated', [PAYING])]), {}, repeating);
  await keyIds(fixture.database.sql);
  const [first, between, last] = seen;
  assert.equal(first?.length, DEFAULT.length);
  assert.deepEqual(between, []);
  // Not made anew for the second attempt.
  assert.deepEqual(last, first);
});
