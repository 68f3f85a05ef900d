import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from './errors.ts';
import { Servery, type ServeryOptions } from './servery.ts';

const restaurant = 'dda10e2f-6e62-5a62-b65c-eeb18a617356';
const usual = {
  baseUrl: 'http://platform.example/',
  clientId: 'one',
  clientSecret: 'two',
  restaurant,
};

/** A client of a platform that answers as the test says. */
function servery(
  answer: (url: URL, init: RequestInit) => Response,
  more: Partial<ServeryOptions> = {},
) {
  const asked: string[] = [];
  const own = new Servery({
    ...usual,
    fetch: async (url, init = {}) => {
      const target = new URL(String(url));
      if (target.pathname === '/oauth/token') {
        return Response.json({ access_token: 'a.b.c', expires_in: 9_000 });
      }
      asked.push(`${init.method} ${target.pathname}${target.search}`);
      return answer(target, init);
    },
    ...more,
  });
  return { own, asked };
}

test('servery: what can’t be right is refused at once, by its name', () => {
  const wrong: readonly (readonly [string, object])[] = [
    ['baseUrl', { baseUrl: 'platform.example' }],
    ['clientId', { clientId: '' }],
    ['clientSecret', { clientSecret: undefined }],
    ['restaurant', { restaurant: 'Early Wren' }],
  ];
  for (const [field, more] of wrong) {
    assert.throws(
      () => new Servery({ ...usual, ...more }),
      (error) => error instanceof InvalidInput && error.field === field,
      field,
    );
  }
});

test('servery: path, query and body come from the arguments, the restaurant from the client', async () => {
  const { own, asked } = servery(() => Response.json({}));
  await own.restaurants.get({ includeArchived: true });
  await own.orders.payments.update(
    { tipAmount: 2 },
    { orderGuid: 'o', checkGuid: 'c', paymentGuid: 'p' },
  );
  await own.platform.payments.void({ paymentUuid: 'u' });
  assert.deepEqual(asked, [
    `GET /restaurants/v1/restaurants/${restaurant}?includeArchived=true`,
    'PATCH /orders/v2/orders/o/checks/c/payments/p',
    `POST /platform/v1/merchants/${restaurant}/payments/u/void`,
  ]);
  // @ts-expect-error: a guid is needed.
  await assert.rejects(own.orders.get(), { name: 'InvalidInput', field: 'guid' });
});

test('servery: another restaurant has the same token', async () => {
  const named: (string | null)[] = [];
  let logins = 0;
  const other = '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35';
  const own = new Servery({
    ...usual,
    fetch: async (url, { headers } = {}) => {
      if (String(url).endsWith('/token')) logins += 1;
      else named.push(new Headers(headers).get('platform-restaurant-external-id'));
      return Response.json({ access_token: 'a.b.c', expires_in: 9_000 });
    },
  });
  await own.stock.list();
  await own.at(other).stock.list();
  await own.stock.list({}, { restaurant: other });
  assert.deepEqual([named, logins], [[restaurant, other, other], 1]);
});

test('servery: orders are read on by the next address, with its cursor', async () => {
  const { own, asked } = servery(({ searchParams }) => {
    const isLast = searchParams.has('after');
    const next =
      '<http://internal.example/orders/v2/ordersBulk?businessDate=20260701&page=2&after=x>';
    const headers: Record<string, string> = isLast
      ? {}
      : { link: `</first>; rel="first", ${next}; rel="next"` };
    return Response.json([{ guid: isLast ? 'b' : 'a' }], { headers });
  });
  const guids: (string | null)[] = [];
  for await (const { guid } of own.orders.listBulk({ businessDate: '20260701' })) guids.push(guid);
  assert.deepEqual(guids, ['a', 'b']);
  assert.match(
    asked[1] ?? '',
    /^GET \/orders\/v2\/ordersBulk\?businessDate=20260701&page=2&after=x$/,
  );
});

test('servery: a page that comes wrapped in a list is read as well', async () => {
  const page = { results: [{ restaurantGuid: 'r' }], nextPageToken: null };
  const { own } = servery(() => Response.json([page]));
  const all = await own.partners.connectedRestaurants.list().all();
  assert.deepEqual(all, [{ restaurantGuid: 'r' }]);
});

test('servery: a feed goes on behind what was read', async () => {
  const { own } = servery(({ searchParams }) => {
    const isFirst = !searchParams.has('after');
    return Response.json({
      results: [isFirst ? 1 : 2],
      nextCursor: isFirst ? 'x' : 'y',
      hasMore: isFirst,
    });
  });
  const feed = own.platform.changes.list();
  for await (const _ of feed) break;
  assert.equal(feed.cursor, null);
  await feed.all();
  assert.equal(feed.cursor, 'y');
});

test('servery: a configuration that is published all the time is an error at last', async () => {
  const conflict = () => Response.json({ message: 'Published.' }, { status: 409 });
  const { own, asked } = servery(conflict);
  await assert.rejects(own.configuration.menus.list().all(), { name: 'Conflict' });
  assert.equal(asked.length, 11);
});

test('servery: a time to ask for changes from must be one', async () => {
  const { own } = servery(() => Response.json([]));
  const since = new Date(Number.NaN);
  await assert.rejects(own.configuration.menus.changesSince(since), { field: 'since' });
});
