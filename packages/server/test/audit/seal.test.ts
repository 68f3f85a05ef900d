import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { type AuditFixture, fill, openAuditFixture } from './fixture.ts';
import { findUnsealedCount, listSealed } from './tamper-store.ts';

let fixture: AuditFixture;
before(async () => {
  fixture = await openAuditFixture();
});
after(() => fixture.drop());

test('audit: an empty record is intact, and so is one that waits for its sealer', async () => {
  assert.equal((await fixture.verify()).isIntact, true);
  await fixture.write(fixture.database.sql, 'first');
  const verdict = await fixture.verify();
  assert.deepEqual([verdict.isIntact, verdict.position, verdict.hash], [true, 0, null]);
});

test('audit: the sealer links every entry, and then none waits', async () => {
  const { sql } = fixture.database;
  await fill(fixture, 3);
  const sealed = await listSealed(sql);
  const verdict = await fixture.verify();
  assert.equal(verdict.firstBreak, null);
  assert.deepEqual([verdict.position, verdict.hash], [sealed.length, sealed.at(-1)?.hash]);
  assert.equal(await findUnsealedCount(sql), 0);
  assert.equal(await fixture.sealer()(), 0, 'nothing is left to do');
});

test('audit: an entry that is committed after younger ones is sealed all the same', async () => {
  const { database } = fixture;
  const held = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const late = database.transaction(async (sql) => {
    await fixture.write(sql, 'committed late');
    written.resolve();
    await held.promise;
  });
  await written.promise;
  fixture.realClock.advance(5_000);
  await fill(fixture, 2);
  const before = (await listSealed(database.sql)).length;
  held.resolve();
  await late;
  assert.equal(await fixture.sealer()(), 1);
  assert.equal((await listSealed(database.sql)).length, before + 1);
  assert.equal((await fixture.verify()).firstBreak, null);
});

test('audit: a change that is rolled back leaves no entry', async () => {
  const { database } = fixture;
  const failing = database.transaction(async (sql) => {
    await fixture.write(sql, 'never');
    throw new Error('rolled back');
  });
  await assert.rejects(failing, /rolled back/);
  assert.equal(await findUnsealedCount(database.sql), 0);
});

test('audit: sealers of many processes at once never fork the chain', async () => {
  const { sql } = fixture.database;
  const before = (await listSealed(sql)).length;
  const sealers = Array.from({ length: 8 }, () => fixture.sealer());
  const work = Array.from({ length: 40 }, async (_, number) => {
    await fixture.write(sql, `at once ${number}`);
    await sealers[number % sealers.length]?.();
  });
  await Promise.all(work);
  await Promise.all(sealers.map((seal) => seal()));
  const sealed = await listSealed(sql);
  assert.equal(sealed.length, before + 40);
  assert.deepEqual(
    sealed.map(({ position }) => position),
    sealed.map((_, index) => index + 1),
  );
  assert.equal((await fixture.verify()).firstBreak, null);
});

test('audit: the database itself refuses to change or remove what is sealed', async () => {
  const { sql } = fixture.database;
  const statements = [
    "update audit_entry set actor = 'nobody'",
    'update audit_entry set after = null where guid = (select entry_guid from audit_link limit 1)',
    'delete from audit_entry where guid = (select entry_guid from audit_link limit 1)',
    'delete from audit_link where position = 1',
    'delete from audit_link where position = (select max(position) from audit_link)',
    'delete from audit_link',
    "update audit_link set sealed_at = sealed_at + interval '1 hour' where position = 2",
    'truncate audit_entry',
    'truncate audit_link',
  ];
  for (const statement of statements) {
    await assert.rejects(
      sql.unsafe(statement),
      (error) => isSqlState(error, '23503') || isSqlState(error, '0A000'),
      statement,
    );
  }
  assert.equal((await fixture.verify()).firstBreak, null);
});

test('audit: an entry that waits for more than a minute is told', async () => {
  const { sql } = fixture.database;
  await fixture.write(sql, 'left alone');
  fixture.realClock.advance(61_000);
  const { isIntact, firstBreak } = await fixture.verify();
  assert.deepEqual([isIntact, firstBreak?.kind, firstBreak?.position], [false, 'UNSEALED', 0]);
  await fixture.sealer()();
  assert.equal((await fixture.verify()).isIntact, true);
});
