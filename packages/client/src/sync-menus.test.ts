import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Servery } from './servery.ts';
import { syncMenus } from './sync-menus.ts';

const restaurant = 'dda10e2f-6e62-5a62-b65c-eeb18a617356';

/** A platform whose menus, feed and clock of publications the test sets. */
function platform() {
  const state = { lastUpdated: 'one' as string | null, cursor: 'x', changes: [] as string[] };
  const asked: string[] = [];
  const refused = (status: number) => Response.json({ message: 'No.' }, { status });
  const answer = ({ pathname, searchParams }: URL): Response => {
    const { lastUpdated, cursor } = state;
    if (pathname.startsWith('/config/')) return Response.json([{ guid: pathname }]);
    if (pathname.startsWith('/restaurants/')) {
      return Response.json({ general: { currencyCode: 'EUR' } });
    }
    if (pathname.startsWith('/menus/')) {
      return lastUpdated === null ? refused(404) : Response.json({ lastUpdated });
    }
    const after = searchParams.get('after');
    if (after !== null && after[0] !== cursor[0]) return refused(400);
    const results = state.changes.splice(0).map((collection) => ({ collection }));
    return Response.json({ results, nextCursor: cursor, hasMore: false });
  };
  const servery = new Servery({
    ...{ baseUrl: 'http://platform.example', clientId: 'one', clientSecret: 'two', restaurant },
    fetch: async (url) => {
      const target = new URL(String(url));
      if (target.pathname === '/oauth/token') {
        return Response.json({ access_token: 'a.b.c', expires_in: 9_000 });
      }
      asked.push(target.pathname);
      return answer(target);
    },
  });
  return { servery, state, asked };
}

test('sync menus: a restaurant without menus has a copy without a document', async () => {
  const { servery, state } = platform();
  state.lastUpdated = null;
  const copy = await syncMenus(servery);
  assert.deepEqual([copy.document, copy.currency, copy.restaurant], [null, 'EUR', restaurant]);
  assert.equal(await syncMenus(servery, copy), copy);
  state.lastUpdated = 'one';
  const next = await syncMenus(servery, copy);
  assert.equal(next.document?.lastUpdated, 'one');
  state.lastUpdated = null;
  assert.equal((await syncMenus(servery, next)).document, null);
});

test('sync menus: a cursor that the platform does not know reads everything anew', async () => {
  const { servery, state, asked } = platform();
  const copy = await syncMenus(servery);
  state.cursor = 'y';
  asked.length = 0;
  const next = await syncMenus(servery, copy);
  assert.equal(next.cursor, 'y');
  assert.ok(asked.includes('/config/v2/taxRates'));
});

test('sync menus: changes of other collections move the cursor, and nothing is read', async () => {
  const { servery, state, asked } = platform();
  const copy = await syncMenus(servery);
  state.cursor = 'x2';
  state.changes = ['printers'];
  asked.length = 0;
  const next = await syncMenus(servery, copy);
  assert.deepEqual([next.cursor, next.configuration === copy.configuration], ['x2', true]);
  assert.ok(!asked.some((path) => path.startsWith('/config/')));
});

test('sync menus: a copy of another restaurant is not used', async () => {
  const { servery } = platform();
  const copy = await syncMenus(servery);
  const other = await syncMenus(servery, { ...copy, restaurant: 'another', currency: 'JPY' });
  assert.equal(other.currency, 'EUR');
  const account = { baseUrl: 'http://platform.example', clientId: 'one', clientSecret: 'two' };
  await assert.rejects(syncMenus(new Servery(account)), {
    field: 'restaurant',
  });
});
