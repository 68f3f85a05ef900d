import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { instantTimer, type Timer } from '@servery/support/timer.ts';
import type { Database } from '../../src/database/database.ts';
import { openPostOffice, type PostOffice, type TestEndpoint } from './post-office.ts';
import { status } from './receiver.ts';

let office: PostOffice;
before(async () => {
  office = await openPostOffice();
});
after(() => office.close());

const statesOf = async (endpoint: TestEndpoint) =>
  new Set((await endpoint.deliveries()).map(({ state }) => state));

/** Holds an endpoint as somebody does who changes much of it; gives how to let go. */
async function hold({ guid }: TestEndpoint) {
  const held = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const holding = office.database.transaction(async (sql) => {
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

test('recording: whoever holds a failing endpoint holds up no other', async () => {
  const [one, two] = [await office.partner(), await office.partner()];
  const failing = await one.endpoint('/held-fails');
  const sound = await two.endpoint('/held-sound');
  office.receiver.answer('/held-fails', status(500));
  await one.events(1);
  await two.events(100);
  const letGo = await hold(failing);
  const delivering = office.deliver();
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
  const partner = await office.partner();
  const endpoint = await partner.endpoint('/held-taken');
  await partner.events(10);
  const letGo = await hold(endpoint);
  await office.deliver();
  assert.deepEqual(await statesOf(endpoint), new Set(['DELIVERED']));
  await letGo();
});

test('recording: one failure among many writes one endpoint', async () => {
  const partner = await office.partner();
  for (let number = 0; number < 30; number += 1) await partner.endpoint(`/one-of/${number}`);
  office.receiver.answer('/one-of/7', status(500));
  const { sql } = office.database;
  const versions = async () => {
    const rows = await sql<{ guid: string; version: string }[]>`
      select guid, xmin::text as version from webhook_endpoint
      where partner_guid = ${partner.partnerGuid}`;
    return new Map(rows.map(({ guid, version }) => [guid, version]));
  };
  await partner.events(4);
  const before = await versions();
  await office.deliver();
  const after = await versions();
  const written = [...before].filter(([guid, version]) => after.get(guid) !== version);
  assert.equal(written.length, 1);
});

/** The database of the office, which fails the first statements that write attempts down. */
function failing(times: number, error: unknown): Database {
  const { database } = office;
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
  const partner = await office.partner();
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
  await office.deliver({ database: failing(2, new Error('scripted break')), timer });
  assert.deepEqual(await statesOf(endpoint), new Set(['DELIVERED']));
  assert.equal(office.receiver.received.filter(({ path }) => path === '/broke').length, 10);
  assert.ok(waits.includes(50));
});

test('recording: a database that writes nothing for a moment refuses no single row', async () => {
  const partner = await office.partner();
  const endpoint = await partner.endpoint('/read-only');
  await partner.events(4);
  const readOnly: unknown = await office.database
    .transaction(async (sql) => {
      await sql`set transaction read only`;
      await sql`delete from webhook_attempt`;
    })
    .catch((error: unknown) => error);
  assert.ok(isSqlState(readOnly, '25006'));
  await office.deliver({ database: failing(1, readOnly), timer: instantTimer });
  assert.deepEqual(await statesOf(endpoint), new Set(['DELIVERED']));
});

test('recording: a row that the database refuses spoils no other', async () => {
  const partner = await office.partner();
  const refused = await partner.endpoint('/refused-row');
  const sound = await partner.endpoint('/sound-row');
  const { sql } = office.database;
  await sql`
    alter table webhook_attempt add constraint scripted check (url not like '%/refused-row')`;
  await partner.events(8);
  await office.deliver();
  await sql`alter table webhook_attempt drop constraint scripted`;
  assert.deepEqual(await statesOf(sound), new Set(['DELIVERED']));
  assert.deepEqual(await statesOf(refused), new Set(['QUEUED']));
  assert.ok(
    office.logged.includes('error an attempt to deliver could not be written down; it is repeated'),
  );
});
