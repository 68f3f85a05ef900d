import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { createCardKeyring, listPublicCardKeys } from '../../src/payments/cards/card-keys.ts';
import { type BackOffice, openBackOffice } from '../back-office.ts';

let office: BackOffice;

before(async () => {
  office = await openBackOffice();
});
after(() => office.drop());

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
  const keys = await listPublicCardKeys(office, clientId);
  return keys.map(({ algorithm }) => algorithm).sort();
}

const DEFAULT = ['ECDH-ES', 'RSA-OAEP-256', 'RSA-OAEP-SHA256'];

test('import PAY-3 PAY-4: a new account that may send payments has card keys that open', async () => {
  const reader = account('reader', ['stock:read'], { holdsLegacyCardKey: true });
  const document = group('Keys', [account('payer', [PAYING]), reader]);
  const { newCardKeyClients } = await office.load(document);
  assert.deepEqual(newCardKeyClients, ['payer']);
  assert.deepEqual(await algorithmsOf('payer'), DEFAULT);
  assert.deepEqual(await algorithmsOf('reader'), []);
  const keyring = createCardKeyring(office.database.sql, office.vault);
  const nowMs = office.clock.nowMs();
  for (const { keyId } of await listPublicCardKeys(office, 'payer')) {
    assert.equal((await keyring.list('payer', keyId, nowMs))[0]?.keyId, keyId);
  }
  await assert.rejects(keyring.list('payer', null, nowMs), /no live legacy key/);

  const before = await listPublicCardKeys(office, 'payer');
  const again = await office.load(document, { replace: true });
  assert.deepEqual(again.newCardKeyClients, []);
  assert.deepEqual(await listPublicCardKeys(office, 'payer'), before);
});

test('import PAY-3: a legacy holder gets a key that is meant without keyId', async () => {
  await office.load(group('Legacy', [account('old', [PAYING], { holdsLegacyCardKey: true })]));
  assert.deepEqual(await algorithmsOf('old'), [...DEFAULT, 'RSA-OAEP-SHA1'].sort());
  const keyring = createCardKeyring(office.database.sql, office.vault);
  const [legacy] = await keyring.list('old', null, office.clock.nowMs());
  assert.equal(legacy?.algorithm, 'RSA-OAEP-SHA1');
});

test('import --replace PAY-4: an account that may send payments from now on gets keys', async () => {
  await office.load(group('Later', [account('later', ['stock:read'])]));
  const document = group('Later', [account('later', ['stock:read', PAYING])]);
  const { newClients, newCardKeyClients } = await office.load(document, { replace: true });
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
    ...office.database,
    transaction: async (run, options) => {
      const lost = office.database.transaction(async (sql) => {
        await run(sql);
        await keyIds(sql);
        throw rollback;
      });
      await assert.rejects(lost, rollback);
      await keyIds(office.database.sql);
      return office.database.transaction(run, options);
    },
  };
  await office.load(group('Repeated', [account('repeated', [PAYING])]), {}, repeating);
  await keyIds(office.database.sql);
  const [first, between, last] = seen;
  assert.equal(first?.length, DEFAULT.length);
  assert.deepEqual(between, []);
  // Not made anew for the second attempt.
  assert.deepEqual(last, first);
});
