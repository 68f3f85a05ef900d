/**
 * Opens every address of the console for every role, at several widths, in light and dark, and counts
 * what must not be there: `npm run console-sweep`. Exit code 1 if anything is.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RAISED_LIMITS, startPlatform } from '../../acceptance/src/platform.ts';
import { readArguments, readOrEnd, wholeNumbers } from '../../bench/src/command-line.ts';
import {
  findBarriers,
  findWide,
  openBrowser,
  openPage,
  type Watched,
} from '../../packages/console/test/browser.ts';
import { labels } from '../../packages/console/test/console.ts';
import { makeShownData } from '../../packages/console/test/shown-data.ts';

const line = {
  command: 'npm run console-sweep',
  about:
    'Opens every address of the console for every role, at several widths, in light and dark. Counts ' +
    'what the accessibility checker finds, violations of the content security policy, errors in the ' +
    'browser, requests to other places, and what is wider than the window. Takes about 20 minutes.',
  words: null,
  flags: { widths: wholeNumbers('only these widths, in pixels; 360, 768 and 1280 by default') },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const widths = values.widths.length > 0 ? values.widths : [360, 768, 1280];

const SCREENS = fileURLToPath(new URL('../../packages/console/src/screens/', import.meta.url));
const PHONE_AT_MOST = 640;
const HEIGHT = 800;
const DRAWN = { state: 'detached', timeout: 15_000 } as const;
const schemes = ['light', 'dark'] as const;
const roles = Object.entries(labels);
/** Made what is shown. Others may not see all of it, and are told so. */
const MAKER = 'OPERATOR';

/** By kind, with where each was seen. */
const found = new Map<string, string[]>();
let checks = 0;
let keptOut = 0;

/** What the browser says itself of a refusal. */
const REFUSED = /status of 40[34] .*\/backoffice\/v1\//;

function note(kind: string, faults: readonly string[], where: string): void {
  const known = found.get(kind) ?? [];
  found.set(kind, [...known, ...faults.map((fault) => `${where}: ${fault}`)]);
}

const [platform, browser] = await Promise.all([
  startPlatform({ settings: RAISED_LIMITS }),
  openBrowser(),
]);
// Also after an error: nothing would end them.
await using _ = {
  async [Symbol.asyncDispose]() {
    await browser.close();
    await platform.stop();
  },
};
const addresses = await listAddresses();
for (const [role, label] of roles) {
  for (const width of widths) {
    const hasTouch = width <= PHONE_AT_MOST;
    const watched = await openPage(browser, { width, height: HEIGHT, hasTouch });
    await watched.page.goto(`${platform.baseUrl}/console/`);
    await check(watched, `sign-in before ${role} at ${width}`);
    await watched.page.getByRole('button', { name: label }).click();
    await watched.page.getByRole('navigation').waitFor();
    for (const address of addresses) {
      await watched.page.goto(`${platform.baseUrl}/console/${address}`);
      await check(watched, `/${address} as ${role} at ${width}`, role !== MAKER);
    }
    await watched.context.close();
  }
  console.log(`${role}: ${checks} checks so far`);
}
console.log(
  `${addresses.length + 1} addresses of ${screenNames().length} screens, ${roles.length} roles, ` +
    `${widths.length} widths, ${schemes.length} schemes: ${checks} checks; ` +
    `${keptOut} pages say that there is nothing here for the role`,
);
for (const [kind, faults] of found) {
  console.log(`${kind}: ${faults.length}`);
  for (const fault of new Set(faults)) console.log(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

async function check(
  { page, faults }: Watched,
  where: string,
  mayBeKeptOut = false,
): Promise<void> {
  await page.locator('h1, .skeleton').first().waitFor();
  // The page with all parts has one to look at.
  const shown = page.url().endsWith('/style') ? 1 : 0;
  const isDrawn = await page
    .locator('.skeleton')
    .nth(shown)
    .waitFor(DRAWN)
    .then(
      () => true,
      () => false,
    );
  note('never drawn', isDrawn ? [] : ['only a skeleton'], where);
  await page.locator('h1').first().waitFor();
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    note('accessibility', await findBarriers(page), `${where}, ${colorScheme}`);
    checks += 1;
  }
  note('wider than the window', await findWide(page), where);
  const nothing = page.getByRole('heading', { name: 'There is nothing here' });
  const isKeptOut = mayBeKeptOut && (await nothing.count()) > 0;
  const told = faults.splice(0).filter((fault) => !(isKeptOut && REFUSED.test(fault)));
  keptOut += isKeptOut ? 1 : 0;
  const isPolicy = (fault: string) => /content security policy/i.test(fault);
  const isOutside = (fault: string) => fault.startsWith('asked ');
  note('content security policy', told.filter(isPolicy), where);
  note('requests to other places', told.filter(isOutside), where);
  const others = told.filter((fault) => !isPolicy(fault) && !isOutside(fault));
  note('errors in the browser', others, where);
}

/** Each screen has a folder. */
function screenNames(): readonly string[] {
  return readdirSync(SCREENS);
}

/** Below the console: each screen, its tabs, and one of each thing that has a page or a dialog. */
async function listAddresses(): Promise<readonly string[]> {
  const { callers, restaurant, payment, requestId, endpoint } = await makeShownData(platform);
  const operator = await callers.as('operator');
  const first = async (id: string, params: Readonly<Record<string, string>> = {}) => {
    const { json } = await operator.call(id, 200, { params });
    const [one = {}] = (json as { readonly results: Readonly<Record<string, unknown>>[] }).results;
    return one;
  };
  const params = { restaurantGuid: restaurant };
  const [item, order, connection, person, entry] = await Promise.all([
    first('backOffice.stock.list', params),
    first('backOffice.orders.list', params),
    first('backOffice.connections.list', params),
    first('backOffice.people.list'),
    first('backOffice.audit.list'),
  ]);
  const object = await first('backOffice.configuration.objects.list', {
    ...params,
    collection: 'menuItems',
  });
  const { guid: orderGuid } = order.order as { readonly guid: string };
  const here = `restaurant=${restaurant}`;
  const ofRestaurant = (path: string, ...queries: string[]) =>
    [here, ...queries.map((query) => `${here}&${query}`)].map((query) => `${path}?${query}`);
  return [
    'nowhere',
    'invitation',
    ...screenNames(),
    ...ofRestaurant('stock', `item=${item.guid}`, 'find=pie', 'show=out', 'find=nothing-fits'),
    ...ofRestaurant('orders', 'view=kitchen', 'state=fulfilled', 'state=canceled'),
    `orders/${restaurant}/${orderGuid}`,
    ...ofRestaurant('payments', 'last4=0000', 'tab=alarms'),
    `payments/${payment.merchantGuid}/${payment.paymentUuid}`,
    ...['drafts', 'guests', 'history', 'files'].flatMap((tab) =>
      ofRestaurant('menus', `tab=${tab}`).slice(1),
    ),
    ...ofRestaurant('menus', 'tab=history&publication=1', 'list=taxRates', 'find=pie'),
    ...ofRestaurant(`menus/menuItems/${object.guid}`),
    ...ofRestaurant('menus/menuItems/new'),
    ...ofRestaurant('restaurants', 'tab=location', 'tab=hours', 'tab=ordering', 'tab=delivery'),
    'restaurants?new=yes',
    ...ofRestaurant('connections', 'show=DISCONNECTED', 'connect=yes'),
    ...ofRestaurant(`connections/${connection.partnerGuid}`),
    'people?invite=yes',
    `people/${person.personGuid}`,
    `requests/${requestId}`,
    `requests/${requestId}?tab=response`,
    'webhooks?tab=deliveries',
    'webhooks?tab=verify',
    `webhooks/endpoints/${endpoint.guid}`,
    `accounts/${platform.demo.clients.partner.clientId}`,
    `accounts/${platform.demo.clients.partner.clientId}?tab=usage`,
    `accounts/${platform.demo.clients.partner.clientId}?tab=keys`,
    `audit?entry=${entry.guid}`,
    'audit?kind=fault',
  ];
}
