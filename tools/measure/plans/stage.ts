import { randomBytes, randomUUID } from 'node:crypto';
import {
  brandedHeaders,
  type DiningOption,
  defaultBrand,
  type MenusDocument,
  machineClientAccessType,
  type Operation,
  type Order,
  operations,
  partnerScopes,
} from '@servery/contract';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import { sleep } from '@servery/support/timer.ts';
import { makeTestFolder, removeTestFolder } from '../../../packages/postgres/test/test-folder.ts';
import { createClient } from '../../../packages/server/src/clients/clients.ts';
import { type Config, readConfig } from '../../../packages/server/src/config/config.ts';
import { connectDatabase, type Database } from '../../../packages/server/src/database/database.ts';
import { derivePartnerGuid } from '../../../packages/server/src/group-document/identity.ts';
import { issueCardKey } from '../../../packages/server/src/payments/cards/card-keys.ts';
import { encryptCardData } from '../../../packages/server/src/payments/cards/encrypt-card-data.ts';
import { updateWaitingDue } from '../../../packages/server/src/payments/due/due-store.ts';
import { everywhere } from '../../../packages/server/src/support/due-work.ts';
import { createEndpoint } from '../../../packages/server/src/webhooks/endpoints/endpoints.ts';
import { createTestDatabase } from '../../../packages/server/test/database.ts';
import { origin } from '../../../packages/server/test/partners/test-origin.ts';
import { insertDeliveries } from '../../../packages/server/test/webhooks/event-rows-store.ts';
import { type FillDeps, type Filled, fillDatabase } from '../fill/fill.ts';
import { hasPlan, listTables, updateUncounted } from './explain-store.ts';
import { openTap, type SentStatement } from './tap.ts';
import { type Known, type Visit, visit } from './visits.ts';

/** What is filled in: enough that a whole read costs more than any index. */
const SIZES = { restaurants: 3_000, items: [950], applied: 2_000, authorized: 50 };
const DELIVERIES = { waiting: 100, over: 2_900 };
/** Tables with more rows than this are filled. */
export const LARGE_ROWS = 900;
/** A restaurant in the middle that is connected with the partner that shares it with others. */
const MIDDLE = 1_520;
const PARTNER = 'Filled Partner 2';
/** What is repeated in the background is waited for so long at most. */
const BACKGROUND_MS = 60_000;
const LOOK_MS = 20;

/** A statement, and who sent it first. */
export interface Seen {
  readonly by: string;
  readonly statement: SentStatement;
}

/** What the operations sent to a filled database. */
export interface PlanStage {
  /** By their texts. */
  readonly seen: ReadonlyMap<string, Seen>;
  readonly visits: readonly Visit[];
  /** A session of its own on the database. */
  readonly explainStatements: Database;
  close(): Promise<void>;
}

/** A platform that listens. */
interface Served {
  readonly url: string;
  stop(): Promise<void>;
}

type StageDeps = FillDeps & { readonly masterKey: Buffer };

/** What partners call, and every read of the back office. Streams have no end. */
const visited: readonly Operation[] = operations.filter(
  ({ interface: owner, method, mediaType }) =>
    (owner !== 'backOffice' || method === 'GET') && mediaType !== 'text/event-stream',
);

/** Fills a database, has `start` serve it, calls every operation and keeps what that sends. */
export async function openPlanStage(
  start: (config: Config) => Promise<Served>,
): Promise<PlanStage> {
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const own = await createTestDatabase();
    undo.push(own.drop);
    const folder = await makeTestFolder();
    undo.push(() => removeTestFolder(folder));
    const explainStatements = connectDatabase({ url: own.url, poolSize: 1 });
    undo.push(() => explainStatements.close());
    await updateUncounted(explainStatements.sql, await listTables(explainStatements.sql));
    const masterKey = randomBytes(32);
    const clock = new FixedClock(await readDatabaseTimeMs(explainStatements.sql));
    const vault = createVault(masterKey);
    const deps = { database: own.database, vault, clock, masterKey, tell: () => {} };
    const due = { duePerSecond: 1_000, dueInMs: 0 };
    const filled = await fillDatabase(deps, {
      ...SIZES,
      ...due,
      seed: '1',
      countsAll: false,
      isAlone: false,
    });
    const endpoint = await makeEndpoint(deps, filled);
    const seen = new Map<string, Seen>();
    const sender = { name: 'what is repeated' };
    const tap = await openTap(parseDatabaseUrl(own.url), (statement) => {
      if (!hasPlan(statement) || seen.has(statement.text)) return;
      seen.set(statement.text, { by: sender.name, statement });
    });
    undo.push(() => tap.close());
    const platform = await start(configOf(deps, own.url, folder, tap.port));
    undo.push(() => platform.stop());
    seen.clear();
    await backgroundSeen(seen);
    await goBack(deps, own.url, tap.port, sender);
    sender.name = 'what is there before the visits';
    const visits: Visit[] = [];
    for (const known of await knownOf(deps, platform.url, filled, endpoint)) {
      for (const operation of visited) {
        const begin = (search: string) => {
          sender.name = `${operation.id} ${search}`.trim();
        };
        visits.push(...(await visit(operation, known, begin)));
      }
    }
    return { seen, visits, explainStatements, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a sandbox whose clock went back asks for: at once, and every ten seconds after that. */
async function goBack(
  { clock }: StageDeps,
  databaseUrl: string,
  port: number,
  sender: { name: string },
): Promise<void> {
  const tapped = connectDatabase({ url: throughTap(databaseUrl, port), poolSize: 1 });
  sender.name = 'a clock that went back';
  const now = new Date(clock.nowMs());
  await updateWaitingDue(tapped.sql, now, now);
  await tapped.close();
}

function throughTap(databaseUrl: string, port: number): string {
  const { user, password, database } = parseDatabaseUrl(databaseUrl);
  const entry = `${user}:${encodeURIComponent(password())}`;
  return `postgres://${entry}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

function configOf({ masterKey }: StageDeps, databaseUrl: string, folder: string, port: number) {
  const settings = {
    DATABASE_URL: throughTap(databaseUrl, port),
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_PROFILE: 'none',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_LOG_LEVEL: 'silent',
    SERVERY_MASTER_KEY: masterKey.toString('base64'),
    SERVERY_WEBHOOK_LOOPBACK: 'yes',
    SERVERY_RATE_LIMIT_PER_SECOND: '100000',
    SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '10000000',
    SERVERY_RATE_LIMIT_MENUS_PER_SECOND: '100000',
    SERVERY_RATE_LIMIT_ORDERS_BULK_PER_SECOND: '100000',
  };
  return readConfig(settings, []);
}

/** Due work has found what is overdue, and webhooks have been claimed. */
async function backgroundSeen(seen: ReadonlyMap<string, Seen>): Promise<void> {
  const wanted = [/update payment\s+set lease_holder/, /update webhook_delivery/];
  for (let waitedMs = 0; waitedMs < BACKGROUND_MS; waitedMs += LOOK_MS) {
    const texts = [...seen.keys()];
    if (wanted.every((words) => texts.some((text) => words.test(text)))) return;
    await sleep(LOOK_MS);
  }
  throw new Error(`what is repeated was not sent, but: ${[...seen.keys()].join('\n')}`);
}

/** An endpoint where nobody listens, for which much waits and more is over. */
async function makeEndpoint(
  deps: StageDeps,
  { partner: { clientId } }: Filled,
): Promise<Pick<Known, 'endpointGuid' | 'partnerGuid' | 'deliveryGuid'>> {
  const endpointDeps = { ...deps, targetRules: { allowsLoopback: true } };
  const draft = { clientId, url: 'http://127.0.0.1:9099/' };
  const { endpoint } = await createEndpoint(endpointDeps, draft, { reach: everywhere, origin });
  const key = { partnerGuid: endpoint.partnerGuid, endpointGuid: endpoint.guid };
  await insertDeliveries(deps.database.sql, key, DELIVERIES);
  return { ...key, deliveryGuid: '00000001-0000-7000-8000-000000000000' };
}

/** A small restaurant in the middle, and the large one. */
async function knownOf(
  deps: StageDeps,
  url: string,
  { backOffice, restaurants, large }: Filled,
  endpoint: Awaited<ReturnType<typeof makeEndpoint>>,
): Promise<Known[]> {
  const userAccessType = machineClientAccessType(defaultBrand);
  const account = { name: 'Sharing', type: 'PARTNER', scopes: partnerScopes } as const;
  const partner = await createClient(
    { sql: deps.database.sql, vault: deps.vault },
    { ...account, partnerGuid: derivePartnerGuid(PARTNER) },
    deps.clock.nowMs(),
  );
  const token = await logIn(url, { ...partner, userAccessType });
  const office = await logIn(url, { ...backOffice, userAccessType });
  const { restaurantExternalId } = brandedHeaders(defaultBrand);
  const middle = restaurants.pattern.slice(0, -12) + MIDDLE.toString(16).padStart(12, '0');
  const guids = [middle, ...large.map(({ guid }) => guid)];
  const { clientId } = partner;
  const key = await issueCardKey(deps, { clientId, algorithm: 'ECDH-ES' });
  const person = await beginSession(url, office);
  return await Promise.all(
    guids.map(async (restaurantGuid) => {
      const headers = { authorization: `Bearer ${token}`, [restaurantExternalId]: restaurantGuid };
      const items = await fetch(`${url}/config/v2/menuItems`, { headers });
      const [item] = (await items.json()) as { guid: string }[];
      const info = await fetch(`${url}/restaurants/v1/restaurants/${restaurantGuid}`, { headers });
      const { general } = (await info.json()) as { general: { managementGroupGuid: string } };
      return {
        ...{ url, brand: defaultBrand, token, office, ...partner, userAccessType, ...endpoint },
        ...person,
        ...{ restaurantGuid, groupGuid: general.managementGroupGuid, itemGuid: item?.guid ?? '' },
        paymentUuid: randomUUID(),
        payment: await paymentOf(key),
        ...(await placeOrder(url, headers)),
      };
    }),
  );
}

/** An order of one item, and what was placed of it, unless the restaurant has no menus. */
async function placeOrder(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Pick<Known, 'order' | 'placed'>> {
  const read = async (path: string) => (await fetch(url + path, { headers })).json();
  const { menus = [] } = (await read('/menus/v2/menus')) as Partial<MenusDocument>;
  const diningOptions = (await read('/config/v2/diningOptions')) as DiningOption[];
  const diningOption = diningOptions.find(({ behavior }) => behavior === 'DINE_IN');
  const group = menus[0]?.menuGroups[0];
  const selections = [
    { itemGroup: { guid: group?.guid }, item: { guid: group?.menuItems.at(-1)?.guid } },
  ];
  const order = { diningOption: { guid: diningOption?.guid }, checks: [{ selections }] };
  const nobody = randomUUID();
  const nothing = { orderGuid: nobody, checkGuid: nobody, selectionGuid: nobody };
  if (!group) return { order, placed: nothing };
  const answer = await fetch(`${url}/orders/v2/orders`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`no order was placed: ${answer.status} ${text}`);
  const placed = JSON.parse(text) as Order;
  const [check] = placed.checks;
  const [selection] = check?.selections ?? [];
  const [orderGuid, checkGuid, selectionGuid] = [placed, check, selection].map(
    (part) => part?.guid ?? '',
  );
  return { order, placed: { orderGuid, checkGuid, selectionGuid } as Known['placed'] };
}

async function logIn(
  url: string,
  account: { clientId: string; clientSecret: string; userAccessType: string },
): Promise<string> {
  const { clientId, clientSecret, userAccessType } = account;
  const answer = await fetch(`${url}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType }),
  });
  const { token } = (await answer.json()) as { token: { accessToken: string } };
  return token.accessToken;
}

/** An operator with a session. */
async function beginSession(
  url: string,
  office: string,
): Promise<Pick<Known, 'personGuid' | 'cookie'>> {
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${url}/backoffice/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${office}` },
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const name = 'Plan person';
  const role = { role: 'OPERATOR' };
  const invited = await post('/people', { email: 'plans@example.com', name, role });
  const { invitation } = (await invited.json()) as { invitation: { token: string } };
  const json = { token: invitation.token, name, password: randomUUID() };
  const begun = await post('/invitations/accept', json);
  const { person } = (await begun.json()) as { person: { personGuid: string } };
  const [cookie = ''] = String(begun.headers.get('set-cookie')).split(';');
  return { personGuid: person.personGuid, cookie };
}

async function paymentOf({ publicKeyPem, keyId }: { publicKeyPem: string; keyId: string }) {
  const card = { cardNumber: '4111111111111111', cvv: '123', expMonth: '12', expYear: '30' };
  const clearText = { ...card, zipCode: '02110', country: 'USA' };
  return {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: await encryptCardData(publicKeyPem, keyId, clearText),
    amount: 10.5,
    tipAmount: 2,
    keyId,
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'web-1' },
      localTransactionDate: '2026-03-01T12:30:00.000-0600',
      originIPAddr: '8.8.4.4',
      cardFirst6: '411111',
      cardLast4: '1111',
      billingAddress: { postalCode: '02110', country: 'USA' },
      guestIdentifier: 'guest@example.com',
    },
  };
}
