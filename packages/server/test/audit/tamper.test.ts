import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { AuditBreak } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { exportAudit } from '../../src/audit/export.ts';
import { NoExport, verifyExport } from '../../src/audit/verify-export.ts';
import { type AuditFixture, fill, openAuditFixture } from './fixture.ts';
import { listEntryColumns, listSealed, tamper } from './tamper-store.ts';

const LENGTH = 6;
let fixture: AuditFixture;
beforeEach(async () => {
  fixture = await openAuditFixture();
  await fill(fixture, LENGTH);
});
afterEach(() => fixture.drop());

/** The break that `verify` tells after a superuser did something with the keys switched off. */
async function breakAfter(statement: string): Promise<Partial<AuditBreak> | null> {
  await tamper(fixture.database.sql, statement);
  const { isIntact, firstBreak } = await fixture.verify();
  assert.equal(isIntact, firstBreak === null);
  return firstBreak;
}

async function entryAt(position: number): Promise<string> {
  const sealed = await listSealed(fixture.database.sql);
  return sealed[position - 1]?.guid ?? '';
}

async function assertBreak(
  statement: string,
  expected: Pick<AuditBreak, 'kind' | 'position'> & { readonly entryGuid?: string | null },
): Promise<void> {
  const found = await breakAfter(statement);
  const { kind, position, entryGuid } = found ?? {};
  const wanted = { entryGuid, ...expected };
  assert.deepEqual({ entryGuid, kind, position }, wanted, `${statement}: ${found?.explanation}`);
}

/** Another value for every column of an entry that can be changed. */
const others: Readonly<Record<string, string>> = {
  guid: 'gen_random_uuid()',
  at: "at + interval '1 millisecond'",
  real_at: "real_at - interval '1 day'",
  actor: "'person:somebody else'",
  request_id: 'null',
  operation: "operation || 'x'",
  subject_kind: "'stock'",
  subject_id: "'another'",
  management_group_guid: 'gen_random_uuid()',
  restaurant_guid: 'gen_random_uuid()',
  partner_guid: 'gen_random_uuid()',
  before: `'{"note": null}'`,
  after: `'{"note":"nothing happened"}'`,
  mac: "decode('00', 'hex')",
};

test('audit verify: a change of any column of an entry is told with its place', async () => {
  const columns = await listEntryColumns(fixture.database.sql);
  assert.deepEqual(columns.toSorted(), Object.keys(others).toSorted(), 'every column is tried');
  await fill(fixture, columns.length);
  // The first break is the one that is told, so that each change comes before those that were made.
  for (const [index, column] of columns.entries()) {
    const position = LENGTH + columns.length - index;
    const guid = await entryAt(position);
    const kind = { guid: 'REMOVED', mac: 'INSERTED' }[column] ?? 'CHANGED';
    const statement = `update audit_entry set ${column} = ${others[column]} where guid = '${guid}'`;
    await assertBreak(statement, { kind, position, entryGuid: guid } as AuditBreak);
  }
});

test('audit verify: an entry that is gone is told, with and without its link', async () => {
  const guid = await entryAt(3);
  await assertBreak(`delete from audit_entry where guid = '${guid}'`, {
    ...{ kind: 'REMOVED', position: 3, entryGuid: guid },
  });
  await assertBreak('delete from audit_link where position = 3', { kind: 'REMOVED', position: 3 });
});

test('audit verify: links that are counted anew after a removal are told', async () => {
  const guid = await entryAt(3);
  const found = await breakAfter(`
    delete from audit_link where position = 2;
    delete from audit_entry where guid = (select entry_guid from audit_link where position = 2);
    update audit_link set position = position - 1 where position > 2`);
  assert.deepEqual([found?.kind, found?.position, found?.entryGuid], ['FORKED', 2, guid]);
});

test('audit verify: a chain that was cut off is told, its end set back or not', async () => {
  const sealed = await listSealed(fixture.database.sql);
  await assertBreak(`delete from audit_link where position > 4`, { kind: 'REMOVED', position: 5 });
  await assertBreak(
    `update audit_head set position = 4, hash = decode('${sealed[3]?.hash}', 'hex')`,
    { kind: 'REMOVED', position: 5, entryGuid: null },
  );
  await assertBreak('delete from audit_head', { kind: 'REMOVED', position: 5 });
});

test('audit verify: a sealer does not go on from a chain that was cut off', async () => {
  const sealed = await listSealed(fixture.database.sql);
  await tamper(
    fixture.database.sql,
    `delete from audit_link where position > 4;
     update audit_head set position = 4, hash = decode('${sealed[3]?.hash}', 'hex')`,
  );
  await fixture.write(fixture.database.sql, 'after the cut');
  await assert.rejects(fixture.sealer()(), /does not end where the platform sealed it last/);
});

test('audit verify: a process that saw the chain longer does not seal an emptied one', async () => {
  const seal = fixture.sealer();
  await fixture.write(fixture.database.sql, 'seen by this sealer');
  await seal();
  await tamper(
    fixture.database.sql,
    `delete from audit_link; delete from audit_entry; delete from audit_unsealed;
     update audit_head set position = 0, hash = null, mac = null`,
  );
  await fixture.write(fixture.database.sql, 'a fresh start');
  await assert.rejects(seal(), /does not end where the platform sealed it last/);
});

test('audit verify: an entry that was put in is told, and never sealed', async () => {
  const { sql } = fixture.database;
  const guid = newGuid();
  const columns = (await listEntryColumns(sql)).filter((column) => column !== 'guid').join(', ');
  await assertBreak(
    `insert into audit_entry (guid, ${columns})
     select '${guid}', ${columns} from audit_entry limit 1;
     insert into audit_unsealed (entry_guid) values ('${guid}')`,
    { kind: 'INSERTED', position: 0, entryGuid: guid },
  );
  assert.equal(await fixture.sealer()(), 0);
  assert.equal(fixture.errors.length, 1, 'and it stands in the log');
  assert.equal((await fixture.verify()).firstBreak?.kind, 'INSERTED');
});

test('audit: however many are put in, they hold up no other entry', async () => {
  const { sql } = fixture.database;
  const columns = (await listEntryColumns(sql)).filter((column) => column !== 'guid').join(', ');
  const many = 1_200;
  await tamper(
    sql,
    `insert into audit_entry (guid, ${columns})
     select gen_random_uuid(), ${columns} from (select ${columns} from audit_entry limit 1) as one
     cross join generate_series(1, ${many});
     insert into audit_unsealed (entry_guid)
     select e.guid from audit_entry e
     where not exists (select from audit_link l where l.entry_guid = e.guid);
     insert into audit_unsealed (entry_guid) select entry_guid from audit_link`,
  );
  fixture.realClock.advance(1_000);
  await fixture.write(sql, 'ours, behind all of them');
  assert.equal(await fixture.sealer()(), 1);
  assert.equal(fixture.errors.length, many, 'each that was forged stands in the log');
  assert.equal(await fixture.sealer()(), 0, 'none is looked at again');
  assert.equal(fixture.errors.length, many);
  const { position, firstBreak } = await fixture.verify();
  assert.deepEqual([position, firstBreak?.kind], [LENGTH + 1, 'INSERTED']);
});

test('audit verify: a link that was put in at the end is told', async () => {
  const guid = newGuid();
  const columns = (await listEntryColumns(fixture.database.sql))
    .filter((column) => column !== 'guid')
    .join(', ');
  await assertBreak(
    `insert into audit_entry (guid, ${columns})
     select '${guid}', ${columns} from audit_entry limit 1;
     insert into audit_link (position, entry_guid, entry_digest, previous_hash, sealed_at, mac)
     select ${LENGTH + 1}, '${guid}', digest,
       (select hash from audit_link where position = ${LENGTH}), real_at, mac
     from audit_entry where guid = '${guid}';
     update audit_head set position = ${LENGTH + 1},
       hash = (select hash from audit_link where position = ${LENGTH + 1})`,
    { kind: 'INSERTED', position: LENGTH + 1, entryGuid: guid },
  );
});

test('audit verify: entries that changed places are told', async () => {
  const [second, fourth] = [await entryAt(2), await entryAt(4)];
  const found = await breakAfter(`
    update audit_link set entry_guid = gen_random_uuid() where position = 4;
    update audit_link set entry_guid = '${fourth}',
      entry_digest = (select digest from audit_entry where guid = '${fourth}') where position = 2;
    update audit_link set entry_guid = '${second}',
      entry_digest = (select digest from audit_entry where guid = '${second}') where position = 4`);
  assert.deepEqual([found?.kind, found?.position, found?.entryGuid], ['REORDERED', 2, fourth]);
});

test('audit verify: computing all hashes anew takes the master key', async () => {
  const guid = await entryAt(3);
  const rehash = Array.from({ length: LENGTH - 2 }, (_, index) => index + 3).map(
    (position) => `
      update audit_link l set
        entry_digest = (select digest from audit_entry e where e.guid = l.entry_guid),
        previous_hash = (select hash from audit_link p where p.position = ${position - 1})
      where position = ${position};`,
  );
  await assertBreak(
    `update audit_entry set actor = 'person:somebody else' where guid = '${guid}';
     ${rehash.join('\n')}
     update audit_head set hash = (select hash from audit_link where position = ${LENGTH})`,
    { kind: 'INSERTED', position: 3, entryGuid: guid },
  );
});

test('audit verify: a fork, where a link goes on from another one, is told', async () => {
  await assertBreak(
    `update audit_link set previous_hash = sha256('another history') where position = 4`,
    { kind: 'FORKED', position: 4 },
  );
});

test('audit verify: an entry that was taken from those that wait is told', async () => {
  await fixture.write(fixture.database.sql, 'hidden');
  await assertBreak('delete from audit_unsealed', { kind: 'UNSEALED', position: 0 });
});

async function exported(after = 0): Promise<string[]> {
  let text = '';
  for await (const piece of exportAudit(fixture.database.sql, after)) text += piece;
  return text.trimEnd().split('\n');
}

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test('audit export: a file verifies without the platform, whole and from a place on', async () => {
  const { hash } = await fixture.verify();
  const whole = await verifyExport(linesOf(await exported()));
  assert.deepEqual(whole, {
    ...{ isIntact: true, firstPosition: 1, position: LENGTH, hash, firstBreak: null },
  });
  const rest = await verifyExport(linesOf(await exported(4)));
  assert.deepEqual([rest.isIntact, rest.firstPosition, rest.hash], [true, 5, hash]);
});

/** The line with another first digit of its hash, whatever it is. */
function withOtherHash(line: string): string {
  return line.replace(/(?<="hash":")./, (digit) => (digit === '0' ? '1' : '0'));
}

test('audit export: whatever is done to a file is told with its place', async () => {
  const lines = await exported();
  const without = (index: number) => lines.toSpliced(index, 1);
  const [first = '', second = '', third = ''] = lines;
  const cases: readonly (readonly [string, readonly string[], string, number])[] = [
    ['a note', lines.with(1, second.replace('note 2', 'note Z')), 'CHANGED', 2],
    ['a hash', lines.with(1, withOtherHash(second)), 'CHANGED', 2],
    ['an actor', lines.with(2, third.replace('person:', 'system:')), 'CHANGED', 3],
    ['a line less', without(2), 'REMOVED', 3],
    ['the first line less', without(0), 'REMOVED', 1],
    ['the last link less', without(LENGTH - 1), 'REMOVED', LENGTH],
    ['no end', without(LENGTH), 'REMOVED', LENGTH + 1],
    ['a line twice', lines.toSpliced(1, 0, first), 'REORDERED', 1],
    ['two lines swapped', lines.with(1, third).with(2, second), 'REMOVED', 2],
    ['no JSON', lines.with(1, second.slice(0, -3)), 'CHANGED', 2],
    ['a scalar', lines.with(1, '7'), 'CHANGED', 2],
    ['a scalar at first', lines.with(0, '7'), 'CHANGED', 1],
    ['strange lines at first', ['name: Wren', '7', ...lines], 'CHANGED', 1],
    ['nothing but the end', ['7', ...lines.slice(-1)], 'CHANGED', 1],
  ];
  for (const [what, file, kind, position] of cases) {
    const { isIntact, firstBreak } = await verifyExport(linesOf(file));
    const found = [isIntact, firstBreak?.kind, firstBreak?.position];
    assert.deepEqual(found, [false, kind, position], `${what}: ${firstBreak?.explanation}`);
  }
});

test('audit export: another file is told as such, not as a record that is broken', async () => {
  for (const file of [['name: Wren', 'items: []'], ['{"some": "json"}'], ['', '7', '']]) {
    await assert.rejects(verifyExport(linesOf(file)), NoExport, file.join());
  }
  const { isIntact, firstBreak } = await verifyExport(linesOf([]));
  assert.deepEqual([isIntact, firstBreak?.kind], [false, 'REMOVED'], 'all of it may be gone');
});
