import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backOfficeScopes, partnerScopes } from '@servery/contract';
import { type DemoClientDeps, ensureDemoClients } from '../../src/sandbox/demo-clients.ts';
import { openGroupDocumentFixture } from '../group-document/fixture.ts';

const document = {
  format: 'servery.group/1',
  managementGroup: { name: 'Demo' },
  partners: [{ name: 'Connected' }, { name: 'Stranger' }],
  restaurants: [
    {
      info: { general: { name: 'Grill', timeZone: 'Europe/Rome', currencyCode: 'EUR' } },
      configuration: {},
    },
  ],
  connections: [{ partner: 'Connected', restaurant: 'Grill' }],
};

test('start: a sandbox has an account for the orders side, and one for its operator', async (t) => {
  const fixture = await openGroupDocumentFixture();
  t.after(fixture.drop);
  await fixture.load(document);
  const { guid } = JSON.parse(await fixture.dump()).managementGroup;
  const deps: DemoClientDeps = { ...fixture, brand: 'Platform' };
  const make = (known: ReadonlyMap<string, string>) =>
    ensureDemoClients(deps, guid, known, () => {});
  const clients = await make(new Map());
  const { orders, operator, partner, group } = clients;
  assert.equal(orders.type, 'BACK_OFFICE');
  assert.deepEqual(orders.scopes, [
    'payments.lifecycle:read',
    'payments.lifecycle:write',
    'clock:read',
    'clock:write',
    'orders.admin:read',
    'orders.admin:write',
  ]);
  assert.equal(operator.type, 'BACK_OFFICE');
  assert.deepEqual(operator.scopes, backOfficeScopes);
  for (const { cardKeys } of [orders, operator]) assert.deepEqual(cardKeys, []);
  for (const { scopes } of [partner, group]) assert.deepEqual(scopes, partnerScopes);
  const algorithmsOf = ({ cardKeys }: typeof partner) => cardKeys.map((key) => key.algorithm);
  assert.deepEqual(algorithmsOf(partner).sort(), ['ECDH-ES', 'RSA-OAEP-256', 'RSA-OAEP-SHA256']);
  assert.deepEqual(algorithmsOf(group), ['ECDH-ES']);
  const rows = await fixture.database.sql<{ name: string; group: string | null }[]>`
    select name, management_group_guid as group from api_client
    where type = 'BACK_OFFICE' order by name`;
  assert.deepEqual(
    rows.map((row) => [row.name, row.group]),
    [
      ['Demo operator', null],
      ['Demo orders system', guid],
    ],
  );
  const secrets = Object.values(clients).map(
    ({ clientId, clientSecret }) => [clientId, clientSecret] as const,
  );
  assert.deepEqual(await make(new Map(secrets)), clients, 'a second start keeps them');
  const connections = ['Connected', 'Stranger'].map((name) => ({
    partner: name,
    restaurant: 'Grill',
  }));
  await fixture.load({ ...document, connections }, { replace: true });
  const again = await make(new Map(secrets));
  assert.deepEqual(again, clients, 'also when the last partner was connected');
});
