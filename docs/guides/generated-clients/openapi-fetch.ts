// Uses the types that openapi-typescript makes of the platform's document, with openapi-fetch.
import createClient from 'openapi-fetch';
import type { paths } from './servery.js';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', RESTAURANT = '' } = process.env;
const servery = createClient<paths>({ baseUrl: BASE_URL });

const login = await servery.POST('/authentication/v1/authentication/login', {
  body: {
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    userAccessType: 'PLATFORM_MACHINE_CLIENT',
  },
});
const { token } = dataOf(login);
servery.use({
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${token.accessToken}`);
  },
});
const params = { header: { 'Platform-Restaurant-External-ID': RESTAURANT } };

const stock = dataOf(await servery.GET('/stock/v1/inventory', { params }));
const items = dataOf(await servery.GET('/config/v2/menuItems', { params }));
const diningOptions = dataOf(await servery.GET('/config/v2/diningOptions', { params }));
const { menus } = dataOf(await servery.GET('/menus/v2/menus', { params }));

const takeOut = diningOptions.find(({ behavior }) => behavior === 'TAKE_OUT');
const [sold] = menus
  .flatMap(({ menuGroups }) => menuGroups)
  .flatMap(({ guid, menuItems }) => menuItems.map((item) => ({ itemGroup: { guid }, item })))
  .filter(({ item }) => item.price && item.modifierGroupReferences.length === 0);
if (!takeOut || !sold) throw new Error('nothing can be sold');
const selection = { itemGroup: sold.itemGroup, item: { guid: sold.item.guid }, quantity: 2 };
const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
const priced = dataOf(
  await servery.POST('/orders/v2/prices', {
    params,
    body: {
      diningOption: { guid: takeOut.guid },
      checks: [{ selections: [selection], customer }],
    },
  }),
);
const [check] = priced.checks;
console.log(`${stock.length} in stock, ${items.length} items: ${check?.totalAmount} for two`);

function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
