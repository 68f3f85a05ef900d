import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseDatabaseUrl } from '../src/database-url.ts';
import { type Session, sessionOpener } from '../src/session.ts';
import { makeSql } from '../src/sql.ts';
import { createEmptyDatabase, type TestDatabase } from './test-database.ts';

const KIBIBYTE = 1_024;
const SESSION_NAME = 'session under test';

let own: TestDatabase;

before(async () => {
  own = await createEmptyDatabase();
});
after(() => own.drop());

async function withSession(work: (session: Session) => Promise<void>): Promise<void> {
  const session = sessionOpener({
    address: parseDatabaseUrl(own.url),
    connectTimeoutMs: 10_000,
    settings: { application_name: SESSION_NAME },
  })();
  try {
    await work(session);
  } finally {
    await session.end(0);
  }
}

/** As many rows of one kibibyte each, with their line feeds. */
function copyOutOf(rows: number): string {
  return `copy (select repeat('x', ${KIBIBYTE - 1}) from generate_series(1, ${rows})) to stdout`;
}

// How the answer falls into pieces decides; the reader is slower than the server here.
test('a session goes on after a COPY of whatever length', { timeout: 120_000 }, async () => {
  await withSession(async (session) => {
    const sql = makeSql(session.send);
    for (let kibibytes = 32; kibibytes <= 256; kibibytes += 8) {
      let bytes = 0;
      for await (const piece of await session.copyOut(copyOutOf(kibibytes))) {
        bytes += piece.length;
        if (bytes % (16 * KIBIBYTE) === 0) await own.database.sql`select 1 as answer`;
      }
      assert.equal(bytes, kibibytes * KIBIBYTE);
      const [row] = await sql<[{ one: number }]>`select 1 as one`;
      assert.equal(row.one, 1);
    }
  });
});

// It would hold its snapshot, and with it every old row, for as long as this process lives.
test('a session that ends in a COPY ends at the server too', { timeout: 120_000 }, async () => {
  await withSession(async (session) => {
    for await (const _ of await session.copyOut(copyOutOf(100_000))) break;
  });
  const { sql } = own.database;
  const listSessions = () =>
    sql`select from pg_stat_activity where application_name = ${SESSION_NAME}`;
  while ((await listSessions()).length > 0);
});
