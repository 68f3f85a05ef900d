import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Trouble, troubleOf } from '@servery/postgres/away.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { asApiError, renderError } from '../../src/http/edge/render-error.ts';
import { createEmptyDatabase, type TestDatabase } from '../database.ts';

let scratch: TestDatabase;
before(async () => {
  scratch = await createEmptyDatabase();
});
after(() => scratch.drop());

const raised = (sqlState: string) =>
  scratch.database.sql
    .unsafe(`do $$ begin raise exception using errcode = '${sqlState}'; end $$`)
    .then(
      () => assert.fail('it was taken'),
      (error: unknown) => error,
    );

const troubles: Readonly<Record<Trouble, readonly string[]>> = {
  away: ['57P01', '57P02', '57P03'],
  unwritable: ['53100', '58030', '25006'],
  busy: ['53000', '53200', '53300', '53400', '57014', '55P03', '40P01'],
  unknown: ['40003', '08007'],
};

for (const [trouble, sqlStates] of Object.entries(troubles)) {
  test(`pipeline 503 API-2: what PostgreSQL says of being ${trouble} may be sent again`, async () => {
    for (const sqlState of sqlStates) {
      const error = await raised(sqlState);
      assert.equal(troubleOf(error), trouble, sqlState);
      const context = { operation: null, path: '/stock', requestId: 'r', baseUrl: '' };
      const answer = renderError(asApiError(error, 'r'), { ...context, isSandbox: false });
      assert.equal(answer.status, 503, sqlState);
      assert.equal(answer.headers?.['retry-after'], '2');
    }
  });
}

test('pipeline 500 API-2: what PostgreSQL refuses for good is not to be sent again', async () => {
  for (const sqlState of ['23505', '42P01', '22003', 'P0001', 'XX000']) {
    const error = await raised(sqlState);
    assert.equal(troubleOf(error), null, sqlState);
    assert.equal(asApiError(error, 'r').errorClass, 'internal', sqlState);
  }
});

test('a database that only reads is known as such until a write comes through', async () => {
  const url = `${scratch.url}`;
  const database = connectDatabase({ url, poolSize: 1 });
  try {
    await database.sql.unsafe('set default_transaction_read_only = on');
    assert.equal(database.writing.trouble(), null);
    await assert.rejects(
      database.sql.unsafe('create table t ()'),
      (error) => troubleOf(error) === 'unwritable',
    );
    assert.match(database.writing.trouble() ?? '', /read-only/);
    database.writing.succeeded();
    assert.equal(database.writing.trouble(), null);
  } finally {
    await database.close();
  }
});
