import { randomBytes } from 'node:crypto';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import { request } from 'undici';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { start } from '../../src/boot/server.ts';
import { createClient } from '../../src/clients/clients.ts';
import { readConfig } from '../../src/config/config.ts';
import { issueCardKey } from '../../src/payments/cards/card-keys.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/endpoints.ts';
import { sendTestEvent } from '../../src/webhooks/endpoints/test-event.ts';
import { createTestDatabase } from '../database.ts';
import { origin } from '../partners/test-origin.ts';
import { insertClient } from '../payments/fixture-store.ts';
import { insertPartner, insertRestaurant } from '../rows.ts';
import {
  type AccessCaller,
  type AccessPlace,
  addPerson,
  type CallerDeps,
  makeClient,
  makePerson,
  nobody,
} from './callers.ts';
import { findSecretGuid, insertDeniedPayment } from './fixture-store.ts';
import type { Side } from './samples.ts';

/** A request of a matrix. */
interface FixtureRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; nothing when undefined. */
  readonly body: unknown;
}

/** A platform that listens, with two groups, and somebody of every kind who calls it. */
export interface AccessFixture {
  readonly deps: CallerDeps;
  readonly callers: readonly AccessCaller[];
  readonly sides: readonly Side[];
  send(request: FixtureRequest): Promise<{ readonly status: number; readonly message: string }>;
  close(): Promise<void>;
}

const platform: AccessPlace = { kind: 'platform', guid: null };

/** Starts a server on a database of its own. */
export async function openAccessFixture(): Promise<AccessFixture> {
  const { database, url: databaseUrl, drop } = await createTestDatabase();
  const folder = await makeTestFolder();
  const masterKey = randomBytes(32);
  const settings = {
    DATABASE_URL: databaseUrl,
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_PROFILE: 'none',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_LOG_LEVEL: 'silent',
    SERVERY_MASTER_KEY: masterKey.toString('base64'),
    SERVERY_RATE_LIMIT_PER_SECOND: '100000',
    SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '10000000',
  };
  const server = await start(readConfig(settings, []));
  // Sessions and secrets begin at one instant; the server reads the time of the same database.
  const realClock = new FixedClock(await readDatabaseTimeMs(database.sql));
  const deps = { database, vault: createVault(masterKey), realClock, url: server.url };
  const sides = await makeSides(deps);
  return {
    deps,
    sides,
    callers: await makeCallers(deps, sides),
    send: (request) => send(server.url, request),
    close: async () => {
      await server.stop();
      await drop();
      removeTestFolder(folder);
    },
  };
}

/** The own restaurant, another one of its group, and one of another group with another partner. */
async function makeSides(deps: CallerDeps): Promise<Side[]> {
  const { database, realClock } = deps;
  const { sql } = database;
  const now = new Date(realClock.nowMs());
  const own = await insertRestaurant(sql, { createdAt: now });
  const other = await insertRestaurant(sql, { createdAt: now });
  const sibling = (await insertRestaurant(sql, { group: own.managementGroupGuid, createdAt: now }))
    .guid;
  const partners = [await insertPartner(sql), await insertPartner(sql)] as const;
  const ofOwnGroup = [own.guid, sibling];
  const side = async (
    name: string,
    group: string,
    restaurant: string,
    partner: string,
    restaurantsOfGroup: readonly string[],
  ): Promise<Side> => ({
    ...(await makeSide(deps, name, [
      { kind: 'group', guid: group },
      { kind: 'restaurant', guid: restaurant },
      { kind: 'partner', guid: partner },
    ])),
    restaurantsOfGroup,
  });
  return [
    await side('own', own.managementGroupGuid, own.guid, partners[0], ofOwnGroup),
    await side('sibling', own.managementGroupGuid, sibling, partners[0], ofOwnGroup),
    await side('other', other.managementGroupGuid, other.guid, partners[1], [other.guid]),
  ];
}

async function makeSide(
  deps: CallerDeps,
  name: string,
  [group, restaurant, partner]: readonly [AccessPlace, AccessPlace, AccessPlace],
): Promise<Omit<Side, 'restaurantsOfGroup'>> {
  const { database, vault, realClock } = deps;
  const { sql } = database;
  const now = new Date(realClock.nowMs());
  const account = async (place: AccessPlace) => {
    const input = {
      name: 'Victim',
      scopes: [],
      ...(place.kind === 'group'
        ? ({ type: 'CUSTOMER', managementGroupGuid: place.guid } as const)
        : ({ type: 'PARTNER', partnerGuid: place.guid } as const)),
    };
    return (await createClient({ sql, vault }, input, realClock.nowMs())).clientId;
  };
  const clientId = await insertClient(sql, now);
  const [clientOfGroup, clientOfPartner] = [await account(group), await account(partner)];
  const keyDeps = { database, vault, clock: realClock };
  const key = await issueCardKey(keyDeps, { clientId: clientOfPartner, algorithm: 'ECDH-ES' });
  const merchantGuid = restaurant.guid ?? '';
  return {
    name,
    group,
    restaurant,
    partner,
    personOfGroup: await addPerson(deps, 'READ_ONLY', group),
    personOfRestaurant: await addPerson(deps, 'READ_ONLY', restaurant),
    clientOfGroup,
    clientOfPartner,
    keyId: key.keyId,
    secretGuid: await findSecretGuid(sql, clientOfGroup),
    ...(await makeEndpoint(deps, clientOfPartner)),
    ...(await insertDeniedPayment(sql, { merchantGuid, clientId }, now)),
  };
}

/** An endpoint of an account, with a test event that waits. */
async function makeEndpoint(
  { database, vault }: CallerDeps,
  clientId: string,
): Promise<Pick<Side, 'endpointGuid' | 'webhookSecretGuid' | 'deliveryGuid'>> {
  const authority = { reach: everywhere, origin };
  const deps = { database, vault, targetRules: { allowsLoopback: true } };
  const draft = { clientId, url: 'http://127.0.0.1:9099/' };
  const { endpoint, secretGuid } = await createEndpoint(deps, draft, authority);
  const event = { eventType: 'partner_added' } as const;
  const { deliveryGuids } = await sendTestEvent(deps, endpoint.guid, event, authority);
  const [deliveryGuid = ''] = deliveryGuids;
  return { endpointGuid: endpoint.guid, webhookSecretGuid: secretGuid, deliveryGuid };
}

/** Somebody in every role at every place where it can be given, and every kind of account. */
async function makeCallers(deps: CallerDeps, sides: readonly Side[]): Promise<AccessCaller[]> {
  const [own] = sides;
  if (!own) throw new Error('there is no side');
  const { group, restaurant, partner } = own;
  return [
    nobody,
    await makePerson(deps, 'OPERATOR', platform),
    await makePerson(deps, 'READ_ONLY', platform),
    await makePerson(deps, 'GROUP_ADMINISTRATOR', group),
    await makePerson(deps, 'READ_ONLY', group),
    await makePerson(deps, 'RESTAURANT_ADMINISTRATOR', restaurant),
    await makePerson(deps, 'READ_ONLY', restaurant),
    await makePerson(deps, 'PARTNER_DEVELOPER', partner),
    await makePerson(deps, null, null),
    await makeClient(deps, 'partner', partner),
    await makeClient(deps, 'customer', group),
    await makeClient(deps, 'backOffice', group),
    await makeClient(deps, 'backOffice', platform),
  ];
}

async function send(
  url: string,
  { method, path, headers, body }: FixtureRequest,
): Promise<{ status: number; message: string }> {
  const response = await request(url + path, {
    method,
    headers: {
      ...{ ...headers, 'accept-encoding': 'identity' },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { statusCode: status } = response;
  if (status >= 400) {
    const { message } = (await response.body.json()) as { message?: string };
    return { status, message: message ?? '' };
  }
  // A stream would never end by itself.
  if (/stream/.test(`${response.headers['content-type']}`)) response.body.destroy();
  else await response.body.dump();
  return { status, message: '' };
}
