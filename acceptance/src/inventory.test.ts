import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Answer } from './answer.ts';
import { backOfficeResources } from './back-office-resources.ts';
import { DemoCallers } from './client.ts';
import { inspect } from './fields.ts';
import { openRestaurants, wholeCollection } from './fixtures.ts';
import { menuResources } from './menu-resources.ts';
import { collections, expectedOperation, expectedOperations } from './operations.ts';
import { orderResources } from './order-resources.ts';
import { authorize, cardWithOutcome, paymentBody } from './payment.ts';
import { platformUnderTest } from './platform.ts';
import { platformResources } from './platform-resources.ts';
import { alwaysNull, resources } from './resources.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const repository = fileURLToPath(new URL('../../', import.meta.url));

/** How docs/ define a rule: `**STK-5.** …`, or a list item that begins with `**PAY-I1** `. */
const DEFINITION = /\*\*([A-Z]+-I?\d+)\.\*\*|^- \*\*([A-Z]+-I?\d+)\*\* /gm;

/** Every rule of the contract and of the payments. */
const rules = new Set<string>();
for await (const path of glob('docs/**/*.md', { cwd: repository })) {
  const page = await readFile(`${repository}${path}`, 'utf8');
  for (const [, rule, invariant] of page.matchAll(DEFINITION)) rules.add(rule ?? invariant ?? '');
}

const TITLE = /(?:^|[^\w.])(?:test|it)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs;

/** The titles of all tests that are not skipped, by the file that holds them. */
async function titlesByFile(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const patterns = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'];
  for await (const path of glob([...patterns, 'acceptance/src/**/*.test.ts'], {
    cwd: repository,
  })) {
    const source = await readFile(`${repository}${path}`, 'utf8');
    found.set(
      path,
      [...source.matchAll(TITLE)].map(([, , title]) => String(title)),
    );
  }
  return found;
}

const titles = await titlesByFile();
const ringTitles = [...titles].filter(([path]) => path.startsWith('acceptance/'));

for (const rule of rules) {
  test(`inventory: rule ${rule} has a test that names it`, () => {
    const pattern = new RegExp(`\\b${rule}\\b`);
    const named = [...titles.values()].flat().filter((title) => pattern.test(title));
    assert.ok(named.length > 0, `docs/ define ${rule}, which no title of a test names: write one`);
  });
}

/** The last decision of each specification: its rules are numbered without a gap. */
const LAST = { ORD: 69, MENU: 32 } as const;

for (const [prefix, last] of Object.entries(LAST)) {
  test(`inventory: the docs define ${prefix}-1 to ${prefix}-${last}`, () => {
    const numbers = Array.from({ length: last }, (_, index) => index + 1);
    const missing = numbers.filter((number) => !rules.has(`${prefix}-${number}`));
    assert.deepEqual(missing, []);
  });
}

/** Standards that look like rules. */
const STANDARDS = new Set(['SHA-1', 'UTF-8']);

test('inventory: every rule that the title of a test names is defined in the docs', () => {
  assert.ok(rules.size > 60, `only ${rules.size} rules were found`);
  const faults: string[] = [];
  for (const [path, list] of titles) {
    for (const title of list) {
      const named = title.match(/\b[A-Z]{3,4}-I?\d+\b/g) ?? [];
      const unknown = named.filter((rule) => !rules.has(rule) && !STANDARDS.has(rule));
      faults.push(...unknown.map((rule) => `${path}: no page in docs/ defines **${rule}.**`));
    }
  }
  assert.deepEqual(faults, []);
});

test('inventory: every title in this ring begins with an operation and its statuses', () => {
  const ids = new Set(expectedOperations.map(({ id }) => id));
  for (const [path, list] of ringTitles) {
    for (const title of list) {
      const [first = ''] = title.split(/[ :]/);
      const isGenerated = first.startsWith('${') || first.startsWith('configuration.${');
      const isAboutTheSuite = ['contract', 'inventory', 'start'].includes(first);
      assert.ok(ids.has(first) || isGenerated || isAboutTheSuite, `${path}: "${title}"`);
    }
  }
});

const seen = new Set<string>();

function record(type: string, answer: Pick<Answer, 'json'>): void {
  for (const field of inspect(type, answer.json).seen) seen.add(field);
}

async function walkRestaurant(restaurant: string): Promise<void> {
  for (const [path, object] of collections) {
    const objects = await wholeCollection(partner, restaurant, path);
    record(`${object}[]`, { json: objects });
  }
  const tips = await partner.call('configuration.tipWithholding.get', 200, { restaurant });
  record('TipWithholding', tips);
  record('MenuItemInventory[]', await partner.call('stock.list', 200, { restaurant }));
  const params = { restaurantGUID: restaurant };
  record('RestaurantInfo', await partner.call('restaurants.get', 200, { restaurant, params }));
}

async function walkTheRest(restaurant: string): Promise<void> {
  const { demo } = platform;
  const params = { managementGroupGUID: demo.managementGroupGuid };
  const group = await partner.call('restaurants.listGroup', 200, { restaurant, params });
  record('Restaurant[]', group);
  const access = await partner.call('partners.restaurants.list', 200);
  record('PartnerAccessExternalRep[]', access);
  const connected = (pageToken: string) =>
    partner.call('partners.connectedRestaurants.list', 200, { query: { pageSize: 1, pageToken } });
  const first = await connected('');
  record('PaginatedResponse', first);
  const { nextPageToken } = first.json as { nextPageToken: string };
  record('PaginatedResponse', await connected(nextPageToken));
  const { clientId, clientSecret, userAccessType } = demo.clients.partner;
  const json = { clientId, clientSecret, userAccessType };
  record('LoginResponse', await callers.anonymous().call('auth.login', 200, { json }));
}

async function walkRefusals(restaurant: string): Promise<void> {
  const faulty = [{ status: 'SOLD' }, {}];
  const update = await partner.call('stock.update', 400, { restaurant, json: faulty });
  record('ErrorMessage', update);
  const { demo } = platform;
  for (const outcome of ['AUTHORIZED', 'DENIED']) {
    const body = await paymentBody(demo, { card: cardWithOutcome(demo, outcome) });
    record('PaymentStatus', await authorize(partner, 200, restaurant, body));
  }
  const broken = await paymentBody(demo, { amount: -1 });
  record('ServiceError', await authorize(partner, 422, restaurant, broken, randomUUID()));
}

/** Fields that hold a value only in a case that the walk below does not meet, and its test. */
const seenElsewhere: Readonly<Record<string, string>> = {
  'ErrorMessage.developerMessage': 'Written when there is more to say: optional in every answer.',
  'PaymentStatus.error': 'A payment in an error state, which needs the processor to fail for long.',
};

test('inventory: every field holds a value somewhere in the demo group', async () => {
  const restaurants = openRestaurants(platform.demo);
  for (const restaurant of restaurants) await walkRestaurant(restaurant);
  await walkTheRest(restaurants[0]);
  await walkRefusals(restaurants[0]);
  const missing = Object.entries(resources)
    .filter(([name]) => !/^(PaymentStatusOfObjects|PaymentAmount)$/.test(name))
    // Seen in back-office.test.ts, on a platform whose clock may be moved.
    .filter(([name]) => !Reflect.has(backOfficeResources, name))
    // Seen in menus.test.ts.
    .filter(([name]) => !Reflect.has(menuResources, name))
    // Seen in orders.test.ts.
    .filter(([name]) => !Reflect.has(orderResources, name))
    // About the platform and its tokens, not about the demo group.
    .filter(([name]) => !Reflect.has(platformResources, name))
    .flatMap(([name, fields]) =>
      Object.keys(fields).map((field) => `${name}.${field.replace(/\?$/, '')}`),
    )
    .filter((field) => !seen.has(field) && !alwaysNull[field] && !seenElsewhere[field]);
  assert.deepEqual(missing, [], 'fields that no answer of the demo platform fills');
});

test('inventory: the exceptions name fields that exist', () => {
  for (const place of [...Object.keys(alwaysNull), ...Object.keys(seenElsewhere)]) {
    const [name = '', field = ''] = place.split('.');
    assert.ok(resources[name]?.[field] ?? resources[name]?.[`${field}?`], place);
  }
  assert.ok(expectedOperation('stock.list'));
});
