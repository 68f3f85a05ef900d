// Uses the client that @hey-api/openapi-ts makes of the platform's document.
import { client } from './servery/client.gen.js';
import {
  authLogin,
  configurationDiningOptionsList,
  configurationMenuItemsList,
  menusGet,
  ordersPrice,
  stockList,
} from './servery/sdk.gen.js';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', RESTAURANT = '' } = process.env;
client.setConfig({ baseUrl: BASE_URL, throwOnError: true });

const login = await authLogin({
  throwOnError: true,
  body: {
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    userAccessType: 'PLATFORM_MACHINE_CLIENT',
  },
});
client.setConfig({ auth: login.data.token.accessToken });
const headers = { 'Platform-Restaurant-External-ID': RESTAURANT };
const here = { headers, throwOnError: true } as const;

const { data: stock } = await stockList(here);
const { data: items } = await configurationMenuItemsList(here);
const { data: diningOptions } = await configurationDiningOptionsList(here);
const { data: document } = await menusGet(here);

const takeOut = diningOptions.find(({ behavior }) => behavior === 'TAKE_OUT');
const [sold] = document.menus
  .flatMap(({ menuGroups }) => menuGroups)
  .flatMap(({ guid, menuItems }) => menuItems.map((item) => ({ itemGroup: { guid }, item })))
  .filter(({ item }) => item.price && item.modifierGroupReferences.length === 0);
if (!takeOut || !sold) throw new Error('nothing can be sold');
const selection = { itemGroup: sold.itemGroup, item: { guid: sold.item.guid }, quantity: 2 };
const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
const { data: priced } = await ordersPrice({
  ...here,
  body: {
    diningOption: { guid: takeOut.guid },
    checks: [{ selections: [selection], customer }],
  },
});
const [check] = priced.checks;
console.log(`${stock.length} in stock, ${items.length} items: ${check?.totalAmount} for two`);
