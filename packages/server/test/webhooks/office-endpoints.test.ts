import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Place } from '../../src/reach/reach.ts';
import { listAuditEntries } from '../audit/entry-rows-store.ts';
import { openAccountFixture, person } from '../clients/fixture.ts';
import { insertGroup, insertPartner } from '../rows.ts';
import { openReceiverAccount } from './receiver-account.ts';

const fixture = openAccountFixture();
const scopes = new Set<Scope>(['webhooks:read', 'webhooks:write']);
const at = (place: Place) => person({ scopes, place });
const url = 'https://hooks.example.com/servery';

test('backOffice.webhooks.endpoints.create 200: with defaults, its secret once', async () => {
  const receiver = await openReceiverAccount(fixture);
  const { endpoint, secret, secretGuid } = await receiver.create({ url });
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{32,}=*$/);
  const { connectTimeoutMs, answerTimeoutMs, retryDelaysSeconds, eventTypes, state } = endpoint;
  assert.deepEqual(
    { connectTimeoutMs, answerTimeoutMs, retryDelaysSeconds, eventTypes, state },
    {
      connectTimeoutMs: 2_000,
      answerTimeoutMs: 2_000,
      retryDelaysSeconds: [300, 600],
      eventTypes: null,
      state: 'ACTIVE',
    },
  );
  assert.deepEqual(
    [endpoint.url, endpoint.partnerGuid, endpoint.clientId, endpoint.isOrdered, endpoint.queued],
    [url, receiver.partnerGuid, receiver.clientId, false, 0],
  );
  assert.deepEqual(
    endpoint.secrets.map(({ guid }) => guid),
    [secretGuid],
  );
  const read = await receiver.call('endpoints.get', endpoint.guid);
  assert.deepEqual(read.body, endpoint);
  assert.ok(!JSON.stringify(read.body).includes(secret.slice(6)));
  const entries = await listAuditEntries(fixture.database.sql, endpoint.guid);
  assert.equal(entries.length, 1);
  assert.ok(!JSON.stringify(entries).includes(secret.slice(6)), 'the record holds no secret');
});

test('backOffice.webhooks.endpoints.create 200: with everything said', async () => {
  const receiver = await openReceiverAccount(fixture);
  const expiresAt = new Date(fixture.clock.nowMs() + 60_000).toISOString();
  const said = {
    description: 'The till.',
    connectTimeoutMs: 500,
    answerTimeoutMs: 30_000,
    retryDelaysSeconds: [],
    isOrdered: true,
  };
  const types = ['partner_updated', 'partner_added', 'partner_added'];
  const { endpoint } = await receiver.create({
    ...said,
    eventTypes: types,
    secret: { label: 'First', expiresAt },
  });
  const { description, connectTimeoutMs, answerTimeoutMs, isOrdered } = endpoint;
  const { retryDelaysSeconds } = endpoint;
  assert.deepEqual(
    { description, connectTimeoutMs, answerTimeoutMs, retryDelaysSeconds, isOrdered },
    said,
  );
  assert.deepEqual(endpoint.eventTypes, ['partner_added', 'partner_updated']);
  assert.deepEqual(
    endpoint.secrets.map((secret) => [secret.label, secret.expiresAt]),
    [['First', expiresAt]],
  );
});

test('backOffice.webhooks.endpoints.create 400 422: each fault is told', async () => {
  const { clientId } = await openReceiverAccount(fixture);
  const create = async (body: unknown) =>
    (await fixture.call('backOffice.webhooks.endpoints.create', { body })).status;
  assert.equal(await create({ url }), 400);
  assert.equal(await create({ clientId }), 400);
  const wrong: readonly object[] = [
    ...[{ url: 'ftp://hooks.example.com/' }, { url: 'https://10.0.0.7/' }, { url: '' }],
    ...[{ url: 'https://user@hooks.example.com/' }, { url: 5 }, { description: '' }],
    ...[{ eventTypes: [] }, { eventTypes: ['partner_lost'] }, { eventTypes: 'partner_added' }],
    ...[{ connectTimeoutMs: 99 }, { connectTimeoutMs: 10_001 }, { answerTimeoutMs: 30_001 }],
    ...[{ answerTimeoutMs: 100.5 }, { answerTimeoutMs: '200' }, { isOrdered: 'yes' }],
    ...[{ retryDelaysSeconds: [0] }, { retryDelaysSeconds: [1.5] }, { retryDelaysSeconds: null }],
    ...[{ retryDelaysSeconds: Array(21).fill(1) }, { retryDelaysSeconds: [86_401] }],
    ...[{ secret: 5 }, { secret: { expiresAt: '2020-01-01T00:00:00Z' } }, { clientId: newGuid() }],
  ];
  for (const body of wrong) {
    assert.equal(await create({ clientId, url, ...body }), 422, JSON.stringify(body));
  }
  assert.equal(await create([]), 422);
});

test('backOffice.webhooks.endpoints.list 200: by each filter, page by page', async () => {
  const receiver = await openReceiverAccount(fixture);
  const { partnerGuid, clientId } = receiver;
  const guids: string[] = [];
  for (let number = 0; number < 3; number += 1) {
    fixture.clock.advance(1_000);
    guids.unshift((await receiver.create()).endpoint.guid);
  }
  const list = async (query: Record<string, string>) =>
    (await fixture.call('backOffice.webhooks.endpoints.list', { query })).body;
  const found = async (query: Record<string, string>) =>
    (await list(query)).results.map(({ guid }: { guid: string }) => guid);
  assert.deepEqual(await found({ partnerGuid }), guids);
  assert.deepEqual(await found({ clientId }), guids);
  const [newest = '', second = '', oldest = ''] = guids;
  await receiver.call('endpoints.pause', second, { reason: 'We move.' });
  await receiver.call('endpoints.archive', oldest);
  assert.deepEqual(await found({ partnerGuid }), [newest, second]);
  assert.deepEqual(await found({ partnerGuid, state: 'PAUSED' }), [second]);
  assert.deepEqual(await found({ partnerGuid, state: 'ARCHIVED' }), [oldest]);
  assert.deepEqual(await found({ partnerGuid, state: 'DISABLED' }), []);
  const first = await list({ partnerGuid, pageSize: '1' });
  const rest = await list({ pageToken: first.nextPageToken });
  assert.deepEqual([first.results[0].guid, rest.results[0].guid], [newest, second]);
  assert.equal(rest.nextPageToken, null);
  for (const query of [{ state: 'LOST' }, { partnerGuid: 'x' }, { clientId: 'a b' }]) {
    const answer = await fixture.call('backOffice.webhooks.endpoints.list', { query });
    assert.equal(answer.status, 400, JSON.stringify(query));
  }
});

test('backOffice.webhooks 404: endpoints are seen by the platform and their partner', async () => {
  const receiver = await openReceiverAccount(fixture);
  const { sql } = fixture.database;
  const { guid } = (await receiver.create()).endpoint;
  const own = at({ kind: 'partner', guid: receiver.partnerGuid });
  const strangers = [
    at({ kind: 'partner', guid: await insertPartner(sql) }),
    at({ kind: 'group', guid: await insertGroup(sql) }),
  ];
  const reason = { reason: 'Because.' };
  const calls: readonly (readonly [string, unknown])[] = [
    ['endpoints.get', undefined],
    ['endpoints.update', { isOrdered: true }],
    ['endpoints.pause', reason],
    ['endpoints.disable', reason],
    ['endpoints.resume', undefined],
    ['secrets.add', {}],
    ['test', { eventType: 'partner_added' }],
    ['replay', { which: 'FAILED' }],
    ['replay', { which: 'FAILED', dryRun: true }],
    ['endpoints.archive', undefined],
  ];
  for (const [name, body] of calls) {
    for (const caller of strangers) {
      assert.equal((await receiver.call(name, guid, body, { caller })).status, 404, name);
    }
    assert.equal((await receiver.call(name, newGuid(), body)).status, 404, name);
    assert.equal((await receiver.call(name, 'x', body)).status, 404, name);
  }
  const list = async (caller: ReturnType<typeof at>) =>
    (await fixture.call('backOffice.webhooks.endpoints.list', { caller })).body.results.length;
  for (const caller of strangers) assert.equal(await list(caller), 0);
  assert.equal(await list(own), 1);
  for (const [name, body] of calls) {
    assert.equal((await receiver.call(name, guid, body, { caller: own })).status, 200, name);
  }
  const body = { clientId: receiver.clientId, url };
  for (const caller of strangers) {
    const answer = await fixture.call('backOffice.webhooks.endpoints.create', { caller, body });
    assert.equal(answer.status, 422, 'the account of another partner');
  }
});

test('backOffice.webhooks.endpoints.update 200: what is left out stays', async () => {
  const receiver = await openReceiverAccount(fixture);
  const { endpoint } = await receiver.create({ description: 'One', isOrdered: true });
  fixture.clock.advance(1_000);
  const edit = { url: 'https://hooks.example.com/two', eventTypes: ['partner_removed'] };
  const { body } = await receiver.call('endpoints.update', endpoint.guid, edit);
  const modifiedAt = new Date(fixture.clock.nowMs()).toISOString();
  assert.deepEqual(body, { ...endpoint, ...edit, modifiedAt });
  const cleared = { description: null, eventTypes: null };
  const after = (await receiver.call('endpoints.update', endpoint.guid, cleared)).body;
  assert.deepEqual([after.description, after.eventTypes, after.isOrdered], [null, null, true]);
  const wrong = { url: 'https://127.1/' };
  assert.equal((await receiver.call('endpoints.update', endpoint.guid, wrong)).status, 422);
  await receiver.call('endpoints.archive', endpoint.guid);
  assert.equal((await receiver.call('endpoints.update', endpoint.guid, edit)).status, 409);
});

test('backOffice.webhooks.endpoints.pause 200: paused, resumed, disabled, and why', async () => {
  const receiver = await openReceiverAccount(fixture);
  const { guid } = (await receiver.create()).endpoint;
  const move = async (name: string, body?: object) => {
    const { state, pauseReason, stateReason } = (await receiver.call(name, guid, body)).body;
    return [state, pauseReason, stateReason];
  };
  const pause = { reason: 'We move.' };
  assert.deepEqual(await move('endpoints.pause', pause), ['PAUSED', 'PERSON', 'We move.']);
  await receiver.events(2);
  assert.equal((await receiver.call('endpoints.get', guid)).body.queued, 2);
  assert.deepEqual(await move('endpoints.resume'), ['ACTIVE', null, null]);
  assert.deepEqual(await move('endpoints.disable', pause), ['DISABLED', null, 'We move.']);
  await receiver.events(2);
  assert.equal((await receiver.call('endpoints.get', guid)).body.queued, 2, 'nothing is queued');
  assert.deepEqual(await move('endpoints.resume'), ['ACTIVE', null, null]);
  assert.equal((await receiver.call('endpoints.pause', guid, {})).status, 400);
  assert.equal((await receiver.call('endpoints.pause', guid, { reason: ' ' })).status, 422);
  assert.equal((await receiver.call('endpoints.disable', guid, {})).status, 400);
});

test('backOffice.webhooks.endpoints.archive 200: ends it, and what waits is dropped', async () => {
  const receiver = await openReceiverAccount(fixture);
  const { guid } = (await receiver.create()).endpoint;
  await receiver.events(2);
  const { body } = await receiver.call('endpoints.archive', guid);
  assert.deepEqual([body.state, body.queued, body.secrets], ['ARCHIVED', 0, []]);
  const dropped = await receiver.deliveries({ endpointGuid: guid });
  assert.deepEqual(
    dropped.map(({ state }) => state),
    ['DROPPED', 'DROPPED'],
  );
  assert.equal((await receiver.call('endpoints.archive', guid)).status, 200);
  const refused: readonly (readonly [string, unknown])[] = [
    ['endpoints.resume', undefined],
    ['endpoints.pause', { reason: 'No.' }],
    ['endpoints.disable', { reason: 'No.' }],
    ['secrets.add', {}],
    ['test', { eventType: 'partner_added' }],
    ['replay', { which: 'RANGE', fromPosition: 1, toPosition: 2 }],
  ];
  for (const [name, sent] of refused) {
    assert.equal((await receiver.call(name, guid, sent)).status, 409, name);
  }
});

test('backOffice.webhooks.secrets.add 200: two live at once, and no more', async () => {
  const receiver = await openReceiverAccount(fixture);
  const { endpoint, secretGuid } = await receiver.create();
  const { guid } = endpoint;
  const othersExpireAt = new Date(fixture.clock.nowMs() + 60_000).toISOString();
  const added = await receiver.call('secrets.add', guid, { label: 'Two', othersExpireAt });
  assert.equal(added.status, 200);
  assert.deepEqual(
    added.body.endpoint.secrets.map((secret: { expiresAt: string | null }) => secret.expiresAt),
    [null, othersExpireAt],
  );
  assert.equal((await receiver.call('secrets.add', guid, {})).status, 409);
  const wrong = { othersExpireAt: '2020-01-01T00:00:00Z' };
  assert.equal((await receiver.call('secrets.add', guid, wrong)).status, 422);
  const revoke = async (secret: string) =>
    receiver.call('secrets.revoke', guid, undefined, {
      params: { endpointGuid: guid, secretGuid: secret },
    });
  assert.equal((await revoke(newGuid())).status, 404);
  const left = await revoke(secretGuid);
  assert.deepEqual(
    left.body.secrets.map((secret: { guid: string }) => secret.guid),
    [added.body.secretGuid],
  );
  assert.equal((await revoke(added.body.secretGuid)).status, 409, 'the last one stays');
});
