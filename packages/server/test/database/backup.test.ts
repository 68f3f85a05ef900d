import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BackupRefused } from '@servery/postgres/backup/format.ts';
import { withDatabase } from '@servery/postgres/database-url.ts';
import { dumpSchema } from '@servery/postgres/schema-dump.ts';
import { createVault } from '@servery/support/secret.ts';
import { leftOut } from '../../src/database/backup.ts';
import { claimKind } from '../../src/database/environment.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../database.ts';
import { OPENED_MS, openPaymentFixture, type PaymentFixture } from '../payments/fixture.ts';
import { beginLife } from '../payments/life.ts';
import {
  backUp,
  beginningOf,
  linesOf,
  restore,
  SESSION_NAME,
  sealedAgain,
  withHeader,
} from './backup-file.ts';
import {
  deleteSessions,
  findPairs,
  insertPair,
  insertStrangeName,
  insertVolatile,
  listPaymentStates,
  listRows,
  listTables,
  listUnlogged,
} from './backup-fixture-store.ts';

const AT = new Date(OPENED_MS);
const STRANGE = 'Ångström \\. \\N tab\there\nline “quoted” \u{1F354}';

let fixture: PaymentFixture;
let url: string;
let bytes: Buffer;
/** Without any table, also after each refusal. */
let empty: TestDatabase;

before(async () => {
  fixture = await openPaymentFixture();
  const { sql } = fixture.database;
  await claimKind(fixture.database, 'sandbox');
  await fillWithPayments(fixture);
  await insertVolatile(sql, AT);
  await insertStrangeName(sql, STRANGE, AT);
  const beside = await createEmptyDatabase();
  const [row] = await sql<[{ name: string }]>`select current_database() as name`;
  url = withDatabase(beside.url, row.name);
  await beside.drop();
  bytes = await backUp(url);
  empty = await createEmptyDatabase();
});
after(async () => {
  await empty?.drop();
  await fixture?.close();
});

/** Payments in every state that a life comes to without a defect of the processor. */
async function fillWithPayments(at: PaymentFixture): Promise<void> {
  const lives = Array.from({ length: 7 }, () => beginLife(at));
  const [held, applied, scheduled, captured, voided, unknown, denied] = lives;
  for (const life of [held, applied, scheduled, captured, voided]) await life?.put();
  unknown?.script('authorize', { outcome: 'unknown', explanation: 'scripted silence' });
  await unknown?.put();
  denied?.script('authorize', { outcome: 'declined', responseCode: '05' });
  await denied?.put();
  for (const life of [applied, scheduled, captured]) await life?.apply();
  for (const life of [scheduled, captured]) await life?.fulfil();
  await captured?.capture();
  await voided?.void();
}

async function emptyDatabase(work: (own: TestDatabase) => Promise<void>): Promise<void> {
  const own = await createEmptyDatabase();
  try {
    await work(own);
  } finally {
    await own.drop();
  }
}

/** The restore is refused for that reason, and the database is as empty as before. */
async function assertRefused(
  broken: Uint8Array,
  expected: RegExp,
  overrides: Parameters<typeof restore>[2] = {},
): Promise<void> {
  await assert.rejects(restore(empty.url, broken, overrides), (error: Error) => {
    assert.ok(error instanceof BackupRefused, String(error.stack));
    assert.match(error.message, expected);
    return true;
  });
  assert.deepEqual(await listTables(empty.database.sql), []);
}

describe('a backup', () => {
  test('a restored backup has every row of every table, and the same schema', async () => {
    const { sql } = fixture.database;
    const states = await listPaymentStates(sql);
    assert.ok(states.length >= 7, states.join(' '));
    const fresh = await createTestDatabase();
    after(() => fresh.drop());
    await emptyDatabase(async (own) => {
      const { rows } = await restore(own.url, bytes);
      assert.ok(rows > 50, String(rows));
      const restored = own.database.sql;
      assert.equal(await dumpSchema(restored), await dumpSchema(sql));
      for (const table of await listTables(sql)) {
        const rows = await listRows(restored, table);
        if (Object.hasOwn(leftOut, table)) {
          assert.ok(rows.length <= (await listRows(fresh.database.sql, table)).length, table);
        } else {
          assert.deepEqual(rows, await listRows(sql, table), table);
        }
      }
      const [, ...again] = linesOf(await backUp(own.url));
      const [, ...first] = linesOf(bytes);
      assert.deepEqual(again.slice(0, -1), first.slice(0, -1), 'a backup of it is the same');
    });
  });

  test('a backup holds one instant of a database that others change meanwhile', async () => {
    const own = await createTestDatabase();
    try {
      await claimKind(own.database, 'sandbox');
      await insertPair(own.database, AT);
      const pieces: Uint8Array[] = [];
      await backUp(own.url, {
        // Between any two pieces of the file somebody writes into two of its tables.
        write: async (piece) => {
          pieces.push(piece);
          await insertPair(own.database, AT);
        },
      });
      await emptyDatabase(async (other) => {
        await restore(other.url, Buffer.concat(pieces));
        assert.deepEqual(await findPairs(other.database.sql), { one: 1, other: 1 });
        assert.ok(pieces.length > 2, `${pieces.length} pairs were written meanwhile`);
      });
    } finally {
      await own.drop();
    }
  });

  test('a backup leaves out what must not come back, all unlogged tables among it', async () => {
    const { sql } = fixture.database;
    const tables = await listTables(sql);
    for (const table of Object.keys(leftOut)) assert.ok(tables.includes(table), table);
    for (const table of await listUnlogged(sql)) assert.ok(Object.hasOwn(leftOut, table), table);
    const { leftOut: told } = JSON.parse(linesOf(bytes)[0] ?? '');
    assert.deepEqual(told.sort(), Object.keys(leftOut).sort());
  });

  test('a backup holds no master key, and nothing that it seals in clear', () => {
    const key = Buffer.alloc(32, 7);
    for (const form of ['base64', 'hex', 'base64url'] as const) {
      assert.ok(!bytes.includes(key.toString(form)), form);
    }
    assert.ok(!bytes.includes('PRIVATE KEY'));
  });
});

describe('a restore', () => {
  test('a restore refuses a backup of which one byte was changed, wherever it stands', async () => {
    // For a byte in between, the refusal names the table: see the next test.
    const places = [0.02, 0.999].map((part) => Math.floor(bytes.length * part));
    for (const place of places) {
      const changed = Buffer.from(bytes);
      const byte = changed[place] ?? 0;
      // Another letter or digit, so that it is still text.
      changed[place] = byte === 0x61 ? 0x62 : 0x61;
      await assertRefused(changed, /./);
    }
  });

  test('a restore names the table that was changed', async () => {
    const text = bytes.toString();
    const name = STRANGE.slice(0, 8);
    assert.equal(text.split(name).length, 2);
    const changed = Buffer.from(text.replace(name, name.toLowerCase()));
    await assertRefused(changed, /the rows of partner are not those that were written/);
  });

  test('a restore refuses a backup that ends early or goes on', async () => {
    const lines = linesOf(bytes);
    for (const kept of [1, lines.length - 1]) {
      const cut = Buffer.from(`${lines.slice(0, kept).join('\n')}\n`);
      await assertRefused(cut, /is not the backup as it was written: it ends/);
    }
    await assertRefused(bytes.subarray(0, bytes.length - 1), /it ends too early/);
    const more = Buffer.concat([bytes, Buffer.from('{}\n')]);
    await assertRefused(more, /something stands behind its end/);
  });

  test('a restore refuses rows that were taken out, though counts and digests fit', async () => {
    const lines = linesOf(bytes);
    const at = lines.findIndex((line) => line.includes(STRANGE.slice(0, 8)));
    const without = lines.filter((_, index) => index !== at);
    await assertRefused(sealedAgain(without, createVault(Buffer.alloc(32, 8))), /another one/);
  });

  test('a restore tells of rows that the database refuses, as a group is missing', async () => {
    const lines = linesOf(bytes);
    const from = lines.indexOf('{"section":"table","name":"management_group"}') + 1;
    const to = lines.indexOf('\\.', from);
    const without = lines.filter((_, index) => index < from || index >= to);
    await assertRefused(
      sealedAgain(without),
      /the database refuses the rows of restaurant: .*foreign/,
    );
  });

  test('a restore with another master key is refused at the first line', async () => {
    const headerAlone = Buffer.from(`${linesOf(bytes)[0]}\n`);
    await assertRefused(headerAlone, /encrypted with another master key/, {
      vault: createVault(Buffer.alloc(32, 8)),
    });
  });

  test('a restore refuses a newer format, and a backup of a newer program', async () => {
    await assertRefused(withHeader(bytes, { version: 2 }), /has format 2, .* use the newer/);
    const { migrations } = JSON.parse(linesOf(bytes)[0] ?? '');
    const newer = { number: 9999, fileName: '9999-later.sql', checksum: 'x' };
    const later = withHeader(bytes, { migrations: [...migrations, newer] });
    await assertRefused(later, /newer than this program: it has 9999-later\.sql/);
    const [first, ...others] = migrations;
    const altered = withHeader(bytes, { migrations: [{ ...first, checksum: 'x' }, ...others] });
    await assertRefused(altered, /another 0001-baseline\.sql than this program has/);
  });

  test('a restore refuses a first line that lacks something or has it otherwise', async () => {
    const header: Record<string, unknown> = JSON.parse(linesOf(bytes)[0] ?? '');
    for (const name of Object.keys(header)) {
      for (const value of [undefined, 1e9, [1]]) {
        const broken = withHeader(bytes, { [name]: value });
        await assert.rejects(beginningOf(broken), BackupRefused, `${name} ${value}`);
      }
    }
    assert.deepEqual(await beginningOf(bytes), header);
  });

  test('a restore refuses what is no backup', async () => {
    await assertRefused(Buffer.from('{"some":"json"}\n'), /is no backup/);
    await assertRefused(Buffer.alloc(0), /is no backup/);
  });

  test('a restore never writes over anything', async () => {
    const own = await createTestDatabase();
    try {
      await insertStrangeName(own.database.sql, 'kept', AT);
      await assert.rejects(restore(own.url, bytes), /is not empty .* --data-dir/);
      assert.equal((await listRows(own.database.sql, 'partner')).length, 1);
    } finally {
      await own.drop();
    }
  });

  test('a restore that loses its connection leaves the database empty', async () => {
    let ended: Promise<void> | null = null;
    let told = 0;
    const onTable = () => {
      told += 1;
      if (told === 12) ended = deleteSessions(empty.database.sql, SESSION_NAME);
    };
    const beforeCommit = async () => (await ended) ?? undefined;
    await assert.rejects(restore(empty.url, bytes, { onTable, beforeCommit }));
    assert.ok(ended, 'it was far enough');
    await ended;
    assert.deepEqual(await listTables(empty.database.sql), []);
  });
});
