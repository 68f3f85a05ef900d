import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { instantTimer, type Timer } from '@servery/support/timer.ts';
import type { Database } from '../../src/database/database.ts';
import { openWebhookFixture, type TestEndpoint, type WebhookFixture } from './fixture.ts';
import { status } from './webhook-receiver.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

const statesOf = async (endpoint: TestEndpoint) =>
  new Set((await endpoint.deliveries()).map(({ state }) => state));

/** Holds an endpoint as somebody does who changes much of it; gives how to let go. */
async function hold({ guid }: TestEndpoint) {
  const held = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const holding = fixture.database.transaction(async (sql) => {
    await sql`select from webhook_endpoint where guid = ${guid} for no key update`;
    held.resolve();
    await goOn.promise;
  });
  await held.promise;
  return async () => {
    goOn.resolve();
    await holding;
  };
}

test('recording: a lock on a failing endpoint holds up no other', async () => {
  const [one, two] = [await fixture.partner(), await fixture.partner()];
  const failing = await one.endpoint('/held-fails');
  const sound = await two.endpoint('/held-sound');
  fixture.receiver.answer('/held-fails', status(500));
  await one.events(1);
  await two.events(30);
  const letGo = await hold(failing);
  const delivering = fixture.deliver();
  while ((await sound.deliveries()).some(({ state }) => state !== 'DELIVERED')) {
    assert.equal((await failing.attempts()).length, 0);
  }
  await letGo();
  await delivering;
  assert.deepEqual(
    (await failing.attempts()).map(({ status }) => status),
    [500],
  );
});

test('recording: what is taken waits for nobody who holds its endpoint', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/held-taken');
  await partner.events(10);
  const letGo = await hold(endpoint);
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), new Set(['DELIVERED']));
  await letGo();
});

test('recording: one failure among many writes one endpoint', async () => {
  const partner = await fixture.partner();
  for (let number = 0; number < 30; number += 1) await partner.endpoint(`/one-of/${number}`);
  fixture.receiver.answer('/one-of/7', status(500));
  const { sql } = fixture.database;
  const versions = async () => {
    const rows = await sql<{ guid: string; version: string }[]>`
      select guid, xmin::text as version from webhook_endpoint
      where partner_guid = ${partner.partnerGuid}`;
    return new Map(rows.map(({ guid, version }) => [guid, version]));
  };
  await partner.events(4);
  const before = await versions();
  await fixture.deliver();
  const after = await versions();
  const written = [...before].filter(([guid, version]) => after.get(guid) !== version);
  assert.equal(written.length, 1);
});

/** The database of the fixture, which fails the first statements that write attempts down. */
function failing(times: number, error: unknown): Database {
  const { database } = fixture;
  let left = times;
  const sql = Object.assign((...call: Parameters<Database['sql']>) => {
    const isRecord = call[0].join(' ').includes('insert into webhook_attempt');
    if (isRecord && left > 0) {
      left -= 1;
      throw error;
    }
    return database.sql(...call);
  }, database.sql) as unknown as Database['sql'];
  return { ...database, sql };
}

test('recording: what could not be written is written again, and not sent again', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/broke');
  await partner.events(10);
  const waits: number[] = [];
  const timer: Timer = {
    ...instantTimer,
    after(durationMs, run) {
      waits.push(durationMs);
      return instantTimer.after(durationMs, run);
    },
  };
  await fixture.deliver({ database: failing(2, new Error('scripted break')), timer });
  assert.deepEqual(await statesOf(endpoint), new Set(['DELIVERED']));
  assert.equal(fixture.receiver.received.filter(({ path }) => path === '/broke').length, 10);
  assert.ok(waits.includes(50));
});

test('recording: a database that writes nothing for a moment refuses no single row', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/read-only');
  await partner.events(4);
  const readOnly: unknown = await fixture.database
    .transaction(async (sql) => {
      await sql`set transaction read only`;
      await sql`delete from webhook_attempt`;
    })
    .catch((error: unknown) => error);
  assert.ok(isSqlState(readOnly, '25006'));
  await fixture.deliver({ database: failing(1, readOnly), timer: instantTimer });
  assert.deepEqual(await statesOf(endpoint), new Set(['DELIVERED']));
});

test('recording: a row that the database refuses spoils no other', async () => {
  const partner = await fixture.partner();
  const refused = await partner.endpoint('/refused-row');
  const sound = await partner.endpoint('/sound-row');
  const { sql } = fixture.database;
  await sql`
    alter table webhook_attempt add constraint scripted check (url not like '%/refused-row')`;
  await partner.events(8);
  await fixture.deliver();
  await sql`alter table webhook_attempt drop constraint scripted`;
  assert.deepEqual(await statesOf(sound), new Set(['DELIVERED']));
  assert.deepEqual(await statesOf(refused), new Set(['QUEUED']));
  assert.ok(
    fixture.logged.includes('error a delivery attempt could not be recorded; it will be repeated'),
  );
});
