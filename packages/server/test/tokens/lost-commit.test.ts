import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { startRelay } from '../../../postgres/test/relay.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { asApiError } from '../../src/http/edge/render-error.ts';
import { createAuth } from '../../src/tokens/auth.ts';
import { addClient, logIn, startAuth, useAuthDatabase } from './fixture.ts';

useAuthDatabase();

for (const arrives of [true, false]) {
  const what = arrives ? 'arrived' : 'did not arrive';
  test(`auth.login 200 AUTH-3: of a COMMIT that ${what} the answer is lost, no token`, async (t) => {
    const fixture = await startAuth(t);
    const credentials = await addClient(fixture);
    // The first grant brings the signing key along, which is another COMMIT.
    await logIn(fixture, await addClient(fixture));
    const relay = await startRelay(fixture.databaseUrl, { word: 'commit', arrives });
    t.after(() => relay.close());
    const database = connectDatabase({ url: relay.url, poolSize: 2 });
    t.after(() => database.close());
    const auth = createAuth({ ...fixture.parts, database });
    const { accessToken } = await logIn({ ...fixture, auth }, credentials);
    const elsewhere = await logIn(fixture, credentials);
    assert.equal(elsewhere.accessToken, accessToken, 'all processes give the same one');
  });
}

test('API-2: what nobody knows the outcome of is a 503 that says so, not a defect', () => {
  const error = asApiError(new CommitUnknownError(new Error('cut')), 'r');
  assert.equal(error.errorClass, 'unavailable');
  assert.match(error.message, /lost before it confirmed the result/);
});
