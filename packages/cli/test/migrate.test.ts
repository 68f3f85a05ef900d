import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listTables } from '../../server/test/database/backup-fixture-store.ts';
import { createEmptyDatabase, type TestDatabase } from '../../server/test/database.ts';
import { runHere } from './remote-platform.ts';

let own: TestDatabase;
before(async () => {
  own = await createEmptyDatabase();
});
after(() => own.drop());

const run = (...args: string[]) => runHere(['migrate', ...args], { DATABASE_URL: own.url });

test('servery migrate --dry-run tells what it would do, and does nothing', async () => {
  const { code, out, err } = await run('--dry-run');
  assert.equal(code, 0, err);
  assert.match(out, /would apply.*\n {2}0001-baseline\.sql\n/s);
  assert.deepEqual(await listTables(own.database.sql), []);
});

test('servery migrate applies what is pending, once, and status tells it', async () => {
  const pending = JSON.parse((await run('status', '--json')).out);
  assert.deepEqual([pending.applied, pending.pending[0]], [[], '0001-baseline.sql']);
  const first = await run('--json');
  assert.equal(first.code, 0, first.err);
  assert.deepEqual(JSON.parse(first.out).applied, pending.pending);
  const second = await run();
  assert.match(second.out, /already has the newest version/);
  const { out, code } = await run('status');
  assert.equal(code, 0);
  const [, newest] =
    /^1 migration is applied; the newest is (\S+); none is pending\.\n$/.exec(out) ?? [];
  assert.equal(newest, pending.pending.at(-1), out);
});

test('servery migrate refuses the database of another version, and says what to do', async () => {
  const { sql } = own.database;
  const assertRefused = async (expected: RegExp) => {
    for (const args of [[], ['--dry-run'], ['status']]) {
      const { code, err } = await run(...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(err, expected);
    }
  };
  await sql`
    insert into schema_migration (number, file_name, checksum, applied_at)
    values (9999, '9999-later.sql', 'x', '2026-03-01Z')`;
  await assertRefused(/newer than this program .*9999-later\.sql.*: use the newer program/);
  await sql`update schema_migration set checksum = 'other' where number = 1`;
  await assertRefused(/older development version .*0001-baseline\.sql/);
  assert.match(
    (await run('status')).out,
    /^2 migrations are applied; not as in this program: 0001-baseline\.sql; newer than this program: 9999-later\.sql; the newest is 9999-later\.sql; none is pending\.\n$/,
  );
  await sql`update schema_migration set file_name = '0001-platform.sql' where number = 1`;
  await assertRefused(/older development version .*0001-platform\.sql.*: use a new data folder/);
});
