import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiClientUsage, type OperationId, operationById } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { ClientUses } from '../../src/clients/client-uses.ts';
import { setScopes } from '../../src/clients/clients.ts';
import { findManaged } from '../../src/clients/managed-client.ts';
import { clientUsageHandler } from '../../src/clients/office/usage.ts';
import type { Database } from '../../src/database/database.ts';
import type { Check, FinishedRequest } from '../../src/http/pipeline/observe.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { createAuth } from '../../src/tokens/auth.ts';
import { callOperation, principal } from '../request.ts';
import { insertRestaurant } from '../rows.ts';
import {
  type AuthFixture,
  addClient,
  DAY_MS,
  logIn,
  START_MS,
  startAuth,
  useAuthDatabase,
} from '../tokens/fixture.ts';

useAuthDatabase();

const TODAY = '2025-05-12';

interface Sent {
  readonly id?: OperationId | null;
  readonly status?: number;
  readonly restaurantGuid?: string | null;
  readonly refusedBy?: Check;
}

/** A finished request of an account, as far as counting looks at it. */
function finished(clientId: string, atMs: number, sent: Sent = {}): FinishedRequest {
  const { id = 'stock.list', status = 200, restaurantGuid = null, refusedBy } = sent;
  return {
    operation: id === null ? null : operationById(id),
    atMs,
    status,
    caller: principal({ clientId }),
    restaurantGuid,
    refusal: refusedBy ? { check: refusedBy } : null,
  } as FinishedRequest;
}

function usesOf(fixture: AuthFixture, database: Database = fixture.database, countsAtMost = 100) {
  const dropped: number[] = [];
  const uses = new ClientUses({
    database,
    clock: fixture.clock,
    onDropped: (requests) => dropped.push(requests),
    countsAtMost,
  });
  return { uses, dropped };
}

async function usageOf(
  { database, vault, clock }: AuthFixture,
  clientId: string,
  query: Readonly<Record<string, string>> = { from: '2025-05-01', to: '2025-05-31' },
): Promise<ApiClientUsage> {
  const { body } = await callOperation(
    { 'backOffice.clients.usage': clientUsageHandler({ database, vault, realClock: clock }) },
    'backOffice.clients.usage',
    {
      caller: principal({ type: 'BACK_OFFICE' }),
      params: { clientId },
      query,
      nowMs: clock.nowMs(),
    },
  );
  return body;
}

test('client uses: operations, statuses, days and restaurants are counted', async (t) => {
  const fixture = await startAuth(t);
  const { clock, database } = fixture;
  const { clientId } = await addClient(fixture);
  const { guid } = await insertRestaurant(database.sql);
  const { uses } = usesOf(fixture);
  const send = (sent: Sent) => uses.finished(finished(clientId, clock.nowMs(), sent));
  send({ restaurantGuid: guid });
  send({ restaurantGuid: guid, status: 304 });
  send({ restaurantGuid: guid, status: 403, refusedBy: 'scope', id: 'stock.update' });
  send({ restaurantGuid: newGuid(), status: 403, refusedBy: 'restaurant' });
  send({ id: null, status: 404, refusedBy: 'path' });
  await uses.flush();
  clock.advance(DAY_MS);
  send({ restaurantGuid: guid });
  await uses.flush();
  await uses.flush();
  const usage = await usageOf(fixture, clientId);
  assert.equal(usage.requests, 6);
  assert.deepEqual(
    [...usage.operations],
    [
      {
        operation: 'stock.list',
        requests: 4,
        statuses: [
          { status: 200, requests: 2 },
          { status: 304, requests: 1 },
          { status: 403, requests: 1 },
        ],
      },
      { operation: 'none', requests: 1, statuses: [{ status: 404, requests: 1 }] },
      { operation: 'stock.update', requests: 1, statuses: [{ status: 403, requests: 1 }] },
    ],
  );
  assert.deepEqual(
    [...usage.days],
    [
      { day: TODAY, requests: 5 },
      { day: '2025-05-13', requests: 1 },
    ],
  );
  assert.deepEqual(
    [...usage.restaurants],
    [{ restaurantGuid: guid, restaurantName: 'Corner Diner', requests: 4 }],
  );
  assert.equal(usage.restaurantCount, 1, 'a restaurant out of reach is not told of');
});

test('client uses: which scopes were never of use, and since when that is known', async (t) => {
  const fixture = await startAuth(t);
  const { clock, database } = fixture;
  const { uses } = usesOf(fixture);
  await uses.flush();
  clock.advance(1_000);
  const { clientId } = await addClient(fixture, { scopes: ['stock:read', 'stock:write'] });
  const madeAt = new Date(clock.nowMs()).toISOString();
  clock.advance(1_000);
  const lastUsedAt = new Date(clock.nowMs()).toISOString();
  uses.finished(finished(clientId, clock.nowMs()));
  const refused: Sent = { id: 'stock.update', status: 403, refusedBy: 'scope' };
  uses.finished(finished(clientId, clock.nowMs(), refused));
  await uses.flush();
  clock.advance(1_000);
  const grantedAt = new Date(clock.nowMs()).toISOString();
  const scopes = ['stock:read', 'stock:write', 'config:read'] as const;
  await setScopes({ sql: database.sql }, clientId, scopes, clock.nowMs());
  const usage = await usageOf(fixture, clientId);
  assert.deepEqual(
    [...usage.scopes],
    [
      { scope: 'config:read', lastUsedAt: null, since: grantedAt },
      { scope: 'stock:read', lastUsedAt, since: madeAt },
      { scope: 'stock:write', lastUsedAt: null, since: madeAt },
    ],
  );
});

test('client uses: an account from before counting is known since counting began', async (t) => {
  const fixture = await startAuth(t);
  const { clientId } = await addClient(fixture, { scopes: ['stock:read'] });
  fixture.clock.advance(DAY_MS);
  const { uses } = usesOf(fixture);
  await uses.flush();
  const [scope] = (await usageOf(fixture, clientId)).scopes;
  assert.equal(scope?.since, new Date(START_MS + DAY_MS).toISOString());
});

test('client uses: the last use is written at most once a minute', async (t) => {
  const fixture = await startAuth(t);
  const { clock, database, parts } = fixture;
  const credentials = await addClient(fixture);
  const { clientId } = credentials;
  const { uses } = usesOf(fixture);
  const auth = createAuth({ ...parts, secretUses: uses });
  const lastUse = async () => {
    const client = await findManaged(database.sql, clientId, everywhere);
    return [client.lastUsedAt?.getTime(), client.secrets[0]?.lastUsedAt?.getTime()];
  };
  const use = async () => {
    await logIn({ auth, clock }, credentials);
    uses.finished(finished(clientId, clock.nowMs()));
    await uses.flush();
  };
  assert.deepEqual(await lastUse(), [undefined, undefined]);
  await use();
  assert.deepEqual(await lastUse(), [START_MS, START_MS]);
  clock.advance(59_999);
  await use();
  assert.deepEqual(await lastUse(), [START_MS, START_MS]);
  clock.advance(1);
  await use();
  assert.deepEqual(await lastUse(), [START_MS + 60_000, START_MS + 60_000]);
  clock.advance(-3_600_000);
  await use();
  const back = START_MS + 60_000 - 3_600_000;
  assert.deepEqual(await lastUse(), [back, back], 'a clock that went back is followed');
});

test('client uses: a wrong secret is no use of any', async (t) => {
  const fixture = await startAuth(t);
  const { clock, database, parts } = fixture;
  const credentials = await addClient(fixture);
  const { uses } = usesOf(fixture);
  const auth = createAuth({ ...parts, secretUses: uses });
  const wrong = { ...credentials, clientSecret: 'svs_wrong' };
  await assert.rejects(logIn({ auth, clock }, wrong), { errorClass: 'unauthorized' });
  await uses.flush();
  const { secrets } = await findManaged(database.sql, credentials.clientId, everywhere);
  assert.equal(secrets[0]?.lastUsedAt, null);
});

test('client uses: what could not be written is written later, and once', async (t) => {
  const fixture = await startAuth(t);
  const { clock, database } = fixture;
  const { clientId } = await addClient(fixture);
  let isAway = true;
  const flaky: Database = {
    ...database,
    transaction: async (run, options) => {
      if (isAway) throw new Error('the database is away');
      return database.transaction(run, options);
    },
  };
  const { uses } = usesOf(fixture, flaky);
  uses.finished(finished(clientId, clock.nowMs()));
  await assert.rejects(uses.flush(), /is away/);
  uses.finished(finished(clientId, clock.nowMs()));
  isAway = false;
  await uses.flush();
  await uses.flush();
  assert.equal((await usageOf(fixture, clientId)).requests, 2);
});

test('client uses: memory is bounded, and what is dropped is told', async (t) => {
  const fixture = await startAuth(t);
  const { clock, database } = fixture;
  const { clientId } = await addClient(fixture);
  const { uses, dropped } = usesOf(fixture, database, 4);
  for (let status = 200; status < 220; status += 1) {
    uses.finished(finished(clientId, clock.nowMs(), { status }));
  }
  // The known keys go on being counted.
  uses.finished(finished(clientId, clock.nowMs(), { status: 200 }));
  await uses.flush();
  const { requests } = await usageOf(fixture, clientId);
  assert.equal(requests + (dropped[0] ?? 0), 21);
  assert.ok(requests >= 3 && requests <= 5, `${requests}`);
});

test('client uses: two processes add to each other, however they meet', async (t) => {
  const fixture = await startAuth(t);
  const { clock } = fixture;
  const clients = await Promise.all([1, 2, 3].map(() => addClient(fixture)));
  const processes = [usesOf(fixture).uses, usesOf(fixture).uses];
  for (let round = 0; round < 5; round += 1) {
    for (const [index, uses] of processes.entries()) {
      const ordered = index === 0 ? clients : clients.toReversed();
      for (const { clientId } of ordered) uses.finished(finished(clientId, clock.nowMs()));
    }
    await Promise.all(processes.map((uses) => uses.flush()));
    clock.advance(60_000);
  }
  for (const { clientId } of clients) {
    assert.equal((await usageOf(fixture, clientId)).requests, 10);
  }
});

test('client uses: days that are long past are forgotten', async (t) => {
  const fixture = await startAuth(t);
  const { clock } = fixture;
  const { clientId } = await addClient(fixture);
  const { uses } = usesOf(fixture);
  uses.finished(finished(clientId, clock.nowMs()));
  await uses.flush();
  clock.advance(400 * DAY_MS);
  await uses.flush();
  assert.equal((await usageOf(fixture, clientId)).requests, 1);
  clock.advance(DAY_MS);
  await uses.flush();
  const days = { from: TODAY, to: TODAY };
  const { requests } = await usageOf(fixture, clientId, days);
  assert.equal(requests, 0);
});

test('client uses: people and strangers are not counted', async (t) => {
  const fixture = await startAuth(t);
  const { uses, dropped } = usesOf(fixture, fixture.database, 0);
  const request = finished(newGuid(), START_MS);
  uses.finished({ ...request, caller: null });
  uses.finished({ ...request, caller: { type: 'PERSON' } as FinishedRequest['caller'] });
  await uses.flush();
  assert.deepEqual(dropped, []);
});
